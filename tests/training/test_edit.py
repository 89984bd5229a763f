"""Vocabs extended, pruned, and given special tokens."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from depth import by_depth
from training.naive import train

import wordsplit
from wordsplit import InputTypeError, OptionsError, UnsupportedVocabError, Vocab
from wordsplit.training import BpeTrainer, add_special_tokens, extend, prune

VOCABS = ["qwen3", "cl100k_base", "r50k_base", "o200k_harmony"][:: by_depth(2, 1, 1)]
TEXTS = [f"the zyxomma of wordsplit quonks: {k} Zyxommas ÆØÅ 你好世界你好, 𝔘𝔫𝔦" for k in range(30)]


@pytest.mark.parametrize("name", VOCABS)
def test_extended(name):
    old = wordsplit.load_vocab(name)
    new = extend(old, TEXTS, old.n_vocab + 12)
    assert new.n_vocab == old.n_vocab + 12
    assert all(new.tokens[i] == token for i, token in old.tokens.items())
    assert new.added_tokens == old.added_tokens
    assert (new.eos_token_id, new.has_explicit_merges) == (old.eos_token_id, old.has_explicit_merges)
    before, after = wordsplit.TokenizerOptions().build(old), wordsplit.TokenizerOptions().build(new)
    assert sum(map(len, after.encode_batch(TEXTS))) < sum(map(len, before.encode_batch(TEXTS)))
    assert after.decode_batch(after.encode_batch(TEXTS)) == before.decode_batch(before.encode_batch(TEXTS))
    reference = wordsplit.TokenizerOptions(engine="python", encoder="reference").build(new)
    assert reference.encode_batch(TEXTS[:3]) == after.encode_batch(TEXTS[:3])


@pytest.mark.parametrize("seed", range(40))
def test_extended_as_one_would_by_hand(seed):
    """Spans are encoded, and then merged as the naive trainer would merge those tokens."""
    choose = random.Random(seed)
    first, second = (["".join(choose.choices("ab c", k=choose.randrange(40))) for _ in range(4)] for _ in range(2))
    old = BpeTrainer(262, "gpt2").update(first).train()
    tok = wordsplit.TokenizerOptions().build(old)
    count = choose.choice(["occurrences", "spans"])
    trainer = BpeTrainer.extending(old, 275, count=count).update(second)
    new = trainer.train()
    assert list(new.merges)[: len(old.merges)] == list(old.merges)
    # The naive trainer begins with bytes: here each stands for a token of the old vocab.
    spans = Counter(
        bytes(i - 256 if i > 255 else i for i in tok.encode(span)) for text in second for span in tok.spans(text)
    )
    base = {bytes([i]): 256 + i if i < 6 else i for i in range(256)}
    wanted = train(spans.items(), base=base, n_merges=13, first_new_id=262, count=count)
    assert list(new.merges)[len(old.merges) :] == [(left, right) for left, right, _ in wanted]
    assert [merge.frequency for merge in trainer.merges] == [frequency for _, _, frequency in wanted]


def test_extending_what_was_trained_on_the_same_texts_goes_on():
    """Merges made in two goes are those made in one."""
    whole = BpeTrainer(330).update(TEXTS).train()
    half = BpeTrainer(290).update(TEXTS).train()
    assert extend(half, TEXTS, 330) == whole


def test_counts_for_an_extension_are_saved(tmp_path):
    old = wordsplit.load_vocab("qwen3")
    trainer = BpeTrainer.extending(old, old.n_vocab + 5).update(TEXTS)
    trainer.save_counts(tmp_path / "a.counts")
    again = BpeTrainer.from_counts(tmp_path / "a.counts", extended=old)
    assert again.train() == trainer.train()
    with pytest.raises(OptionsError, match="a different pattern"):
        BpeTrainer.from_counts(tmp_path / "a.counts", extended=wordsplit.load_vocab("cl100k_base"))


def test_extending_is_refused():
    old = wordsplit.load_vocab("qwen3")
    with pytest.raises(OptionsError, match="vocab_size=100000"):
        BpeTrainer.extending(old, 100_000)
    with pytest.raises(OptionsError, match="vocab_size='160000': give a whole number"):
        BpeTrainer.extending(old, "160000")
    lacking = Vocab(name="lacking", tokens={0: b"a", 1: b"b"}, merges=())
    with pytest.raises(UnsupportedVocabError, match="byte 0x00"):
        BpeTrainer.extending(lacking, 300)


@pytest.mark.parametrize(
    "call",
    [
        lambda name: BpeTrainer.extending(name, 60_000),
        lambda name: extend(name, TEXTS, 60_000),
        lambda name: prune(name, 3),
        lambda name: add_special_tokens(name, ["<|a|>"]),
    ],
)
def test_a_name_is_no_vocab(call):
    with pytest.raises(InputTypeError, match=r"give a Vocab, not str; wordsplit.load_vocab\(\) takes names"):
        call("gpt2")


@pytest.mark.parametrize("name", VOCABS)
@pytest.mark.parametrize("n_merges", [0, 1, 5000])
def test_pruned(name, n_merges, tmp_path):
    old = wordsplit.load_vocab(name)
    new = prune(old, n_merges)
    assert new.n_base == 256 + n_merges
    assert len(new.merges) == n_merges
    assert list(new.merges) == list(old.merges)[:n_merges]
    assert [token.content for token in new.added_tokens] == [token.content for token in old.added_tokens]
    assert all(new.tokens[i] == old.tokens[i] for i in new.tokens)
    if old.eos_token_id is not None:
        assert new.token_bytes(new.eos_token_id) == old.token_bytes(old.eos_token_id)
    tok = wordsplit.TokenizerOptions().build(new)
    assert tok.decode_batch(tok.encode_batch(TEXTS)) == TEXTS
    assert prune(new, n_merges) == new


def test_pruning_a_trained_vocab_is_training_a_smaller_one():
    settings = {"special_tokens": ["<|endoftext|>", "<|x|>"]}
    large = BpeTrainer(310, **settings).update(TEXTS).train()
    small = BpeTrainer(280, **settings).update(TEXTS).train()
    assert prune(large, 280 - 258) == small
    first = BpeTrainer(310, compat="tokenizers", **settings).update(TEXTS).train()
    assert prune(first, 22) == BpeTrainer(280, compat="tokenizers", **settings).update(TEXTS).train()


@pytest.mark.parametrize("n_merges", [-1, 200_000, 1.5, np.float64(3), None])
def test_pruning_is_refused(n_merges):
    with pytest.raises(OptionsError, match="151387; give a number"):
        prune(wordsplit.load_vocab("qwen3"), n_merges)


def test_special_tokens():
    old = wordsplit.load_vocab("qwen3")
    new = add_special_tokens(old, ["<|a|>", "<|b|>"])
    assert (new.special_tokens["<|a|>"], new.special_tokens["<|b|>"]) == (old.n_vocab, old.n_vocab + 1)
    tok = wordsplit.TokenizerOptions().build(new)
    assert tok.encode("<|a|>hello") == [old.n_vocab, 14990]
    for literals in (["<|im_end|>"], ["hello"], ["a", "a"], "x"):
        with pytest.raises(OptionsError):
            add_special_tokens(old, literals)
