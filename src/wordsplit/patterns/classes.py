"""Character classes: those that no set of a pattern tells apart."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import and_, or_
from typing import Protocol

from wordsplit.patterns.limits import NotCompilableError
from wordsplit.patterns.syntax.characters import (
    LIMIT,
    CharacterSet,
    Complement,
    Intersection,
    Named,
    Ranges,
    Union,
    parts,
)
from wordsplit.unicode import members

__all__ = ["Alphabet", "Classes"]

_MAX_SETS = 2048
_MAX_EDGES = 200_000
_MAX_CLASSES = 1024  # before those are merged that the automaton treats alike


class Alphabet(Protocol):
    """The character classes that a pattern tells apart, numbered from 0."""

    count: int
    """The number of classes."""

    def mask(self, members_: CharacterSet) -> int:
        """Return which of them a set takes, as bits."""


class Classes:
    """The classes of some sets of characters, numbered by their first members.

    Args:
        sets: The sets.

    Attributes:
        first: The first code point of each range of code points of one class, ascending.
        label: The class of each range.
        count: How many classes there are.

    Raises:
        NotCompilableError: There are too many of them.
    """

    def __init__(self, sets: Iterable[CharacterSet]) -> None:
        distinct = list(dict.fromkeys(sets))
        atoms = list(dict.fromkeys(part for each in distinct for part in parts(each)))
        if len(atoms) > _MAX_SETS:
            raise NotCompilableError(f"more than {_MAX_SETS} different sets of characters")
        first, labels, signatures = _sweep(atoms)
        masks = _Masks(atoms, signatures)
        inside = [masks.of(each) for each in distinct]
        # What differs for parts of sets only is one class.
        found: dict[int, int] = {}
        class_of: list[int] = []
        for at in range(len(signatures)):
            key = sum((mask >> at & 1) << i for i, mask in enumerate(inside))
            class_of.append(found.setdefault(key, len(found)))
        self.count: int = len(found)
        if self.count > _MAX_CLASSES:
            raise NotCompilableError(f"more than {_MAX_CLASSES} character classes")
        self.first: array[int] = array("I")
        self.label: array[int] = array("H")
        for start, at in zip(first, labels, strict=True):
            number = class_of[at]
            if not self.label or self.label[-1] != number:
                self.first.append(start)
                self.label.append(number)
        self._members = {each: _gathered(mask, class_of) for each, mask in zip(distinct, inside, strict=True)}

    def mask(self, members_: CharacterSet) -> int:
        """Return the classes of a set, as bits."""
        return self._members[members_]


def _gathered(mask: int, class_of: list[int]) -> int:
    out = 0
    for at, number in enumerate(class_of):
        if mask >> at & 1:
            out |= 1 << number
    return out


def _sweep(atoms: list[Ranges | Named]) -> tuple[list[int], list[int], list[int]]:
    """Return ranges of code points, the number of the signature of each, and the signatures: atoms as bits."""
    toggles: dict[int, int] = {0: 0}
    edges = 0
    for at, atom in enumerate(atoms):
        bounds = atom.bounds if isinstance(atom, Ranges) else _bounds(atom.name)
        edges += len(bounds)
        if edges > _MAX_EDGES:
            raise NotCompilableError(f"sets of more than {_MAX_EDGES} ranges")
        bit = 1 << at
        for start, last in bounds:
            toggles[start] = toggles.get(start, 0) ^ bit
            toggles[last + 1] = toggles.get(last + 1, 0) ^ bit
    toggles.pop(LIMIT, None)
    first, labels = sorted(toggles), []
    found: dict[int, int] = {}
    signature = 0
    for start in first:
        signature ^= toggles[start]
        labels.append(found.setdefault(signature, len(found)))
    return first, labels, list(found)


@lru_cache(maxsize=128)
def _bounds(name: str) -> tuple[tuple[int, int], ...]:
    flags = members(name)
    out = []
    start = flags.find(1)
    while start >= 0:
        end = flags.find(0, start)
        end = end if end >= 0 else LIMIT
        out.append((start, end - 1))
        start = flags.find(1, end)
    return tuple(out)


class _Masks:
    """Sets as bits: the signatures whose characters are members."""

    def __init__(self, atoms: list[Ranges | Named], signatures: list[int]) -> None:
        self._every = (1 << len(signatures)) - 1
        self._found: dict[CharacterSet, int] = dict.fromkeys(atoms, 0)
        for at, signature in enumerate(signatures):
            left = signature
            while left:
                lowest = left & -left
                self._found[atoms[lowest.bit_length() - 1]] |= 1 << at
                left ^= lowest

    def of(self, members_: CharacterSet) -> int:
        known = self._found.get(members_)
        if known is None:
            known = self._found[members_] = self._combined(members_)
        return known

    def _combined(self, members_: CharacterSet) -> int:
        if isinstance(members_, Complement):
            return self._every ^ self.of(members_.part)
        if isinstance(members_, Union):
            return reduce(or_, map(self.of, members_.parts))
        if isinstance(members_, Intersection):
            return reduce(and_, map(self.of, members_.parts))
        return self._found[members_]
