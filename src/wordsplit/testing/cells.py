r"""Cells: sets of characters that a pattern cannot distinguish.

A pattern sees a character only through its sets (``[^\s\p{L}]``), classes (``\p{N}``) and literal characters.
Characters that all of these treat alike form a cell: what holds for a string also holds for the same string
with one of them replaced by another. So a few strings stand for all of Unicode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from wordsplit.patterns.syntax import parse
from wordsplit.patterns.syntax.characters import CharacterSet, Named, Ranges, chars, flags, folded, parts
from wordsplit.patterns.syntax.tree import Characters, walk
from wordsplit.rules import Split

__all__ = ["cells", "representatives"]

_SCALARS = "".join(chr(cp) for cp in range(0x110000) if not 0xD800 <= cp < 0xE000)


def cells(steps: Iterable[Split], literals: str | None = None) -> list[str]:
    r"""Return the cells of a pattern with all its steps, each a string of its characters.

    Args:
        steps: The steps; see `steps_of`.
        literals: Which of the pattern's literal characters to distinguish; all if ``None``. For strings so long that
            not all of them can be tried.

    Example:
        >>> [len(cell) for cell in cells([Split(r"'(?i:s)|\s+")])]
        [1112035, 25, 1, 3]
        >>> ascii(cells([Split(r"'(?i:s)|\s+")])[-1])
        "'Ss\\u017f'"
    """
    bounds, marks = {0, len(_SCALARS)}, []
    for atom in dict.fromkeys(atom for step in steps for atom in _atoms(step, literals)):
        every = flags(atom)
        inside = every[:0xD800] + every[0xE000:]
        bounds.update(edge for match in re.finditer(b"\1+", inside) for edge in match.span())
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


def _atoms(step: Split, literals: str | None) -> Iterator[CharacterSet]:
    """Yield the sets of characters by which a pattern distinguishes them."""
    if step.literal:
        yield from (chars(char) for char in step.pattern if literals is None or char in literals)
        return
    for node in walk(parse(step.pattern, step.dialect)):
        if isinstance(node, Characters):
            members = node.members
            if literals is None or not _is_literal(members) or any(flags(members)[ord(char)] for char in literals):
                yield members
            # The classes within a set one by one as well: authors of scanners distinguish them.
            yield from (part for part in parts(members) if isinstance(part, Named))


def _is_literal(members: CharacterSet) -> bool:
    """Return whether a set is one character, or all cases of one."""
    if not isinstance(members, Ranges) or not members.bounds:
        return False
    one = chars(chr(members.bounds[0][0]))
    return members in (one, folded(one))
