"""Damaged pairs of vocab.json and merges.txt."""

import json

import pytest
from hostile.refusal import REFUSALS

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.vocabs.formats.vocab_merges.rules_file import written_rules

IDS = {to_byte_level(bytes([b])): b for b in range(256)} | {"he": 256, "ll": 257, "hell": 258, "hello": 259}
VOCAB = json.dumps(IDS).encode()
MERGES = b"#version: 0.2\nh e\nl l\nhe ll\nhell o\n"

BASE = wordsplit.Vocab(name="x", tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=SCHEMES["gpt2"])
RULES_BEGIN = written_rules(BASE)

# What is left of the merges when they are cut where no damage can be seen.
WHOLE_LINES = {MERGES[:size].rstrip(b"\n") for size in (0, 8, 9, 10, 11, 12, 13, 18, 22, 28, 34)}


def write(folder, vocab=VOCAB, merges=MERGES, config=None, rules=None):
    files = {"vocab.json": vocab, "merges.txt": merges, "tokenizer_config.json": config, "wordsplit_rules.json": rules}
    for name, data in files.items():
        if data is not None:
            (folder / name).write_bytes(data)
    return folder


def refused(folder, name, **files):
    with pytest.raises(REFUSALS) as caught:
        wordsplit.load_vocab(write(folder, **files) / "vocab.json", pattern="gpt2")
    message = str(caught.value)
    assert name in message
    assert caught.value.field, message
    assert len(message) < 2000
    return message


def test_the_base_files_are_sound(tmp_path):
    sound = [MERGES, MERGES[:-1], MERGES.replace(b"\n", b"\r\n"), MERGES[14:], MERGES + b"\n\n"]
    for merges in sound:
        vocab = wordsplit.load_vocab(write(tmp_path, merges=merges), pattern="gpt2")
        assert wordsplit.load_tokenizer(vocab).encode("hello") == [259]


LINES = {
    "of one part": b"h e\nhe",
    "of three parts": b"h e\nh e l",
    "of two spaces": b"h e\nl  l",
    "empty": b"h e\n\nl l",
    "of an unknown part": b"h e\nzz e",
    "that makes no token": b"h e\nh o",
    "of a tab": b"h e\nl\tl",
}


@pytest.mark.parametrize("what", LINES)
def test_merges(tmp_path, what):
    assert "[1]" in refused(tmp_path, "merges.txt", merges=LINES[what])


def test_merges_that_are_no_text(tmp_path):
    assert "offset 4" in refused(tmp_path, "merges.txt", merges=b"h e\n\xff \xfe")
    refused(tmp_path, "merges.txt", merges=bytes(range(256)))
    refused(tmp_path, "merges.txt", merges=MERGES.decode().encode("utf-16"))


VOCABS = {
    "empty": b"",
    "a list": b"[]",
    "no tokens": b"{}",
    "null": b"null",
    "a key twice": VOCAB.replace(b'"he": 256', b'"he": 256, "he": 256'),
    "an id twice": VOCAB.replace(b'"he": 256', b'"he": 257'),
    "a float": VOCAB.replace(b'"he": 256', b'"he": 256.0'),
    "negative": VOCAB.replace(b'"he": 256', b'"he": -1'),
    "a bool": VOCAB.replace(b'"he": 256', b'"he": true'),
    "a list of ids": VOCAB.replace(b'"he": 256', b'"he": [256]'),
    "2^32": VOCAB.replace(b'"he": 256', b'"he": 4294967296'),
    "NaN": VOCAB.replace(b'"he": 256', b'"he": NaN'),
    "a lone surrogate": VOCAB.replace(b'"he": 256', b'"he\\ud800": 256'),
    "100,000 deep": b"[" * 100_000,
    "a BOM": b"\xef\xbb\xbf" + VOCAB,
}


@pytest.mark.parametrize("what", VOCABS)
def test_vocab(tmp_path, what):
    files = {"vocab": VOCABS[what]}
    if what == "no tokens":
        files["merges"] = b""
    refused(tmp_path, "vocab.json", **files)


