"""Damaged patterns: each has the matches of the oracle, which takes it, too, or is soon refused by a typed error."""

import random
import time

import pytest
from automata import compare, texts_for
from depth import by_depth
from oracles import pattern_oracle
from patterns.published import PUBLISHED
from random_patterns import CHARS, Generator, SpanGenerator

import wordsplit
from wordsplit.patterns.compiled import automaton_of
from wordsplit.patterns.schemes import SCHEMES

STEPS = [step for steps in (*SCHEMES.values(), *PUBLISHED.values()) for step in steps if not step.literal]
LONG = [step.pattern for step in STEPS if len(step.pattern) > 2000]
PATTERNS = sorted({step.pattern for step in STEPS} - set(LONG[by_depth(0, 1, len(LONG)) :]))
# What means something in a pattern, more often than any byte.
PARTS = [
    *"()[]{}|?*+.^$\\-&~,:<>=!#'019abdDhHkKNpPRsSuwWxXzZ \n",
    *("(?", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i)", "(?-", "[^", "[:alpha:]", "&&", "--", "{2}", "{,3}"),
    *("{1,3}", "{2,}", "++", "*?", "??"),
    *(r"\p{L}", r"\P{^Lu}", r"\p{", r"\x{", r"\u", r"\b", r"\B", r"\z", r"\1", r"\k<"),
]


def mutated(pattern, generator):
    """A pattern with a few bytes inserted, deleted or doubled, or the parts of two."""
    rng = generator.rng
    data = pattern.encode()
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        b = min(b, a + rng.choice((1, 1, 2, 5, 20)))
        kind = rng.random()
        if kind < 0.4:
            data = data[:a] + rng.choice((rng.choice(PARTS), rng.choice(CHARS))).encode() + data[a:]
        elif kind < 0.6:
            data = data[:a] + data[b:]
        elif kind < 0.75:
            data = data[:b] + data[a:]
        elif kind < 0.8:
            data = data[:a] + bytes([rng.randrange(256)]) + data[a + 1 :]
        else:
            other = rng.choice((rng.choice(PATTERNS), generator.pattern())).encode()
            start = rng.randrange(len(other) + 1)
            data = data[:a] + other[start : start + rng.choice((2, 10, 40))] + data[b:]
        data = data[:3000]
    return data.decode(errors=rng.choice(("replace", "surrogateescape")))


@pytest.mark.parametrize("dialect", ["tokenizers", "tiktoken"])
@pytest.mark.parametrize("part", range(by_depth(1, 4, 40)))
def test_a_damaged_pattern_matches_as_the_oracle_or_is_refused(dialect, part):
    rng = random.Random(f"damaged {dialect} {part}")
    generators = [kind(rng, dialect) for kind in (Generator, SpanGenerator)]
    compiled = 0
    count = by_depth(50, 150, 2000)
    for _ in range(count):
        generator = rng.choice(generators)
        pattern = mutated(rng.choice((rng.choice(PATTERNS), generator.pattern())), generator)
        start = time.process_time()
        try:
            automaton = automaton_of(wordsplit.Split(pattern, dialect=dialect), "damaged")
        except wordsplit.UnsupportedVocabError:
            continue
        finally:
            assert time.process_time() - start < 10, ascii(pattern)
        assert pattern_oracle(pattern, dialect) is not None, ascii(pattern)
        compare(pattern, dialect, list(texts_for(automaton, rng, by_depth(5, 10, 30))))
        compiled += 1
    assert compiled > count / 5
