"""Substitutes for characters whose Unicode class differs between `regex` and the oracles."""

from __future__ import annotations

import functools
import re
import sys
from array import array
from collections.abc import Iterable
from typing import NamedTuple

import regex

from wordsplit.patterns.syntax import parse
from wordsplit.patterns.syntax.characters import ANY, LIMIT, NOTHING, Named, Ranges, flags, parts, ranges
from wordsplit.patterns.syntax.tree import BackReference, Characters, Node, walk
from wordsplit.unicode import members
from wordsplit.vocab import Split

__all__ = ["Difference", "classes_in", "difference", "literals_in", "spelling", "substitutes", "with_substitutes"]


class Difference(NamedTuple):
    """How the members of a class differ from what the `regex` package takes for them, where nothing is substituted."""

    missing: Ranges
    extra: Ranges


def spelling(name: str) -> str:
    """Return a class of `wordsplit.unicode.members` as the `regex` package spells it."""
    return {"s": r"\s", "w": r"\w", "word": r"\w"}.get(name, rf"\p{{{name}}}")


def classes_in(split: Split) -> frozenset[str]:
    """Return the names of the pinned classes that a pattern uses."""
    return frozenset() if split.literal else _used(split.pattern, split.dialect)[0]


def literals_in(split: Split) -> Ranges:
    """Return the characters that a pattern names itself, also in ranges. They are not replaced."""
    return NOTHING if split.literal else _used(split.pattern, split.dialect)[1]


@functools.lru_cache(maxsize=64)
def _used(pattern: str, dialect: str) -> tuple[frozenset[str], Ranges]:
    return used(parse(pattern, dialect))


def used(tree: Node) -> tuple[frozenset[str], Ranges]:
    """Return the classes and the characters that a pattern names. A back reference names every character."""
    nodes = list(walk(tree))
    atoms = [part for node in nodes if isinstance(node, Characters) for part in parts(node.members)]
    named = ranges(bound for part in atoms if isinstance(part, Ranges) for bound in part.bounds)
    if any(isinstance(node, BackReference) for node in nodes):
        named = ANY
    return frozenset(part.name for part in atoms if isinstance(part, Named)), named


@functools.lru_cache(maxsize=64)
def substitutes(classes: frozenset[str], literals: Ranges = NOTHING) -> tuple[frozenset[str], dict[int, int]]:
    """Return the characters to replace and their substitutes, so that `regex` classes text as the oracles do."""
    ours = {name: members(name) for name in sorted(classes)}
    theirs = {name: _package_members(name) for name in ours}
    differ = sorted({cp for name in ours for cp in _where_unequal(name)})
    named = flags(literals)
    unfit = int.from_bytes(named, "big")
    for one, other in zip(ours.values(), theirs.values(), strict=True):
        unfit |= int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
    table: dict[int, int] = {}
    chosen: dict[tuple[int, ...], int] = {}
    for cp in differ:
        if named[cp]:
            continue
        wanted = tuple(each[cp] for each in ours.values())
        if wanted not in chosen:
            chosen[wanted] = _find(wanted, theirs.values(), unfit)
        if chosen[wanted] >= 0:
            table[cp] = chosen[wanted]
    return frozenset(map(chr, table)), table


def _find(wanted: tuple[int, ...], classes: Iterable[bytes], unfit: int) -> int:
    """Return a character that belongs to exactly the wanted classes; -1 if there is none."""
    every = int.from_bytes(b"\1" * LIMIT, "big")
    fit = every ^ unfit
    for inside, each in zip(wanted, classes, strict=True):
        flags_ = int.from_bytes(each, "big")
        fit &= flags_ if inside else every ^ flags_
    # Not ASCII, so that a substitute never makes a text ASCII; and no surrogate.
    found = fit.to_bytes(LIMIT, "big")
    at = found.find(b"\1", 0xA0, 0xD800)
    return at if at >= 0 else found.find(b"\1", 0xE000)


@functools.lru_cache(maxsize=64)
def difference(name: str, classes: frozenset[str], literals: Ranges) -> Difference:
    """Return how a class differs for characters that have no substitute."""
    ours, table = members(name), substitutes(classes, literals)[1]
    kept = [cp for cp in _where_unequal(name) if cp not in table]
    return Difference(ranges((cp, cp) for cp in kept if ours[cp]), ranges((cp, cp) for cp in kept if not ours[cp]))


@functools.cache
def _every_character() -> str:
    # Surrogates cannot be in one string with the rest; both sides class them as members of no class.
    points = array("I", (*range(0xD800), *[0] * 0x800, *range(0xE000, LIMIT)))
    return points.tobytes().decode("utf-32-le" if sys.byteorder == "little" else "utf-32-be")


@functools.cache
def _package_members(name: str) -> bytes:
    flags_ = bytearray(LIMIT)
    for match in regex.finditer(f"{spelling(name)}+", _every_character()):
        start, end = match.span()
        flags_[start:end] = b"\1" * (end - start)
    return bytes(flags_)


@functools.cache
def _where_unequal(name: str) -> tuple[int, ...]:
    # As integers, because an XOR of a million bytes takes 0.1 ms and a loop over them 60 ms.
    mixed = int.from_bytes(members(name), "big") ^ int.from_bytes(_package_members(name), "big")
    found = re.finditer(b"[^\0]+", mixed.to_bytes(LIMIT, "big"))
    return tuple(cp for match in found for cp in range(*match.span()) if not 0xD800 <= cp < 0xE000)


def with_substitutes(text: str, classes: frozenset[str], literals: Ranges = NOTHING) -> str:
    """Return the text with substitutes, of the same length. Characters that the pattern names are not replaced."""
    if text.isascii():
        return text
    differ, table = substitutes(classes, literals)
    # A set, because a regex class of this many characters is searched range by range.
    return text if differ.isdisjoint(text) else text.translate(table)
