"""Small corpora at random: the naive trainer as the judge, in every mode."""

import itertools
import random

import pytest
from depth import by_depth
from training.corpora import GPT2, corpora, spans_of
from training.naive import merged_bytes

from wordsplit.training import BpeTrainer

MODES = list(itertools.product(("ids", "lexicographic"), ("occurrences", "spans")))


def limits():
    """Of frequency and length, other ones for each corpus."""
    rng = random.Random(7)
    while True:
        yield {"min_frequency": rng.choice([1, 1, 2, 5]), "max_token_bytes": rng.choice([None, None, 2, 3, 7])}


@pytest.mark.parametrize(("tie_break", "count"), MODES)
def test_the_merges_are_the_naive_trainers(tie_break, count):
    n_found = 0
    for texts, chosen in zip(corpora(by_depth(150, 1000, 1000)), limits(), strict=False):
        options = {"tie_break": tie_break, "count": count, **chosen}
        trainer = BpeTrainer(300, "gpt2", **options)
        trainer.update(texts).train(progress=False)
        assert trainer.merges == merged_bytes(spans_of(texts), n_merges=44, **options), (texts, options)
        n_found += len(trainer.merges)
    assert n_found > by_depth(900, 10_000, 10_000)


@pytest.mark.parametrize(("tie_break", "count"), MODES)
def test_by_any_pattern(tie_break, count):
    # One without a scanner, so that the spans come from the regex spanner.
    pattern = GPT2.replace("'s|", "'s|'S|")
    for texts in corpora(by_depth(25, 100, 100), seed=8):
        trainer = BpeTrainer(300, pattern, tie_break=tie_break, count=count)
        trainer.update(texts).train(progress=False)
        want = merged_bytes(spans_of(texts, pattern), n_merges=44, tie_break=tie_break, count=count)
        assert trainer.merges == want, texts
