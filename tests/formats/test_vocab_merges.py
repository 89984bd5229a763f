"""vocab.json with merges.txt."""

import json

import pytest

import wordsplit
from wordsplit.vocabs.schemes import SCHEMES


@pytest.mark.parametrize("name", ["qwen3", "r50k_base"])
def test_round_trip(tmp_path, name):
    vocab = wordsplit.load_vocab(name)
    vocab.save_vocab_merges(tmp_path / name)
    again = wordsplit.load_vocab(tmp_path / name, pattern=vocab.pattern)
    assert again.tokens == vocab.tokens
    assert list(again.merges) == list(vocab.merges)
    assert again.name == name
    assert again.pre_tokenizer == vocab.pre_tokenizer


def test_a_vocab_that_the_pair_says_whole(tmp_path):
    tokens = {b: bytes([b]) for b in range(256)} | {256: b"ab", 300: b"abc"}
    vocab = wordsplit.Vocab(name="x", tokens=tokens, merges=[(97, 98), (256, 99)], pre_tokenizer=SCHEMES["gpt2"])
    vocab.save_vocab_merges(tmp_path)
    for file in ("", "vocab.json", "merges.txt"):
        assert wordsplit.load_vocab(tmp_path / file).fingerprint == vocab.fingerprint


def test_the_official_pair_of_qwen3(shared):
    vocab = wordsplit.load_vocab(shared / "vocabs/qwen3/vocab.json", pattern="qwen2")
    bundled = wordsplit.load_vocab("qwen3")
    assert vocab.tokens == bundled.tokens
    assert list(vocab.merges) == list(bundled.merges)
    assert vocab.pre_tokenizer == bundled.pre_tokenizer
    assert [t.content for t in vocab.added_tokens] == [t.content for t in bundled.added_tokens]
    assert vocab.eos_token_id == 151645


def test_added_tokens_of_the_config(tmp_path):
    wordsplit.load_vocab("r50k_base").save_vocab_merges(tmp_path)
    flags = {"special": True, "lstrip": True, "rstrip": False, "single_word": False, "normalized": False}
    table = {"60000": {"content": "<m>", **flags}, "60001": {"content": "<n>"}}
    config = {"added_tokens_decoder": table, "eos_token": {"content": "<m>"}, "bos_token": "<n>"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    vocab = wordsplit.load_vocab(tmp_path, special_tokens={"<o>": 60002})
    assert [(t.content, t.id, t.special, t.lstrip) for t in vocab.added_tokens] == [
        ("<m>", 60000, True, True),
        ("<n>", 60001, False, False),
        ("<o>", 60002, True, False),
    ]
    assert (vocab.eos_token_id, vocab.bos_token_id) == (60000, 60001)
    assert wordsplit.load_tokenizer(vocab).encode("a  <m><n>") == [64, 60000, 60001]


def test_a_part_with_a_space_cannot_be_said(tmp_path):
    tokens = {b: bytes([b]) for b in range(256)} | {256: "é é".encode(), 257: "é éa".encode()}
    vocab = wordsplit.Vocab(name="x", tokens=tokens, merges=[(256, 97)], literal_ids={256, 257})
    with pytest.raises(wordsplit.UnsupportedVocabError, match="space"):
        vocab.save_vocab_merges(tmp_path)