def test_cut_short_at_every_byte(tmp_path):
    write(tmp_path)
    for size in range(0, len(VOCAB), 7):
        refused(tmp_path, "vocab.json", vocab=VOCAB[:size])
    for size in range(len(MERGES)):
        if MERGES[:size].rstrip(b"\n") in WHOLE_LINES:
            wordsplit.load_vocab(write(tmp_path, merges=MERGES[:size]), pattern="gpt2")
        else:
            refused(tmp_path, "merges.txt", merges=MERGES[:size])


@pytest.mark.parametrize("name", ["vocab.json", "merges.txt"])
def test_one_of_the_two_missing(tmp_path, name):
    write(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(wordsplit.VocabFormatError, match=name):
        wordsplit.load_vocab(tmp_path / ({"vocab.json", "merges.txt"} - {name}).pop())


CONFIGS = {
    "a number": b'{"added_tokens_decoder": 5}',
    "a list": b'{"added_tokens_decoder": [5]}',
    "a string": b'{"added_tokens_decoder": "x"}',
    "a key of no number": b'{"added_tokens_decoder": {"x": {"content": "a"}}}',
    "a negative key": b'{"added_tokens_decoder": {"-1": {"content": "a"}}}',
    "a huge key": b'{"added_tokens_decoder": {"4294967296": {"content": "a"}}}',
    "a key of 5,000 digits": b'{"added_tokens_decoder": {"' + b"9" * 5000 + b'": {"content": "a"}}}',
    "an item of no object": b'{"added_tokens_decoder": {"300": "x"}}',
    "an item without content": b'{"added_tokens_decoder": {"300": {}}}',
    "a content of no string": b'{"added_tokens_decoder": {"300": {"content": 5}}}',
    "a lone surrogate": b'{"added_tokens_decoder": {"300": {"content": "\\ud800"}}}',
    "a flag of no bool": b'{"added_tokens_decoder": {"300": {"content": "x", "lstrip": 1}}}',
    "not JSON": b"{",
    "a list of all": b"[]",
}


@pytest.mark.parametrize("what", CONFIGS)
def test_the_config_beside_them(tmp_path, what):
    refused(tmp_path, "tokenizer_config.json", config=CONFIGS[what])


RULES = {
    "a list of all": b"[]",
    "not JSON": b"{",
    "no version": b"{}",
    "a later version": b'{"wordsplit_rules": 2}',
    "no steps": b'{"wordsplit_rules": 1}',
    "a step of no object": b'{"wordsplit_rules": 1, "pre_tokenizer": ["x"]}',
    "a step without a pattern": b'{"wordsplit_rules": 1, "pre_tokenizer": [{"behavior": "isolated"}]}',
    "an unknown behavior": RULES_BEGIN.replace(b"isolated", b"sliced"),
    "an unknown dialect": RULES_BEGIN.replace(b"tokenizers", b"perl"),
    "a flag of no bool": RULES_BEGIN.replace(b"false", b"0", 1),
    "an unknown normalizer": RULES_BEGIN.replace(b'"normalizer": null', b'"normalizer": "upper"'),
    "an unknown step of a normalizer": RULES_BEGIN.replace(
        b'"normalizer": null', b'"normalizer": [{"kind": "upper", "pattern": "", "content": ""}]'
    ),
    "an id of no number": RULES_BEGIN.replace(b'"added_tokens": []', b'"added_tokens": [{"content": "x", "id": "5"}]'),
    "a negative prefix id": RULES_BEGIN.replace(b'"prefix_ids": []', b'"prefix_ids": [-1]'),
    "a pair of no list": RULES_BEGIN.replace(b'"pair_template": null', b'"pair_template": 5'),
    "an unknown text of a pair": RULES_BEGIN.replace(
        b'"pair_template": null', b'"pair_template": [{"ids": [], "text": "third", "type_id": 0}]'
    ),
    "a template of no string": RULES_BEGIN.replace(b'"chat_template": null', b'"chat_template": 5'),
}


@pytest.mark.parametrize("what", RULES)
def test_the_rules_beside_them(tmp_path, what):
    refused(tmp_path, "wordsplit_rules.json", rules=RULES[what])


def test_the_rules_that_the_others_begin_with_are_sound(tmp_path):
    folder = write(tmp_path, rules=RULES_BEGIN)
    assert wordsplit.load_vocab(folder).pre_tokenizer == SCHEMES["gpt2"]
