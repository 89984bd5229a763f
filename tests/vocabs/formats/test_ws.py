"""Compiled vocabs in .ws files: the same vocab again, pinned bytes, and no harm from damaged or forged files."""

import hashlib
import json
import random
import struct
from contextlib import suppress

import pytest
from cli.run import run
from depth import by_depth
from hostile.test_forged_compiled import edited, use
from random_models import MODELS, random_model_vocab
from vocabs.cache.test_damage import parts_of, with_sum
from vocabs.formats.test_tokenizer_json import added, document

import wordsplit
from wordsplit.errors import UnsupportedVocabError, VocabFormatError
from wordsplit.rules import Decode
from wordsplit.vocab import Vocab

pytest.importorskip("wordsplit._native")

PINNED = {
    "small": "72a8f95cea1ec4cd539907baf9b39a8cbece0627020e291f95f9bee23c67ac57",
    "r50k_base": "e6a78fecdbfd21a0c6596d31860f28688a0be217c7d7aae69c713495ac8c6d1c",
}
"""The sha256 of portable files.

If one changes, so do the tables or the description: raise ``kPortableBuild`` in
``native/include/wordsplit/tables/compiled.hpp`` and ``PORTABLE_BUILD`` in ``js/src/formats/compiled.ts``, so that older
versions refuse the new files and this one the old.
"""
FIELDS = ("name", "chat_template", "chat_templates", "role_ids", "has_explicit_merges", "pre_tokenizer", "normalizer")


def small() -> Vocab:
    made = wordsplit.load_vocab_bytes(document(added_tokens=[added("<|end|>", 260, special=True)]), name="small")
    return made.replace(eos_token_id=260, chat_template="{{ messages }}", suffix_ids=[260], unreachable_ids=[255])


def compiled(vocab: Vocab, tmp_path) -> bytes:
    path = tmp_path / "x.ws"
    vocab.save_compiled(path)
    return path.read_bytes()


def described(sound: bytes, change) -> bytes:
    """The file with a changed description of at most the same length, and the right checksum."""
    start, size = parts_of(sound)[0]
    description = json.loads(sound[start : start + size])
    change(description)
    text = json.dumps(description, separators=(",", ":")).encode()
    assert len(text) <= size
    return with_sum(sound[:start] + text.ljust(size) + sound[start + size :])


@pytest.mark.parametrize("name", PINNED)
def test_pinned(name, tmp_path):
    vocab = small() if name == "small" else wordsplit.load_vocab(name)
    assert hashlib.sha256(compiled(vocab, tmp_path)).hexdigest() == PINNED[name]


@pytest.mark.parametrize("kind", MODELS)
def test_other_models(kind, tmp_path):
    kept = 0
    for seed in range(by_depth(8, 50, 2000)):
        vocab, some = random_model_vocab(kind, seed)
        if not vocab.has_native_model:
            with pytest.raises(UnsupportedVocabError, match="native core"):
                compiled(vocab, tmp_path)
            continue
        found = wordsplit.load_vocab_bytes(compiled(vocab, tmp_path))
        kept += 1
        assert found == vocab
        one, other = wordsplit.load_tokenizer(vocab), wordsplit.load_tokenizer(found)
        assert other.encode_batch(some) == one.encode_batch(some)
    assert kept


@pytest.mark.parametrize("kind", MODELS)
def test_forged_models(kind, tmp_path):
    """Harmful numbers in any part, with the right checksum: a typed error, or an encoder that does no harm."""
    vocab, some = next(found for found in (random_model_vocab(kind, k) for k in range(99)) if found[0].has_native_model)
    sound = compiled(vocab, tmp_path)
    parts, rng, used = parts_of(sound), random.Random(kind), 0
    for _ in range(by_depth(80, 500, 20000)):
        with suppress(wordsplit.WordsplitError):
            tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(edited(sound, parts, rng), format="ws"))
            used += 1
            for text in some:
                tok.decode(tok.encode(text))
    assert used > 5


def test_a_decoder_of_byte_level_bpe(tmp_path):
    vocab = small().replace(decoder=[Decode("byte_level"), Decode("strip", content=" ", left=1)])
    found = wordsplit.load_vocab_bytes(compiled(vocab, tmp_path))
    assert found == vocab
    assert found.decoder == vocab.decoder


