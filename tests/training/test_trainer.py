"""What a training depends on, and what it refuses."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

import wordsplit
from wordsplit import InputTypeError, OptionsError, Split, UnknownNameError, UnsupportedVocabError, WordsplitError
from wordsplit.training import BpeTrainer, Counting, Merging

TEXTBOOK = ["A sentence", "A 69 number", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 OK.", "Tabs\tand newlines\nare also tokens."]
TEXTS = [
    f"{word} {word}s, {at} of the {word}ing\n\n  and é{at}"
    for at, word in enumerate(["abc", "abd", "xyz", "wor", "split"] * 9)
]


def test_textbook():
    trainer = BpeTrainer(320, "qwen2", normalizer="nfc", tie_break="lexicographic", count="spans")
    vocab = trainer.update(TEXTBOOK).train()
    assert vocab.n_vocab == 320
    assert [vocab.token_id(token) for token in ("\n", " ", " also", " number")] == [10, 32, 315, 319]
    for encoder in ("buffer_sweep", "heap_merge", "backtracking", "tail_sweep", "priority_merge"):
        tok = wordsplit.TokenizerOptions(encoder=encoder).build(vocab)
        assert tok.encode("A sentence with a number") == [65, 316, 32, 119, 105, 116, 104, 32, 97, 319]


@pytest.mark.parametrize("pattern", ["qwen2", "gpt2", "deepseek_v3", r"\w+|\W+", ""])
def test_order_and_spreading_do_not_matter(pattern, tmp_path):
    def trained(texts, calls, threads):
        trainer = BpeTrainer(420, pattern, normalizer="nfc", threads=threads, special_tokens=["<|x|>"])
        for at in range(calls):
            trainer.update(texts[at::calls])
        return trainer.train(), trainer.merges

    texts = [*TEXTS, "e\u0301tude " * 40, "<|x|>abc<|x|>"]
    vocab, merges = trained(texts, 1, 1)
    vocab.save_tokenizer_json(tmp_path / "one.json")
    for seed in range(4):
        mixed = random.Random(seed).sample(texts, len(texts))
        other, other_merges = trained(mixed, 1 + seed, 1 + seed)
        assert (other, other_merges) == (vocab, merges)
        other.save_tokenizer_json(tmp_path / "other.json")
        assert (tmp_path / "other.json").read_bytes() == (tmp_path / "one.json").read_bytes()


@pytest.mark.parametrize("scheme", ["qwen2", "gpt2", "o200k", "deepseek_v3"])
def test_a_long_text_in_parts(scheme):
    """A text is cut for the threads where that changes nothing: as many spans as when it is not."""
    text = "".join(
        random.Random(7).choices(["a b", "\n\n", " it's", "12345", "é", "你好。", "\t x", "!!", "  "], k=400_000)
    )
    trainer = BpeTrainer(300, scheme).update([text])
    whole = BpeTrainer(300, scheme)
    whole._counts.add([text], 1)
    assert trainer._counts.cuts.known
    assert len(list(trainer._counts.parts(text))) > 2
    assert (trainer.n_spans, trainer.n_distinct, trainer.n_texts) == (whole.n_spans, whole.n_distinct, 1)
    assert (trainer.train(), trainer.merges) == (whole.train(), whole.merges)


@pytest.mark.parametrize("pattern", ["qwen2", "cl100k", "o200k", "deepseek_v3"])
def test_spans_are_those_of_the_regular_expression(pattern):
    """Scanners and automata count what the regex spanner does, to which patterns with a back reference go."""
    steps = wordsplit.patterns.schemes.SCHEMES[pattern]
    others = [
        [*steps[:-1], Split(spelled.format(steps[-1].pattern), dialect=steps[-1].dialect)]
        for spelled in ("(?:{})", "(?:{})|(?!)(x)\\1")
    ]
    texts = [*TEXTS, "naïve\u0301 \ud83d\ude00 12345", b"\xff\xfe bytes"]
    trainers = [BpeTrainer(400, each).update(texts) for each in (pattern, *others)]
    a, *_, slow = trainers
    assert [each._counts._finder is None for each in trainers] == [False, False, True]
    for b in (trainers[1], slow):
        assert (a.n_spans, a.n_distinct, a.n_bytes) == (b.n_spans, b.n_distinct, b.n_bytes)
    for each in trainers:
        each.train()
    assert a.merges == trainers[1].merges == slow.merges


def test_special_tokens_cut_texts_and_are_not_counted():
    trainer = BpeTrainer(300, special_tokens=["<|end|>", "<|e"]).update(["ab<|end|>ab<|end|>", b"ab<|e"])
    vocab = trainer.train()
    assert trainer.n_spans == 3
    assert [merge[:2] for merge in trainer.merges] == [(b"a", b"b")]
    assert vocab.special_tokens == {"<|end|>": 257, "<|e": 258}


def test_a_merge_never_spells_a_special_token():
    vocab = BpeTrainer(300, special_tokens=["abc"]).update(["ab c", "xabd", "abd"] * 3).train()
    plain = BpeTrainer(300, compat="tokenizers", special_tokens=["abc"]).update(["abc", "abcd"] * 3).train()
    assert b"abc" not in vocab.ids_by_bytes
    assert b"abc" not in plain.ids_by_bytes


def test_end_of_text_is_the_end_of_sequence():
    vocab = BpeTrainer(300, special_tokens=["<|pad|>", "<|endoftext|>"]).update(["ab ab"]).train()
    assert vocab.eos_token_id == vocab.special_tokens["<|endoftext|>"]


def test_lone_surrogates_and_bytes():
    trainer = BpeTrainer(300).update(["\ud800a", b"\xed\xa0\x80a"])
    assert trainer.n_spans == 3  # U+FFFD and a letter; three bytes of no character, and a letter
    assert BpeTrainer(300).update(["\ud800a"]).n_bytes == 4  # U+FFFD in its place


def test_nothing_to_count():
    for texts in ([], [""], ["", ""]):
        trainer = BpeTrainer(300).update(texts)
        assert trainer.train().n_vocab == 256
        assert (trainer.merges, trainer.n_texts, trainer.n_spans) == ([], len(texts), 0)


def test_min_frequency_and_max_token_bytes():
    trainer = BpeTrainer(400, min_frequency=3, max_token_bytes=4).update(TEXTS)
    trainer.train()
    assert trainer.merges
    assert min(merge.frequency for merge in trainer.merges) >= 3
    assert max(len(merge.left + merge.right) for merge in trainer.merges) == 4


def test_events():
    seen: list[object] = []
    trainer = BpeTrainer(290).update(TEXTS, progress=seen.append)
    trainer.train(progress=seen.append)
    assert isinstance(seen[0], Counting)
    assert isinstance(seen[-1], Merging)
    assert (seen[0].n_spans, seen[0].n_bytes) == (trainer.n_spans, trainer.n_bytes)
    assert (seen[-1].done, seen[-1].total) == (34, 34)
    assert seen[-1].token == b"".join(trainer.merges[-1][:2])
    assert all(str(event) for event in seen)


def test_training_again_with_more_texts():
    trainer = BpeTrainer(300).update(TEXTS[:10])
    first = trainer.train()
    assert trainer.train() == first
    assert trainer.update(TEXTS[10:]).train() == BpeTrainer(300).update(TEXTS).train()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"vocab_size": 255}, "256 or more"),
        ({"vocab_size": 256, "special_tokens": ["a"]}, "257 or more"),
        ({"vocab_size": 300.0}, "whole number"),
        ({"tie_break": "random"}, "'ids', 'lexicographic'"),
        ({"count": "all"}, "'occurrences', 'spans'"),
        ({"compat": "sentencepiece"}, "'tokenizers'"),
        ({"compat": "tokenizers", "count": "spans"}, "goes with"),
        ({"min_frequency": -1}, "0 or more"),
        ({"max_token_bytes": 0}, "1 or more"),
        ({"threads": 0}, "1 or more"),
        ({"memory_limit": 1000}, "16777216 or more"),
        ({"special_tokens": "<|x|>"}, "give a list"),
        ({"special_tokens": ["a", "a"]}, "occurs twice"),
        ({"special_tokens": [""]}, "not empty"),
        ({"special_tokens": ["\ud800"]}, "valid Unicode"),
        ({"pattern": 7}, "scheme's name"),
        ({"normalizer": 7}, "'nfc', None, or Normalize steps"),
        ({"normalizer": ["nfc"]}, "'nfc', None, or Normalize steps"),
        ({"min_frequency": 1 << 63}, "below 2"),
        ({"name": 7}, "give a string"),
    ],
)
def test_refused_arguments(arguments, says):
    with pytest.raises(OptionsError, match=says):
        BpeTrainer(**({"vocab_size": 300} | arguments))


def test_numbers_of_numpy(tmp_path):
    trainer = BpeTrainer(np.int64(300), min_frequency=np.uint8(2), threads=np.int32(1)).update(TEXTS)
    trainer.save_counts(tmp_path / "counts")
    want = BpeTrainer(300, min_frequency=2).update(TEXTS).train()
    assert trainer.train() == BpeTrainer.from_counts(tmp_path / "counts").train() == want


def test_paths_of_counts():
    for call in (BpeTrainer.from_counts, BpeTrainer(300).save_counts):
        with pytest.raises(InputTypeError, match="a file of counts is named by a str"):
            call(5)


def test_refused_pattern():
    with pytest.raises(UnsupportedVocabError, match="a group without"):
        BpeTrainer(300, pattern="(")


def test_a_wrong_name_is_no_pattern():
    with pytest.raises(UnknownNameError, match="cl100k"):
        BpeTrainer(300, pattern="cl100kk")


def test_without_the_native_core(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordsplit._native", None)
    with pytest.raises(WordsplitError, match="native module cannot be imported"):
        BpeTrainer(300)


@pytest.mark.parametrize("texts", ["one text", b"one text"])
def test_one_text_for_many(texts):
    with pytest.raises(InputTypeError, match="single text into a list"):
        BpeTrainer(300).update(texts)


def test_what_is_no_text():
    with pytest.raises(InputTypeError, match="int"):
        BpeTrainer(300).update([1])
