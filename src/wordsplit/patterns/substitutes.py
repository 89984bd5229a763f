"""Characters for the `regex` package in place of those that it classes otherwise than the oracles do."""

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
    """The names of the classes that a pattern speaks of, as far as they are pinned."""
    if split.literal:
        return
    for match in _CLASS.finditer(split.pattern):
        name = match[1] or match[2] or {"s": "s", "w": "w", "d": "Nd", "b": "w"}[match[3].lower()]
        if class_name_known(name):
            yield name


@functools.cache
def substitutes(classes: frozenset[str]) -> tuple[frozenset[str], dict[int, int]]:
    """The characters to replace, and by what, so that the package's classes of the text are the oracles'."""
    # Surrogates cannot stand in one string beside the rest; both sides class them as neither of anything.
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
    # As integers, since an XOR of a million bytes takes 0.1 ms and a loop over them 60.
    mixed = (int.from_bytes(one, "big") ^ int.from_bytes(other, "big")).to_bytes(len(one), "big")
    for match in re.finditer(b"[^\0]+", mixed):
        yield from (cp for cp in range(*match.span()) if not 0xD800 <= cp < 0xE000)


def literals_in(split: Split) -> frozenset[str]:
    """The characters that a pattern names itself, in ranges too. They are left alone."""
    return frozenset() if split.literal else _named(split.pattern)


@functools.cache
def _named(pattern: str) -> frozenset[str]:
    ranges = [range(ord(first), ord(last) + 1) for first, last in _RANGE.findall(pattern)]
    return frozenset(char for points in ranges if len(points) < 1000 for char in map(chr, points)) | set(pattern)


def without_joiners(text: str) -> str:
    """The text with others of their kind for the two joiners, which are word characters to tiktoken alone."""
    return text if _JOINERS.isdisjoint(text) else text.translate(dict.fromkeys(map(ord, _JOINERS), "\u200b"))


def with_substitutes(text: str, classes: frozenset[str], literals: frozenset[str] = frozenset()) -> str:
    """The text as the package is to see it: of the same length. Literals of the pattern stay what they are."""
    if text.isascii():
        return text
    differ, table = substitutes(classes)
    if literals and not differ.isdisjoint(text) and not literals.isdisjoint(text):
        return "".join([char if char in literals else chr(table.get(ord(char), ord(char))) for char in text])
    # A set's test: a regex class of this many characters is searched one range after another.
    return text if differ.isdisjoint(text) else text.translate(table)
