"""Normalizers of `tokenizers` that treat each character by itself, as tables from code point to text.

Their character classes are from several old versions of Unicode, none of which is that of the patterns.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cache
from itertools import compress

from wordsplit.byte_level import to_byte_level
from wordsplit.unicode import belongs, members

__all__ = ["CHARACTER_KINDS", "CHINESE", "CharacterTable", "changed_by", "table_of"]

_LAST_CASED = 0x20000  # no character from there on has a small letter
_LAST = 0x110000


class CharacterTable(dict[int, str]):
    """The result of the rules for each code point, computed on first use."""

    def __init__(self, replacement: Callable[[str], str]) -> None:
        super().__init__()
        self._replacement = replacement

    def __missing__(self, point: int) -> str:
        found = self[point] = self._replacement(chr(point))
        return found


@cache
def table_of(kind: str) -> CharacterTable:
    """Return the table of a kind of `Normalize` step.

    Raises:
        KeyError: There is no table for it.
    """
    return CharacterTable(_REPLACEMENTS[kind])


@cache
def changed_by(kind: str) -> dict[int, str]:
    """Return what becomes of the characters that a kind of step changes.

    Raises:
        KeyError: There is no table for it.
    """
    replacement = _REPLACEMENTS[kind]
    return {point: text for point in _tried(kind) if (text := replacement(chr(point))) != chr(point)}


def _tried(kind: str) -> Iterable[int]:
    """Return the code points among which are all that a kind of step changes."""
    if kind == "bert_chinese_chars":
        bounds = zip(CHINESE[::2], CHINESE[1::2], strict=True)
        return (point for first, end in bounds for point in range(first, end))
    names, others = _CLASSES.get(kind, ((), ""))
    if not names:
        return range(_LAST_CASED)  # nor are there others that Nmt changes
    every = range(_LAST)
    return (*map(ord, _points(others)), *(point for name in names for point in compress(every, members(name))))


@cache
def _points(ranges: str) -> frozenset[str]:
    """Return the characters of ranges in hexadecimal."""
    bounds = ([int(end, 16) for end in each.split("-")] for each in ranges.split())
    return frozenset(chr(point) for first, *last in bounds for point in range(first, (last or [first])[0] + 1))


# Capital letters added in Unicode 14 to 17, which the installed Python may lack: first, last, distance to the
# small letter, step.
_NEWER_CAPITALS = (
    (0x2C2F, 0x2C2F, 0x30, 1),
    (0xA7C0, 0xA7C0, 1, 1),
    (0xA7CB, 0xA7CB, 0x264 - 0xA7CB, 1),
    (0xA7CC, 0xA7DA, 1, 2),
    (0xA7DC, 0xA7DC, 0x19B - 0xA7DC, 1),
    (0x1C89, 0x1C89, 1, 1),
    (0x10570, 0x1057A, 39, 1),
    (0x1057C, 0x1058A, 39, 1),
    (0x1058C, 0x10592, 39, 1),
    (0x10594, 0x10595, 39, 1),
    (0x10D50, 0x10D65, 0x20, 1),
    (0x16EA0, 0x16EB8, 0x1B, 1),
)
_LOWER = {
    chr(cp): chr(cp + distance)
    for first, last, distance, step in _NEWER_CAPITALS
    for cp in range(first, last + 1, step)
}


def _lower(char: str) -> str:
    return _LOWER.get(char) or char.lower()


_NOT_CONTROL = "9-A D 890-891 8E2 110CD 13430-1343F"


def _clean(char: str) -> str:
    at = ord(char)
    is_control = belongs(("Cc", "Cf", "Co"), at) or char == "\ufffd"
    if is_control and char not in _points(_NOT_CONTROL):
        return ""
    return " " if belongs("s", at) else char


# Where they begin and where they end, in turn.
CHINESE = (
    *(0x3400, 0x4DC0, 0x4E00, 0xA000, 0xF900, 0xFB00, 0x20000, 0x2A6E0, 0x2A700, 0x2B820, 0x2B920, 0x2CEB0),
    *(0x2F800, 0x2FA20),
)


def _spaced(char: str) -> str:
    return f" {char} " if bisect_right(CHINESE, ord(char)) % 2 else char


# Marks that the two normalizers do not know, because they are newer or were classed otherwise.
_NOT_MARKS = (
    "7FD 897-89F 8CA-8D3 9FE AFA-AFF B55 C04 C3C CF3 D00 D3B-D3C D81 EBA ECE 1715 180F 1ABF-1ACE 1CF7 1DF6-1DFA A82C "
    "A8FF 10D24-10D27 10D69-10D6D 10EAB-10EAC 10EFC-10EFF 10F46-10F50 10F82-10F85 11070 11073-11074 110C2 11145-11146 "
    "111C9 111CE-111CF 11241 1133B 113B8-113C0 113C2 113C5 113C7-113CA 113CC-113D0 113D2 113E1-113E2 1145E "
    "1182C-1183A 11930-11935 11937-11938 1193B-1193E 11940 11942-11943 119D1-119D7 119DA-119E0 119E4 11A01-11A0A "
    "11A33-11A39 11A3B-11A3E 11A47 11A51-11A5B 11A8A-11A99 11D31-11D36 11D3A 11D3C-11D3D 11D3F-11D45 11D47 11D8A-11D8E "
    "11D90-11D91 11D93-11D97 11EF3-11EF6 11F00-11F01 11F03 11F34-11F3A 11F3E-11F42 11F5A 13440 13447-13455 1611E-1612F "
    "16F4F 16F7F-16F87 16FE4 16FF0-16FF1 1CF00-1CF2D 1CF30-1CF46 1E08F 1E130-1E136 1E2AE 1E2EC-1E2EF 1E4EC-1E4EF "
    "1E5EE-1E5EF"
)
_FORMER_MARKS = "1CF2-1CF3"
_NOT_NONSPACING = (
    "7FD 897-89F 8CA-8E1 9FE AFA-AFF B55 C04 C3C D00 D3B-D3C D81 EBA ECE 180F 1885-1886 1ABF-1ACE 1DF6-1DFB A82C A8C5 "
    "A8FF A9BD 10D24-10D27 10D69-10D6D 10EAB-10EAC 10EFC-10EFF 10F46-10F50 10F82-10F85 11070 11073-11074 110C2 111C9 "
    "111CF 1123E 11241 1133B 113BB-113C0 113CE 113D0 113D2 113E1-113E2 11438-1143F 11442-11444 11446 1145E 1182F-11837 "
    "11839-1183A 1193B-1193C 1193E 11943 119D4-119D7 119DA-119DB 119E0 11A01-11A0A 11A33-11A38 11A3B-11A3E 11A47 "
    "11A51-11A56 11A59-11A5B 11A8A-11A96 11A98-11A99 11C30-11C36 11C38-11C3D 11C3F 11C92-11CA7 11CAA-11CB0 "
    "11CB2-11CB3 11CB5-11CB6 11D31-11D36 11D3A 11D3C-11D3D 11D3F-11D45 11D47 11D90-11D91 11D95 11D97 11EF3-11EF4 "
    "11F00-11F01 11F36-11F3A 11F40 11F42 11F5A 13440 13447-13455 1611E-16129 1612D-1612F 16F4F 16FE4 1CF00-1CF2D "
    "1CF30-1CF46 1E000-1E006 1E008-1E018 1E01B-1E021 1E023-1E024 1E026-1E02A 1E08F 1E130-1E136 1E2AE 1E2EC-1E2EF "
    "1E4EC-1E4EF 1E5EE-1E5EF 1E944-1E94A"
)
_FORMER_NONSPACING = "1734 1171E"


def _without_mark(char: str) -> str:
    is_mark = (belongs("M", ord(char)) and char not in _points(_NOT_MARKS)) or char in _points(_FORMER_MARKS)
    return "" if is_mark else char


def _without_nonspacing(char: str) -> str:
    is_mark = (belongs("Mn", ord(char)) and char not in _points(_NOT_NONSPACING)) or char in _points(_FORMER_NONSPACING)
    return "" if is_mark else char


_NMT_REMOVED = "1-8 B E-1F 7F 8F 9F"
_NMT_SPACES = "9-A C-D 1680 200B-200F 2028-2029 2581 FEFF FFFD"


def _nmt(char: str) -> str:
    return "" if char in _points(_NMT_REMOVED) else " " if char in _points(_NMT_SPACES) else char


_REPLACEMENTS: dict[str, Callable[[str], str]] = {
    "lowercase": _lower,
    "strip_accents": _without_mark,
    "nmt": _nmt,
    "byte_level": lambda char: to_byte_level(char.encode("utf-8", "surrogateescape")),
    "bert_clean_text": _clean,
    "bert_chinese_chars": _spaced,
    "bert_strip_accents": _without_nonspacing,
}
CHARACTER_KINDS = frozenset(_REPLACEMENTS) - {"byte_level"}
"""The kinds of steps of which `changed_by` says all; ``bert_strip_accents`` does NFD first."""
# The classes and the other characters among which are those that a kind of step changes.
_CLASSES = {
    "strip_accents": (("M",), _FORMER_MARKS),
    "bert_strip_accents": (("Mn",), _FORMER_NONSPACING),
    "bert_clean_text": (("Cc", "Cf", "Co", "s"), "FFFD"),
}
