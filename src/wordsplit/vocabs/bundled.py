"""Unpack the vocabularies that ship inside the package.

A file of ``data/`` holds only the single bytes as tokens. Each further token is the merge of two earlier ones, so
(left, right) of each, in order of rank, gives both the tokens and the merge list. It also compresses
better than the tokens: Qwen3 takes 0.53 MB, and its tokens, compressed in the same way, 0.69.

Layout, after zlib: 256 bytes, the byte of each of the first 256 tokens; then for the other n tokens the low bytes of
all left indices, the middle bytes, the high bytes; and the same for the right indices. An index counts tokens, and is
the id unless the catalog entry lists holes.

Made from the official files by ``tools/build_bundled.py``, which checks the merges against them.
"""

from __future__ import annotations

import pkgutil
import zlib
from array import array
from collections.abc import Sequence
from itertools import accumulate

from wordsplit.vocab import MergeList, TokenTable

__all__ = ["pack", "read_data", "unpack"]


def read_data(name: str) -> bytes:
    """Read a file of ``data/``."""
    data = pkgutil.get_data("wordsplit.vocabs", f"data/{name}")  # also works from a zip file
    assert data is not None  # noqa: S101 - None only from loaders without get_data, which cannot import this package
    return data


def unpack(packed: bytes, holes: Sequence[int] = ()) -> tuple[TokenTable, MergeList]:
    """Return the tokens and merges of a bundled file."""
    data = zlib.decompress(packed)
    try:
        from wordsplit._native import unpack_bundled  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        blob, ends, flat = unpack_in_python(data)
    else:
        blob, end_words, flat_words = unpack_bundled(data)
        ends, flat = array("I", end_words), array("I", flat_words)
    ids = array("I", range(len(ends)))
    for hole in holes:
        for at in range(hole, len(ids)):
            ids[at] += 1
    if holes:
        flat = array("I", map(ids.__getitem__, flat))
    return TokenTable(blob, ends, ids), MergeList(flat)


def unpack_in_python(data: bytes) -> tuple[bytes, array[int], array[int]]:
    """Return blob, ends and flat merges. The native module takes a tenth of the time."""
    n = (len(data) - 256) // 6
    left, right = _indices(data, 256, n), _indices(data, 256 + 3 * n, n)
    tokens = [data[i : i + 1] for i in range(256)]
    for i, j in zip(left, right, strict=True):
        tokens.append(tokens[i] + tokens[j])
    flat = array("I", bytes(8 * n))
    flat[0::2], flat[1::2] = left, right
    return b"".join(tokens), array("I", accumulate(map(len, tokens))), flat


def _indices(data: bytes, start: int, n: int) -> array[int]:
    words = bytearray(4 * n)
    for plane in range(3):
        words[plane::4] = data[start + plane * n : start + (plane + 1) * n]
    out = array("I", bytes(words))
    if array("I", [1]).tobytes()[0] != 1:
        out.byteswap()
    return out


def pack(single_bytes: bytes, merges: Sequence[tuple[int, int]]) -> bytes:
    """Make the content of a bundled file, which `unpack` reads."""
    planes = [bytes(pair[side] >> shift & 255 for pair in merges) for side in (0, 1) for shift in (0, 8, 16)]
    return zlib.compress(single_bytes + b"".join(planes), 9)
