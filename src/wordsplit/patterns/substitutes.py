"""Substitutes for characters whose Unicode class differs between `regex` and the oracles."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

import regex

from wordsplit.unicode import class_name_known, members
from wordsplit.vocab import Split

__all__ = ["classes_in", "literals_in", "substitutes", "with_substitutes", "without_joiners"]

_CLASS = re.compile(r"\\[pP]\{\^?(\w+)\}|\\[pP](\w)|\\([sSwWdDbB])")
_RANGE = re.compile(r"([^\x00-\x7f])-([^\x00-\x7f])")
_JOINERS = frozenset("\u200c\u200d")
_LIMIT = 0x110000


def classes_in(split: Split) -> Iterable[str]:
    """Return the names of the pinned classes that a pattern uses."""
    if split.literal:
        return
    for match in _CLASS.finditer(split.pattern):
        name = match[1] or match[2] or {"s": "s", "w": "w", "d": "Nd", "b": "w"}[match[3].lower()]
        if class_name_known(name):
            yield name


@functools.cache
def substitutes(classes: frozenset[str]) -> tuple[frozenset[str], dict[int, int]]:
    """Return the characters to replace and their substitutes, so that `regex` classes text as the oracles do."""
    # Surrogates cannot be in one string with the rest; both sides class them as members of no class.
    points = "".join(chr(cp) if not 0xD800 <= cp < 0xE000 else "\0" for cp in range(_LIMIT))
    ours = {name: members(name) for name in sorted(classes)}
    theirs = {name: _package_members(name, points) for name in ours}
    differ = sorted({cp for name in ours for cp in _where_unequal(ours[name], theirs[name])})
    table: dict[int, int] = {}
    chosen: dict[tuple[int, ...], int] = {}
    for cp in differ:
        wanted = tuple(flags[cp] for flags in ours.values())
        if wanted not in chosen:
            chosen[wanted] = next(
                other
                for other in range(0xA0, _LIMIT)
                if tuple(flags[other] for flags in theirs.values()) == wanted
                and all(ours[name][other] == theirs[name][other] for name in ours)
            )
        table[cp] = chosen[wanted]
    return frozenset(map(chr, differ)), table


def _package_members(name: str, points: str) -> bytes:
    flags = bytearray(_LIMIT)
    for match in regex.finditer(rf"\{name}+" if name in "sw" else rf"\p{{{name}}}+", points):
        start, end = match.span()
        flags[start:end] = b"\1" * (end - start)
    return bytes(flags)


def _where_unequal(one: bytes, other: bytes) -> Iterable[int]:
    # As integers, because an XOR of a million bytes takes 0.1 ms and a loop over them 60 ms.
    mixed = (int.from_bytes(one, "big") ^ int.from_bytes(other, "big")).to_bytes(len(one), "big")
    for match in re.finditer(b"[^\0]+", mixed):
        yield from (cp for cp in range(*match.span()) if not 0xD800 <= cp < 0xE000)


def literals_in(split: Split) -> frozenset[str]:
    """Return the characters that a pattern names itself, also in ranges. They are not replaced."""
    return frozenset() if split.literal else _named(split.pattern)


@functools.cache
def _named(pattern: str) -> frozenset[str]:
    ranges = [range(ord(first), ord(last) + 1) for first, last in _RANGE.findall(pattern)]
    return frozenset(char for points in ranges if len(points) < 1000 for char in map(chr, points)) | set(pattern)


def without_joiners(text: str) -> str:
    """Replace the two joiners, which are word characters only in tiktoken, by similar characters."""
    return text if _JOINERS.isdisjoint(text) else text.translate(dict.fromkeys(map(ord, _JOINERS), "\u200b"))


def with_substitutes(text: str, classes: frozenset[str], literals: frozenset[str] = frozenset()) -> str:
    """Return the text with substitutes, of the same length. Literals of the pattern are not replaced."""
    if text.isascii():
        return text
    differ, table = substitutes(classes)
    if literals and not differ.isdisjoint(text) and not literals.isdisjoint(text):
        return "".join([char if char in literals else chr(table.get(ord(char), ord(char))) for char in text])
    # A set, because a regex class of this many characters is searched range by range.
    return text if differ.isdisjoint(text) else text.translate(table)
