"""The regex spanner on all short strings over one representative of each Unicode cell of a pattern.

A cell is a set of scalars that a pattern cannot tell apart: equal in each of its classes, and no literal of it.
The cells are derived by asking `tokenizers` about every scalar; its own splits are the expected ones, and
those of `tiktoken` where the pattern is of a tiktoken vocab.
"""

import itertools
import re
from functools import cache

import pytest
import tiktoken
from tokenizers import Regex, pre_tokenizers

import wordsplit
from wordsplit.vocabs.schemes import SCHEMES

SCALARS = [cp for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]
# What literals of patterns mean under (?i): the long s is the one that all others forget.
LITERALS = "'sStTdDmMlLvVrReE\u017f\u212a /\r\n"
LONGEST = {"gpt2": 4, "r50k": 4, "cl100k": 4, "qwen2": 4, "llama3": 4, "o200k": 3}


@cache
def member(cls):
    pieces = pre_tokenizers.Split(Regex(cls), "removed").pre_tokenize_str("".join(map(chr, SCALARS)))
    inside = set(SCALARS)
    for _, (begin, end) in pieces:
        inside.difference_update(SCALARS[begin:end])
    return frozenset(inside)


def representatives(pattern):
    classes = sorted({m[0] for m in re.finditer(r"\\p\{\w+\}|\\s", pattern)})
    sets = [member(cls) for cls in classes]
    cells = {}
    for cp in SCALARS:
        cells.setdefault(tuple(cp in s for s in sets), []).append(cp)
    # The newest and the oldest of each cell: Unicode versions part at the newest.
    chosen = {members[at] for members in cells.values() for at in (0, -1)}
    needed = [c for c in LITERALS if c in "'s\u017fl\r\n /"]
    return sorted({chr(cp) for cp in chosen} | set(needed))


def texts(pattern, longest):
    alphabet = representatives(pattern)
    for n in range(1, longest + 1):
        yield from map("".join, itertools.product(alphabet, repeat=n))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_short_strings(scheme):
    steps = SCHEMES[scheme]
    if len(steps) > 1 or steps[0].behavior != "isolated":
        pytest.skip("several steps: told by the splits of tokenizers in tests/conformance")
    pattern = steps[0].pattern
    vocab = wordsplit.Vocab(name=scheme, tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=steps)
    spanner = wordsplit.spanners.get("regex")(vocab)
    theirs = pre_tokenizers.Split(Regex(pattern), "isolated").pre_tokenize_str
    ranks = {bytes([b]): b for b in range(256)}
    count = 0
    for text in texts(pattern, LONGEST.get(scheme, 3)):
        count += 1
        expected = [piece for piece, _ in theirs(text)]
        assert list(spanner.pieces(text)) == expected, ascii(text)
    assert count > 1000
    # tiktoken drops what no branch matches; that nothing is dropped shows that its spans are a tiling, too.
    probe = tiktoken.Encoding("probe", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    joined = "".join(representatives(pattern)) * 3
    assert bytes(probe.encode_ordinary(joined)).decode() == joined
