"""The merges of pieces with scores: the native search gives those of the definition."""

import random

import pytest
from depth import by_depth

from wordsplit.vocabs.formats.sentencepiece.merges import merges_of_scores, merges_of_scores_in_python

LETTERS = ["a", "b", "▁", "é", "\U0001f642"]


def pieces_and_scores(rng):
    """Pieces of a few letters, most of them made of others, with ids in any order and scores that some share."""
    letters = rng.sample(LETTERS, rng.randint(1, 4))
    pieces = dict.fromkeys(letter for letter in letters if rng.random() < 0.9)
    for _ in range(rng.randint(0, 40)):
        pool = [*pieces, letters[0]]
        pieces["".join(rng.choices(pool, k=rng.choice((2, 2, 2, 2, 3, 12))))[:60]] = None
    ids = rng.sample(range(3 * len(pieces) + 1), len(pieces))
    scores = [-float(i) for i in range(len(pieces) if rng.random() < 0.5 else 3)]
    return dict(zip(pieces, ids, strict=True)), {i: rng.choice(scores) for i in ids}


def test_random_pieces():
    pytest.importorskip("wordsplit._native")
    seen = set()
    for seed in range(by_depth(600, 5_000, 200_000)):
        parts, scores = pieces_and_scores(random.Random(seed))
        merges, ranks = merges_of_scores(parts, scores)
        want, wanted_ranks = merges_of_scores_in_python(parts, scores)
        assert (list(merges), ranks) == (list(want), wanted_ranks), (seed, parts, scores)
        seen.add((len(want) > 0, ranks is None))
    assert seen == {(False, True), (True, True), (True, False)}


def test_a_long_piece_is_looked_up_only_where_it_can_be_divided():
    """A piece of 2 MB would take minutes otherwise."""
    pytest.importorskip("wordsplit._native")
    long = "a" * (2 << 20)
    merges, ranks = merges_of_scores({"a": 0, long: 1, long[1:]: 2}, {0: 0.0, 1: 0.0, 2: -1.0})
    assert (list(merges), ranks) == ([(2, 0), (0, 2)], None)