@pytest.mark.parametrize("name", ["small", "qwen3", "p50k_edit", "o200k_harmony"])
def test_the_same_vocab_again(name, tmp_path):
    vocab = small() if name == "small" else wordsplit.load_vocab(name)
    data = compiled(vocab, tmp_path)
    for found in (wordsplit.load_vocab(tmp_path / "x.ws"), wordsplit.load_vocab_bytes(data)):
        assert found == vocab
        assert [getattr(found, field) for field in FIELDS] == [getattr(vocab, field) for field in FIELDS]
        tok, other = wordsplit.TokenizerOptions().build(found), wordsplit.TokenizerOptions().build(vocab)
        text = "hello hell <|end|> \u00e9\u4f60 <|endoftext|>"
        assert tok.encode(text) == other.encode(text)


def test_mergeable_ranks_and_steps(tmp_path):
    vocab = wordsplit.load_vocab("cl100k_base")
    vocab.save_tiktoken(tmp_path / "cl100k_base.tiktoken")
    vocab = wordsplit.load_vocab(tmp_path / "cl100k_base.tiktoken", pattern="falcon")
    found = wordsplit.load_vocab_bytes(compiled(vocab, tmp_path))
    assert found == vocab
    assert not found.has_explicit_merges
    assert found.pre_tokenizer == vocab.pre_tokenizer


def test_it_does_not_say_where_the_vocab_came_from(tmp_path):
    assert b'"source": ""' in compiled(small(), tmp_path)
    assert wordsplit.load_vocab(tmp_path / "x.ws").source == str(tmp_path / "x.ws")


def test_arguments_of_load_vocab(tmp_path):
    data = compiled(small(), tmp_path)
    vocab = wordsplit.load_vocab_bytes(data, name="other", pattern="cl100k", special_tokens={"<|x|>": 300})
    assert (vocab.name, vocab.special_tokens["<|x|>"]) == ("other", 300)
    assert vocab.pre_tokenizer == wordsplit.load_vocab("cl100k_base").pre_tokenizer


def test_another_version(tmp_path):
    data = bytearray(compiled(small(), tmp_path))
    struct.pack_into("<Q", data, 16, 7)
    with pytest.raises(UnsupportedVocabError, match="wordsplit compile"):
        wordsplit.load_vocab_bytes(with_sum(bytes(data)))


def test_damaged_files(tmp_path):
    sound = compiled(small(), tmp_path)
    rng = random.Random(3)
    for _ in range(by_depth(120, 750, 30000)):
        data = bytearray(sound)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)) :]
        with pytest.raises((VocabFormatError, UnsupportedVocabError)):
            wordsplit.load_vocab_bytes(bytes(data), format="ws")


def test_forged_files(tmp_path):
    """Harmful numbers in any part, with the right checksum."""
    sound = compiled(small(), tmp_path)
    parts = parts_of(sound)
    rng = random.Random(5)
    used = 0
    for _ in range(by_depth(80, 500, 20000)):
        try:
            found = wordsplit.load_vocab_bytes(edited(sound, parts, rng), format="ws")
        except wordsplit.WordsplitError:
            continue
        used += 1
        use(found)
    assert used > 5


WRONG = {
    "name": 5,
    "ignore_merges": 1,
    "unreachable_ids": [-1],
    "prefix_ids": [1 << 23],
    "suffix_ids": "12",
    "pair_template": [{"ids": 5}],
    "pre_tokenizer": [{"pattern": 5}],
    "normalizer": "nfd",
    "eos_token_id": 1 << 25,
    "role_ids": [],
    "chat_template": 7,
    "chat_templates": {"a": 7},
    "decoder": 5,
}


@pytest.mark.parametrize("field", WRONG)
def test_forged_descriptions(field, tmp_path):
    sound = compiled(small(), tmp_path)
    assert wordsplit.load_vocab_bytes(described(sound, lambda _: None)) == small()
    with pytest.raises(VocabFormatError, match=field):
        wordsplit.load_vocab_bytes(described(sound, lambda content: content["vocab"].update({field: WRONG[field]})))


def test_a_promise_is_not_taken_on_trust(tmp_path):
    vocab = small().replace(merges_are_live=True)
    assert not wordsplit.load_vocab_bytes(compiled(vocab, tmp_path)).merges_are_live


def test_the_command(tmp_path):
    out = tmp_path / "mine.ws"
    assert run("compile", "r50k_base", "-o", str(out)).stdout.startswith(f"{out}: r50k_base, ")
    assert run("encode", "--vocab", str(out), "hello world").stdout == "31373 995\n"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.ws"]


@pytest.mark.parametrize(
    ("out", "problem"),
    [("x.json", "ends with .ws"), ("nowhere/x.ws", "no folder"), ("folder.ws", "is a folder")],
)
def test_the_command_refuses(out, problem, tmp_path):
    (tmp_path / "folder.ws").mkdir()
    found = run("compile", "r50k_base", "-o", str(tmp_path / out))
    assert (found.returncode, found.stdout) == (1, "")
    assert problem in found.stderr
