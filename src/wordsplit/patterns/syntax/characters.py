"""Sets of characters: ranges of code points and pinned Unicode classes, and the algebra of both."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from wordsplit.unicode import members
from wordsplit.unicode.case import same_letter, spelled_alike

__all__ = [
    "ANY",
    "LIMIT",
    "NOTHING",
    "CharacterSet",
    "Complement",
    "Intersection",
    "Named",
    "Ranges",
    "Union",
    "chars",
    "complement",
    "contains",
    "flags",
    "folded",
    "intersection",
    "parts",
    "ranges",
    "union",
]

LIMIT = 0x110000
_OTHERS = bytes([1, 0, *range(2, 256)])


@dataclass(frozen=True)
class Ranges:
    """Code points from the first to the last of each range, in order and apart."""

    bounds: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Named:
    """A class of `wordsplit.unicode.members`."""

    name: str


@dataclass(frozen=True)
class Union:
    """The members of any part."""

    parts: tuple[CharacterSet, ...]


@dataclass(frozen=True)
class Intersection:
    """The members of all parts."""

    parts: tuple[CharacterSet, ...]


@dataclass(frozen=True)
class Complement:
    """The complement of the part."""

    part: CharacterSet


CharacterSet = Ranges | Named | Union | Intersection | Complement

NOTHING = Ranges(())
ANY = Ranges(((0, LIMIT - 1),))


def ranges(bounds: Iterable[tuple[int, int]]) -> Ranges:
    """Return ranges in order, joined where they touch."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(bounds):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return Ranges(tuple(joined))


def chars(text: str) -> Ranges:
    """Return the set of the characters of ``text``."""
    return ranges((ord(char), ord(char)) for char in text)


def union(sets: Iterable[CharacterSet]) -> CharacterSet:
    """Return the union; ranges are joined to one part, which comes last."""
    flat = [part for each in sets for part in (each.parts if isinstance(each, Union) else (each,))]
    plain = ranges(bound for part in flat if isinstance(part, Ranges) for bound in part.bounds)
    rest = list(dict.fromkeys(part for part in flat if not isinstance(part, Ranges)))
    if plain == ANY or any(complement(part) in rest for part in rest):
        return ANY
    every = rest if plain == NOTHING and rest else [*rest, plain]
    return every[0] if len(every) == 1 else Union(tuple(every))


def complement(part: CharacterSet) -> CharacterSet:
    """Return the complement."""
    if isinstance(part, Complement):
        return part.part
    if part == NOTHING:
        return ANY
    return NOTHING if part == ANY else Complement(part)


def intersection(sets: Iterable[CharacterSet]) -> CharacterSet:
    """Return the intersection."""
    flat = [part for each in sets for part in (each.parts if isinstance(each, Intersection) else (each,))]
    kept = list(dict.fromkeys(part for part in flat if part != ANY))
    if NOTHING in kept or any(complement(part) in kept for part in kept):
        return NOTHING
    if not kept:
        return ANY
    return kept[0] if len(kept) == 1 else Intersection(tuple(kept))


def parts(members: CharacterSet) -> Iterator[Ranges | Named]:
    """Yield the ranges and classes of a set."""
    if isinstance(members, (Ranges, Named)):
        yield members
    else:
        inner = (members.part,) if isinstance(members, Complement) else members.parts
        for part in inner:
            yield from parts(part)


def flags(members_: CharacterSet) -> bytes:
    """Return one byte per code point, 1 if it belongs to the set."""
    if isinstance(members_, Named):
        return members(members_.name)
    if isinstance(members_, Ranges):
        inside = bytearray(LIMIT)
        for first, last in members_.bounds:
            inside[first : last + 1] = b"\1" * (last + 1 - first)
        return bytes(inside)
    if isinstance(members_, Complement):
        return flags(members_.part).translate(_OTHERS)
    # As integers, because a loop over a million bytes takes 60 ms and one operation on them 0.1 ms.
    found = [int.from_bytes(flags(part), "big") for part in members_.parts]
    joined = reduce(or_ if isinstance(members_, Union) else and_, found)
    return joined.to_bytes(LIMIT, "big")


def contains(members_: CharacterSet, code: int) -> bool:
    """Return whether a code point belongs to a set."""
    if isinstance(members_, Named):
        return bool(members(members_.name)[code])
    if isinstance(members_, Ranges):
        at = bisect_right(members_.bounds, (code, LIMIT))
        return at > 0 and code <= members_.bounds[at - 1][1]
    if isinstance(members_, Complement):
        return not contains(members_.part, code)
    which = any if isinstance(members_, Union) else all
    return which(contains(part, code) for part in members_.parts)


def folded(members_: CharacterSet) -> CharacterSet:
    """Return the set with all characters that differ from a member by case only."""
    if isinstance(members_, Ranges) and all(first == last for first, last in members_.bounds):
        return chars("".join(spelled_alike().get(chr(code), chr(code)) for code, _ in members_.bounds))
    added = [
        char
        for letters in same_letter()
        if any(inside := [contains(members_, ord(char)) for char in letters]) and not all(inside)
        for char, is_in in zip(letters, inside, strict=True)
        if not is_in
    ]
    return union([members_, chars("".join(added))]) if added else members_
