"""Small corpora at random, of the kinds that trainers get wrong: runs, ties, overlaps, characters of many bytes."""

import itertools
import random
from collections import Counter

import regex

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
N_CORPORA = 1000


def letters(alphabet, longest):
    return lambda rng: "".join(rng.choices(alphabet, k=rng.randrange(longest)))


def runs(rng):
    return "".join(rng.choice("ab \n") * rng.choice([1, 2, 3, 4, 5, 7, 8, 30]) for _ in range(rng.randrange(6)))


def words(rng):
    lexicon = ["".join(rng.choices("etaoinshr", k=rng.randint(1, 6))) for _ in range(8)]
    return "".join(rng.choice(["", " ", " ", ", ", "\n", "'s ", " 12"]) + rng.choice(lexicon) for _ in range(30))


KINDS = (
    letters("ab", 30),
    letters("a", 40),
    letters("abc ", 60),
    letters("aA1 !\n\t'", 60),
    letters("abcdefghijklmnopqrstuvwxyz", 40),
    letters(["é", "ß", "你", "好", "🫨", "и", " ", "a", "\u0301"], 30),
    runs,
    words,
)


def corpora(n=N_CORPORA, seed=6):
    """`n` lists of texts, the same each time."""
    rng = random.Random(seed)
    for kind in itertools.islice(itertools.cycle(KINDS), n):
        yield [kind(rng) for _ in range(rng.choice([1, 1, 2, 5]))]


def spans_of(texts, pattern=GPT2):
    """(span, how often) of all texts."""
    return list(Counter(span.encode() for text in texts for span in regex.findall(pattern, text)).items())
