"""Unicode classes as in the oracles (version 16.0), independent of the versions in Python and `regex`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from operator import mul

from wordsplit.unicode.data import CATEGORIES, CLASS_RUNS, HAN, SPACE, WORD

__all__ = ["JOINERS", "belongs", "class_runs", "members"]

LIMIT = 0x110000
JOINERS = (0x200C, 0x200D)
"""The zero-width joiners: word characters in `tiktoken`, not in `tokenizers`."""

_FLAGS = {"s": SPACE, "Han": HAN, "w": WORD}


def class_runs() -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, class byte) for each run of code points of one class, end exclusive."""
    start = 0
    for i in range(0, len(CLASS_RUNS), 2):
        start += CLASS_RUNS[i]
        end = start + CLASS_RUNS[i + 2] if i + 2 < len(CLASS_RUNS) else LIMIT
        yield start, end, CLASS_RUNS[i + 1]


@cache
def members(name: str) -> bytes:
    r"""Return one byte per code point, 1 if it belongs to the class.

    Args:
        name: A category (``Lu``), a group of them (``L``), a script (``Han``), a property (``Lowercase``), ``s``,
            ``w``, or ``word``, which is ``w`` without the joiners.

    Raises:
        KeyError: There is no class of that name.

    Example:
        >>> members("L")[ord("é")], members("s")[0x85], members("s")[0x1C]
        (1, 1, 0)
    """
    if name == "word":
        word = bytearray(members("w"))
        for joiner in JOINERS:
            word[joiner] = 0
        return bytes(word)
    inside = _inside(name)
    if inside is None:
        return _property_members(name)
    # Not by class_runs(), which takes twice as long.
    sizes = [*CLASS_RUNS[2::2], LIMIT - sum(CLASS_RUNS[::2])]
    return b"".join(map(mul, map(inside.__getitem__, CLASS_RUNS[1::2]), sizes))


def belongs(name: str | tuple[str, ...], point: int) -> bool:
    r"""Return whether a code point belongs to a class; for few of them, since `members` makes a table of all.

    Args:
        name: As of `members`, or several categories.
        point: The code point.

    Raises:
        KeyError: There is no class of that name.

    Example:
        >>> belongs("L", ord("é")), belongs("s", 0x1C)
        (True, False)
    """
    inside = _inside(name)
    if inside is None:
        return bool(members(str(name))[point])
    return inside[CLASS_RUNS[2 * bisect_right(_starts(), point) - 1]] == b"\1"


@cache
def _starts() -> list[int]:
    """Return the first code point of each run of one class."""
    return list(accumulate(CLASS_RUNS[::2]))


@cache
def _inside(name: str | tuple[str, ...]) -> list[bytes] | None:
    """Return for each class byte whether it is in a class, as one byte; ``None`` if class bytes do not say it."""
    flag = _FLAGS.get(name) if isinstance(name, str) else None
    wanted = {i for i, category in enumerate(CATEGORIES) if category.startswith(name)}
    if not flag and not wanted:
        return None
    return [bytes([bool(cls & flag) if flag else (cls & 31) in wanted]) for cls in range(256)]


def _property_members(name: str) -> bytes:
    from wordsplit.unicode.properties import PROPERTIES, SCRIPT_RUNS, SCRIPTS  # noqa: PLC0415 - few patterns need them

    flags, at = bytearray(LIMIT), 0
    if name in PROPERTIES:
        edges = [at := at + distance for distance in PROPERTIES[name]]
        runs = list(zip(edges[::2], edges[1::2], strict=True))
    else:
        script = 1 + {script: i for i, script in enumerate(SCRIPTS)}[name.lower()]
        starts = [*(at := at + distance for distance in SCRIPT_RUNS[::2]), LIMIT]
        runs = [(a, b) for a, b, which in zip(starts, starts[1:], SCRIPT_RUNS[1::2], strict=False) if which == script]
    for start, end in runs:
        flags[start:end] = b"\1" * (end - start)
    return bytes(flags)
