"""Patterns as automata: the matches of the library of each dialect, tables that are small and well formed, refusals."""

import itertools
import random
import time

import pytest
from automata import compiled, representatives
from depth import by_depth
from oracles import pattern_oracle, tiktoken_splitter
from random_patterns import CHARS, Generator, SpanGenerator

import wordsplit
from wordsplit.patterns.automaton import compile_pattern
from wordsplit.patterns.limits import NotCompilableError
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.patterns.syntax import parse
from wordsplit.patterns.syntax.tree import Concatenation, Repeat, walk
from wordsplit.patterns.walk import Walker

DIALECTS = ["tokenizers", "tiktoken"]


def texts_for(automaton, rng, count):
    """Short strings of representatives, every one of up to two, and longer ones in which characters repeat."""
    chars = representatives([automaton])
    yield from map("".join, itertools.chain(chars, itertools.product(chars[:6], repeat=2)))
    for _ in range(count):
        some = rng.choices([*chars, *"ab1' \n"], k=3)
        yield "".join(rng.choice(some) * rng.choice((1, 1, 2)) for _ in range(rng.randint(2, 7)))


def compare(pattern, dialect, texts):
    """Compare the matches with the oracle's."""
    walker = Walker(compiled(pattern, dialect))
    if dialect == "tiktoken":
        found = {text: [(a, b) for a, b, is_match in walker.matches(text) if is_match] for text in texts}
        # tiktoken fails for an empty match.
        asked = [text for text, spans in found.items() if all(a < b for a, b in spans)]
        for text, theirs in zip(asked, tiktoken_splitter([pattern])(asked), strict=True):
            assert [text[a:b] for a, b in found[text]] == theirs, (pattern, text)
        return
    oracle = pattern_oracle(pattern, dialect)
    for text in texts:
        pieces = [(text[a:b], (a, b), is_match) for a, b, is_match in walker.matches(text) if a < b]
        ours = [[piece[:2] for piece in pieces if not piece[2]], [piece[:2] for piece in pieces]]
        assert ours == oracle.matches(text), (pattern, ascii(text))


def misread(tree):
    """Whether a pattern has something like ``a+x?a+``, which tiktoken 0.14 finds in the text ``a``."""
    rows = [node.items for node in walk(tree) if isinstance(node, Concatenation)]
    return any(
        isinstance(middle, Repeat) and middle.least == 0 and before == after == Repeat(before.item, 1, None)
        for row in rows
        for before, middle, after in zip(row, row[1:], row[2:], strict=False)
        if isinstance(before, Repeat)
    )


def compared(generator, dialect, count, texts):
    """How many of so many random patterns are compiled, each compared with the oracle."""
    done = 0
    for _ in range(count):
        pattern = generator.pattern()
        try:
            automaton = compiled(pattern, dialect)
        except (wordsplit.UnsupportedVocabError, NotCompilableError):
            continue
        if pattern_oracle(pattern, dialect) is None or (dialect == "tiktoken" and misread(parse(pattern, dialect))):
            continue
        compare(pattern, dialect, list(texts_for(automaton, generator.rng, texts)))
        done += 1
    return done


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("part", range(by_depth(1, 4, 40)))
def test_random_patterns_that_split_text(dialect, part):
    count = by_depth(60, 300, 1000)
    generator = SpanGenerator(random.Random(f"split {dialect} {part}"), dialect)
    assert compared(generator, dialect, count, by_depth(15, 30, 30)) > count / 3


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("part", range(by_depth(1, 4, 40)))
def test_random_patterns_of_any_kind(dialect, part):
    count = by_depth(40, 300, 1000)
    generator = Generator(random.Random(f"any {dialect} {part}"), dialect)
    assert compared(generator, dialect, count, by_depth(15, 30, 30)) > count / 2
