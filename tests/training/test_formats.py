"""A trained vocab in every format: loaded again by us and by the others' engines, it gives the same ids."""

import random

import gguf
import pytest
import tiktoken
import tiktoken.load
import tokenizers
from generated import BROKE_OTHERS, from_tokens, from_unicode
from tokenizers import models, pre_tokenizers

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.training import BpeTrainer
from wordsplit.vocabs.schemes import scheme_of

EOT = "<|endoftext|>"
CORPUS = [text[:60] for text in BROKE_OTHERS] * 2 + ["the cat sat on the mat, and the dog's not amused 123\n"] * 50
SETTINGS = {
    "plain": {"pattern": "qwen2"},
    "specials": {"pattern": "qwen2", "special_tokens": [EOT, "<pad>"]},
    "cl100k": {"pattern": "cl100k", "special_tokens": [EOT]},
    "o200k": {"pattern": "o200k", "max_token_bytes": 5},
    "nfc": {"pattern": "qwen2", "normalizer": "nfc", "special_tokens": [EOT]},
    "textbook": {"pattern": "gpt2", "tie_break": "lexicographic", "count": "spans"},
    "compat": {"pattern": "gpt2", "compat": "tokenizers", "special_tokens": [EOT, "<pad>"]},
}


@pytest.fixture(scope="module", params=SETTINGS)
def vocab(request):
    return BpeTrainer(700, **SETTINGS[request.param]).update(CORPUS).train(progress=False)


@pytest.fixture(scope="module")
def texts(vocab):
    """Texts, some with special tokens in them; none with a lone surrogate."""
    rng = random.Random(3)
    tokens = [vocab.tokens[i] for i in vocab.tokens]
    made = [from_tokens(rng, tokens) for _ in range(300)] + [from_unicode(rng) for _ in range(100)]
    return ["", f"a{EOT}b <pad>", *(text[:500] for text in BROKE_OTHERS), *made]


def ids_of(vocab, texts, **options):
    tok = wordsplit.TokenizerOptions(**options).build(vocab)
    return [tok.encode(text) for text in texts]


@pytest.fixture(scope="module")
def ids(vocab, texts):
    return ids_of(vocab, texts, engine="python", encoder="reference", spanner="regex")


@pytest.mark.parametrize("encoder", ["auto", *wordsplit.list_encoders()])
def test_every_engine(vocab, texts, ids, engine, encoder):
    try:
        found = ids_of(vocab, texts, engine=engine, encoder=encoder)
    except wordsplit.UnsupportedVocabError as error:
        assert encoder == "backtracking", error
        return
    assert found == ids


def test_texts_come_back(vocab, texts, ids):
    tok = wordsplit.TokenizerOptions().build(vocab)
    if vocab.normalizer is None:
        assert [tok.decode(each) for each in ids] == texts


def test_tokenizer_json(vocab, texts, ids, tmp_path):
    vocab.save_tokenizer_json(tmp_path / "tokenizer.json")
    loaded = wordsplit.load_vocab(tmp_path / "tokenizer.json")
    assert (loaded.tokens, loaded.special_tokens) == (vocab.tokens, vocab.special_tokens)
    assert ids_of(loaded, texts) == ids
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert [theirs.encode(text).ids for text in texts] == ids


def test_tiktoken(vocab, texts, ids, tmp_path):
    vocab.save_tiktoken(tmp_path / "x.tiktoken")
    if vocab.normalizer:  # which the format does not hold
        return
    rules = {"pattern": vocab.pattern, "special_tokens": vocab.special_tokens}
    assert ids_of(wordsplit.load_vocab(tmp_path / "x.tiktoken", **rules), texts) == ids
    ranks = tiktoken.load.load_tiktoken_bpe(str(tmp_path / "x.tiktoken"))
    engine = tiktoken.Encoding("x", pat_str=vocab.pattern, mergeable_ranks=ranks, special_tokens=vocab.special_tokens)
    assert [engine.encode(text, allowed_special="all") for text in texts] == ids


def test_vocab_and_merges(vocab, texts, ids, tmp_path):
    vocab.save_vocab_merges(tmp_path)
    if vocab.normalizer:  # as above
        return
    plain = [(text, each) for text, each in zip(texts, ids, strict=True) if EOT not in text]
    loaded = wordsplit.load_vocab(tmp_path / "vocab.json", pattern=scheme_of(vocab.pre_tokenizer))
    assert ids_of(loaded, [text for text, _ in plain]) == [each for _, each in plain]
    if scheme_of(vocab.pre_tokenizer) == "gpt2":
        theirs = tokenizers.Tokenizer(models.BPE.from_file(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")))
        theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        assert [theirs.encode(text).ids for text, _ in plain] == [each for _, each in plain]


def test_gguf(vocab, texts, ids, tmp_path):
    path = tmp_path / "x.gguf"
    try:
        vocab.save_gguf(path)
    except wordsplit.UnsupportedVocabError as error:
        assert vocab.normalizer or "llama.cpp has no name" in str(error)
        return
    assert ids_of(wordsplit.load_vocab(path), texts) == ids
    fields = gguf.GGUFReader(path).fields
    named = {i: to_byte_level(token) for i, token in vocab.tokens.items()}
    named |= {i: literal for literal, i in vocab.special_tokens.items()}
    spelled = [named[i] for i in range(vocab.n_vocab)]
    assert fields["tokenizer.ggml.tokens"].contents() == spelled
    merges = [f"{spelled[left]} {spelled[right]}" for left, right in vocab.merges]
    assert fields["tokenizer.ggml.merges"].contents() == merges
