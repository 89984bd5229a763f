"""A trained vocab in every format: read back by us and by the libraries that the formats are of, with the same ids."""

from __future__ import annotations

import itertools
import random

import gguf
import pytest
import tiktoken
import tokenizers
from tiktoken.load import load_tiktoken_bpe

import wordsplit
from wordsplit.training import BpeTrainer

SPECIAL = ["<|endoftext|>", "<|im_start|>"]
WORDS = [
    "the",
    "of",
    "and",
    "low",
    "lower",
    "lowest",
    "new",
    "newer",
    "newest",
    "123",
    "4567",
    "é",
    "ï",
    "你好",
    "世界",
    "\n",
    "\n\n",
    "\t",
    "''",
    "it's",
    "(((",
    ")))",
]
TEXTS = [" ".join(random.Random(seed).choices(WORDS, k=60)) for seed in range(40)]
UNSEEN = [*TEXTS[:5], "lowernew <|endoftext|> newestlow 99", "𝔘𝔫𝔦 ÿ\x00", " ", "", "<|im_start|>", "e\u0301 é"]
MODES = {
    "default": {},
    "spans": {"count": "spans", "tie_break": "lexicographic"},
    "tokenizers": {"compat": "tokenizers"},
    "short": {"max_token_bytes": 3, "min_frequency": 2},
}


def trained(pattern="cl100k", **mode):
    return BpeTrainer(360, pattern, special_tokens=SPECIAL, **mode).update(TEXTS).train()


def ids_of(vocab, texts=UNSEEN, **options):
    return wordsplit.TokenizerOptions(**options).build(vocab).encode_batch(texts)


@pytest.mark.parametrize("mode", MODES)
def test_every_engine_and_encoder(mode):
    vocab = trained(**MODES[mode])
    wanted = ids_of(vocab, engine="python", encoder="reference", spanner="regex")
    for encoder, engine in itertools.product(["buffer_sweep", "heap_merge", "backtracking"], ["python", "native"]):
        assert ids_of(vocab, encoder=encoder, engine=engine) == wanted
    for encoder in ("tail_sweep", "priority_merge", "auto"):
        assert ids_of(vocab, encoder=encoder) == wanted
    assert wordsplit.TokenizerOptions().build(vocab).decode_batch(wanted) == UNSEEN


@pytest.mark.parametrize("mode", MODES)
def test_tiktoken(mode, tmp_path, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    vocab = trained(**MODES[mode])
    vocab.save_tiktoken(tmp_path / "my.tiktoken")
    ours = wordsplit.load_vocab(tmp_path / "my.tiktoken", pattern="cl100k", special_tokens=vocab.special_tokens)
    ranks = load_tiktoken_bpe(str(tmp_path / "my.tiktoken"))
    theirs = tiktoken.Encoding("my", pat_str=vocab.pattern, mergeable_ranks=ranks, special_tokens=vocab.special_tokens)
    wanted = ids_of(vocab)
    assert ids_of(ours) == wanted
    assert theirs.encode_batch(UNSEEN, allowed_special="all") == wanted


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "qwen2", "o200k", "deepseek_v3", r"\w+|\W", ""])
def test_tokenizer_json(pattern, mode, tmp_path):
    normalizer = {"normalizer": "nfc"} if pattern == "qwen2" else {}
    vocab = trained(pattern, **MODES[mode], **normalizer)
    vocab.save_tokenizer_json(tmp_path / "tokenizer.json")
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    wanted = ids_of(vocab)
    assert ids_of(wordsplit.load_vocab(tmp_path / "tokenizer.json")) == wanted
    assert [encoding.ids for encoding in theirs.encode_batch(UNSEEN, add_special_tokens=False)] == wanted
    assert theirs.get_vocab_size() == len(vocab)


@pytest.mark.parametrize("mode", MODES)
def test_vocab_and_merges(mode, tmp_path):
    vocab = trained("gpt2", **MODES[mode])
    vocab.save_vocab_merges(tmp_path)
    texts = [text for text in UNSEEN if "<|" not in text]
    model = tokenizers.models.BPE.from_file(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    theirs = tokenizers.Tokenizer(model)
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    wanted = ids_of(vocab, texts)
    assert ids_of(wordsplit.load_vocab(tmp_path / "vocab.json"), texts) == wanted
    assert [theirs.encode(text).ids for text in texts] == wanted


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pattern", ["gpt2", "qwen2", "llama3", "o200k"])
def test_gguf(pattern, mode, tmp_path):
    vocab = trained(pattern, **MODES[mode])
    path = tmp_path / "my.gguf"
    vocab.save_gguf(path)
    assert ids_of(wordsplit.load_vocab(path)) == ids_of(vocab)
    fields = gguf.GGUFReader(path).fields
    spelled = fields["tokenizer.ggml.tokens"].contents()
    types = fields["tokenizer.ggml.token_type"].contents()
    assert len(spelled) == vocab.n_vocab
    assert {spelled[i] for i, kind in enumerate(types) if kind == gguf.TokenType.CONTROL} == set(SPECIAL)
    assert len(fields["tokenizer.ggml.merges"].contents()) == len(vocab.merges)


def test_pickled_and_fingerprinted():
    import pickle

    vocab = trained()
    again = pickle.loads(pickle.dumps(vocab))  # noqa: S301 - our own
    assert (again, again.fingerprint, again.merges[:]) == (vocab, vocab.fingerprint, vocab.merges[:])
