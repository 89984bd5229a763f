"""The regex spanner on all short strings over one representative of each Unicode cell of a pattern.

A cell is a set of scalars that a pattern cannot tell apart: equal in each of its classes, and no literal of it.
The cells are derived by asking `tokenizers` about every scalar; its own splits are the expected ones, and
those of `tiktoken` where the pattern is of a tiktoken vocab.
"""

import itertools
import re
from functools import cache

import pytest
from oracles import tiktoken_splitter, tokenizers_splitter
from tokenizers import Regex, pre_tokenizers

import wordsplit
from wordsplit.vocabs.schemes import SCHEMES

SCALARS = [cp for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]
# What literals of patterns mean under (?i): the long s is the one that all others forget.
LITERALS = "'sStTdDmMlLvVrReE\u017f\u212a /\r\n"


@cache
def member(cls):
    pieces = pre_tokenizers.Split(Regex(cls), "removed").pre_tokenize_str("".join(map(chr, SCALARS)))
    inside = set(SCALARS)
    for _, (begin, end) in pieces:
        inside.difference_update(SCALARS[begin:end])
    return frozenset(inside)


def representatives(pattern, per_cell):
    classes = sorted({m[0] for m in re.finditer(r"\\p\{\w+\}|\\s", pattern)})
    sets = [member(cls) for cls in classes]
    cells = {}
    for cp in SCALARS:
        cells.setdefault(tuple(cp in s for s in sets), []).append(cp)
    # The newest of each cell, where Unicode versions part, and the oldest.
    chosen = {chr(members[at]) for members in cells.values() for at in (-1, 0)[:per_cell]}
    return sorted(chosen | {c for c in LITERALS if per_cell == 2 or c in "'s\u017f\n /"})


def texts(pattern):
    """All strings of up to 3 of two representatives a cell, and of 4 of one."""
    for n in range(1, 4):
        yield from map("".join, itertools.product(representatives(pattern, 2), repeat=n))
    yield from map("".join, itertools.product(representatives(pattern, 1), repeat=4))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_short_strings(scheme):
    steps = SCHEMES[scheme]
    patterns = [step.pattern for step in steps]
    tiktoken_reads = any(step.dialect == "tiktoken" for step in steps)
    theirs = tiktoken_splitter(patterns) if tiktoken_reads else tokenizers_splitter(patterns)
    vocab = wordsplit.Vocab(name=scheme, tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=steps)
    spanner = wordsplit.spanners.get("regex")(vocab)
    count = 0
    every = texts("".join(patterns))
    while batch := list(itertools.islice(every, 1000)):
        count += len(batch)
        for text, expected in zip(batch, theirs(batch), strict=True):
            assert list(spanner.pieces(text)) == expected, ascii(text)
    assert count > 1000
