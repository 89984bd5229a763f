"""Random patterns, as the core runs them: every short string of each, and random ones, against the library itself."""

import itertools
import random

import pytest
import tiktoken
from automata import compiled, representatives
from depth import by_depth
from oracles import BYTES, pattern_oracle
from random_patterns import Generator, SpanGenerator
from tokenizers import Regex, pre_tokenizers

import wordsplit
from wordsplit.patterns.limits import NotCompilableError
from wordsplit.rules import Split

LENGTH = by_depth(2, 4, 5)
MOST = 7  # characters of which every string is tried; the random strings are of all that a pattern tells apart


class Tokenizers:
    """Whatever is between matches is a piece, too."""

    complete = staticmethod(str)

    def __init__(self, pattern):
        self.split = pre_tokenizers.Split(Regex(pattern), "isolated")

    def sizes(self, texts):
        return [[len(piece) for piece, _ in self.split.pre_tokenize_str(text)] for text in texts]


class Tiktoken:
    """Each match is a token, since every part of the texts is one. It drops what no match covers, so all is covered."""

    def __init__(self, pattern):
        self.pattern = pattern

    @staticmethod
    def complete(pattern):
        return rf"(?:{pattern})|[\s\S]"

    def sizes(self, texts):
        parts = {text[i:j] for text in texts for i, j in itertools.combinations(range(len(text) + 1), 2)}
        several = sorted({part.encode() for part in parts if len(part.encode()) > 1})
        ranks = BYTES | {part: 256 + i for i, part in enumerate(several)}
        size_of = [1] * 256 + [len(part.decode()) for part in several]
        encode = tiktoken.Encoding(
            "sizes", pat_str=self.pattern, mergeable_ranks=ranks, special_tokens={}
        ).encode_ordinary
        return [[size_of[i] for i in encode(text)] for text in texts]


ORACLES = {"tokenizers": Tokenizers, "tiktoken": Tiktoken}


def may_match_nothing(automaton):
    """Whether a match may be empty, for which tiktoken fails."""
    spans = getattr(automaton, "spans", automaton)
    row = spans.classes + 1
    return any(move & 1 for start in spans.starts for move in spans.next[start * row : (start + 1) * row])


def texts_of(automaton, rng):
    """Every short string, then longer random ones."""
    chars = representatives([automaton])
    some = rng.sample(chars, min(MOST, len(chars)))
    for length in range(1, LENGTH + 1):
        yield from map("".join, itertools.product(some, repeat=length))
    for _ in range(by_depth(40, 150, 3000)):
        few = rng.choices(chars, k=3)
        yield "".join(rng.choice(few) for _ in range(rng.randint(LENGTH + 1, 11)))


def compare(pattern, dialect, rng):
    """The number of texts compared; 0 if the pattern is refused, by us or by the library."""
    oracle = ORACLES[dialect]
    pattern = oracle.complete(pattern)
    try:
        automaton = compiled(pattern, dialect)
    except (wordsplit.UnsupportedVocabError, NotCompilableError):
        return 0
    if pattern_oracle(pattern, dialect) is None or (dialect == "tiktoken" and may_match_nothing(automaton)):
        return 0
    vocab = wordsplit.Vocab(name="random", tokens={0: b"a"}, pre_tokenizer=[Split(pattern, dialect=dialect)])
    spanner = wordsplit.spanners.get("compiled")(vocab)
    texts = list(texts_of(automaton, rng))
    for text, sizes in zip(texts, oracle(pattern).sizes(texts), strict=True):
        ends = spanner.ends(text.encode())
        expected = list(itertools.accumulate(sizes))
        if not text.isascii():
            places = [0, *itertools.accumulate(len(char.encode()) for char in text)]
            expected = [places[end] for end in expected]
        assert list(ends) == expected, (pattern, ascii(text))
    return len(texts)


@pytest.mark.parametrize("part", range(by_depth(1, 4, 60)))
@pytest.mark.parametrize("kind", [SpanGenerator, Generator])
@pytest.mark.parametrize("dialect", ORACLES)
def test_random_patterns(dialect, kind, part):
    rng = random.Random(f"{dialect} {kind.__name__} {part}")
    generator = kind(rng, dialect)
    counts = [compare(generator.pattern(), dialect, rng) for _ in range(by_depth(12, 40, 100))]
    assert sum(map(bool, counts)) > len(counts) / 5
