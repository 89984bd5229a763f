"""The regex spanner on all short strings over representatives of each Unicode cell of a pattern.

A cell is a set of scalars that a pattern cannot tell apart (see `wordsplit.testing.cells`). The expected splits are
those of `tokenizers`, and of `tiktoken` where the pattern is of a tiktoken vocab.
"""

import itertools

import pytest
from depth import by_depth
from oracles import step_splitter, tiktoken_splitter, tokenizers_splitter

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.testing import representatives

# What literals of patterns mean under (?i): the long s is the one that all others forget.
LITERALS = "'sStTdDmMlLvVrReE\u017f\u212a /\r\n"


def texts(steps):
    """All strings of up to 2 of two representatives a cell, and of 3 of one; in long runs, of one more."""
    two = sorted({*representatives(steps, 2), *LITERALS})
    one = sorted({*representatives(steps, literals=""), *"'s\u017f\n /"})
    for n in range(1, by_depth(2, 2, 3) + 1):
        yield from map("".join, itertools.product(two, repeat=n))
    yield from map("".join, itertools.product(one, repeat=by_depth(3, 3, 4)))


@pytest.mark.parametrize("scheme", list(SCHEMES)[:: by_depth(3, 1, 1)])
def test_all_short_strings(scheme):
    steps = SCHEMES[scheme]
    patterns = [step.pattern for step in steps]
    tiktoken_reads = any(step.dialect == "tiktoken" for step in steps)
    theirs = tiktoken_splitter(patterns) if tiktoken_reads else step_splitter(steps)
    vocab = wordsplit.Vocab(name=scheme, tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=steps)
    spanner = wordsplit.spanners.get("regex")(vocab)
    count = 0
    every = texts(steps)
    while batch := list(itertools.islice(every, 1000)):
        count += len(batch)
        for text, expected in zip(batch, theirs(batch), strict=True):
            data = text.encode()
            ends = spanner.ends(data)
            spans = [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]
            assert [span.decode() if tiktoken_reads else to_byte_level(span) for span in spans] == expected, ascii(text)
    assert count > 1000


@pytest.mark.parametrize(
    "pattern", ["[a-z&&[^aeiou]]+", "[ab[cd]]+|.", r"[\w&&\p{L}]+", r"[&\[&]+|[a\]&&[^b]]", "[^]a&&[a]]"]
)
def test_sets_within_sets_are_read_as_the_oracle_does(pattern):
    spanner = wordsplit.spanners.get("regex")(
        wordsplit.Vocab(name="sets", tokens={0: b"a"}, pre_tokenizer=[wordsplit.Split(pattern)])
    )
    texts = list(map("".join, itertools.product("abe[]&_", repeat=4)))
    for text, expected in zip(texts, tokenizers_splitter([pattern])(texts), strict=True):
        assert list(spanner.pieces(text)) == expected, text
