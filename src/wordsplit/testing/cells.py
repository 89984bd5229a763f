r"""Cells: sets of characters that a pattern cannot distinguish.

A pattern sees a character only through its sets (``[^\s\p{L}]``), classes (``\p{N}``) and literal characters.
Characters that all of these treat alike form a cell: what holds for a string also holds for the same string
with one of them replaced by another. So a few strings stand for all of Unicode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import regex

from wordsplit.patterns.steps import flags_of
from wordsplit.patterns.substitutes import classes_in, with_substitutes
from wordsplit.rules import Split

__all__ = ["cells", "representatives"]

_CLASS = r"\\[pP](?:\{\^?\w+\}|\w)|\\[dDsSwW]"
_TOKEN = re.compile(
    rf"(?P<set>\[\^?\]?(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\]\\])*\]|{_CLASS}|\.)"
    r"""
      | (?P<group>\((?:\?[<!=>]+|\?(?P<on>\w*)(?:-(?P<off>\w+))?(?P<inline>[:)])|\?P<\w+>)?)
      | (?P<end>\))
      | (?P<other>[|*+?^$]|\{\d*,?\d*\}|\\[bBAzZG])
      | (?P<char>\\u\w{4}|\\x\w\w|\\x\{\w+\}|\\.|.)""",
    re.DOTALL | re.VERBOSE,
)
_SCALARS = "".join(chr(cp) for cp in range(0x110000) if not 0xD800 <= cp < 0xE000)


def cells(steps: Iterable[Split], literals: str | None = None) -> list[str]:
    r"""Return the cells of a pattern with all its steps, each a string of its characters.

    Args:
        steps: The steps; see `steps_of`. One level of nested sets is supported.
        literals: Which of the pattern's literal characters to distinguish; all if ``None``. For strings so long that
            not all of them can be tried.

    Example:
        >>> [len(cell) for cell in cells([Split(r"'(?i:s)|\s+")])]
        [1112035, 25, 1, 3]
        >>> ascii(cells([Split(r"'(?i:s)|\s+")])[-1])
        "'Ss\\u017f'"
    """
    steps = list(steps)
    seen = with_substitutes(_SCALARS, frozenset(name for step in steps for name in classes_in(step)))
    bounds, marks = {0, len(seen)}, []
    for atom, flags in sorted({atom for step in steps for atom in _atoms(step, literals)}):
        inside = bytearray(len(seen))
        for match in regex.finditer(f"(?:{atom})+", seen, flags=flags):
            start, end = match.span()
            inside[start:end] = b"\1" * (end - start)
            bounds |= {start, end}
        marks.append(inside)
    found: dict[bytes, list[str]] = {}
    ordered = sorted(bounds)
    for start, end in pairwise(ordered):
        found.setdefault(bytes(inside[start] for inside in marks), []).append(_SCALARS[start:end])
    return sorted("".join(parts) for parts in found.values())


def representatives(steps: Iterable[Split], per_cell: int = 1, literals: str | None = None) -> list[str]:
    r"""Return characters of each cell: the last code point, then the first, then some in between at even distances.

    Example:
        >>> representatives([Split(r"[0-9]|[^0-9]")], per_cell=2)
        ['\x00', '0', '9', '\U0010ffff']
    """
    chosen = set()
    for cell in cells(steps, literals):
        last = len(cell) - 1
        chosen |= {cell[last - last * i // max(per_cell - 1, 1)] for i in range(per_cell)}
    return sorted(chosen)


def _atoms(step: Split, literals: str | None) -> Iterator[tuple[str, int]]:
    """Yield the parts of a pattern that match one character, and their flags for case."""
    if step.literal:
        yield from ((regex.escape(char), 0) for char in step.pattern if literals is None or char in literals)
        return
    base = flags_of(step)
    flags: Sequence[int] = [0]
    for token in _TOKEN.finditer(step.pattern):
        if token["group"]:
            flags = _within(list(flags), token)
        elif token["end"]:
            flags = flags[:-1]
        elif token["set"]:
            # The classes within it one by one as well: authors of scanners distinguish them.
            yield from ((part, base | flags[-1]) for part in (token["set"], *re.findall(_CLASS, token["set"])))
        elif token["char"] and (literals is None or any(regex.fullmatch(token["char"], char) for char in literals)):
            yield (token["char"] if len(token["char"]) > 1 else regex.escape(token["char"])), base | flags[-1]


def _within(flags: list[int], group: re.Match[str]) -> list[int]:
    """Update the flags of the enclosing groups at the beginning of a group."""
    flag = flags[-1]
    if "i" in (group["on"] or ""):
        flag = int(regex.IGNORECASE)
    if "i" in (group["off"] or ""):
        flag = 0
    return [*flags[:-1], flag] if group["inline"] == ")" else [*flags, flag]
