"""Tables from characters to their normalized text, with precomputed ones for common rules.

Building a table takes 0.1 to 0.5 s. So those of `BertNormalizer`, with every combination of its settings, and
`BertPreTokenizer`, and of `Whitespace` and `WhitespaceSplit` after usual normalizers, are in ``word_tables.bin``,
which ``tools/generate_word_tables.py`` writes. They have all characters except the last 256.

Layout, after zlib: the size of a header and the header in JSON, with the rules, how many entries and bytes of the
blob the table of each needs, and ranges of marks. Then for each of the rules the pages of their table, and the entries
and the part of the blob that no table before needs: all share them, and the first rules, BERT's own, are read in a
fifth of the time of all. Numbers have four bytes, those of pages two, the lowest first.
"""

from __future__ import annotations

import json
import pkgutil
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

from wordsplit.rules import Normalize, Step, step_of

__all__ = ["BREAK", "FILE", "SIGN", "WordRules", "WordTable", "made_in_advance", "packed", "tables"]

FILE = "word_tables.bin"
BREAK = b"\xff"
"""The end of a word, which UTF-8 does not have."""
SIGN = b"\xfd"
"""Stands before a sign, which is in another word than other characters."""

WordRules: TypeAlias = tuple[tuple[Normalize, ...], tuple[Step, ...]]
"""A normalizer and a pre-tokenizer."""

_LAST = 0x110000
_SAME, _SIGNED, _ALONE, _OUTSIDE = 0, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF  # as in word_map.hpp


class WordTable(NamedTuple):
    """A table from code point to text, as the native core reads it (``word_map.hpp``).

    Attributes:
        pages: The number of a page for each 256 code points.
        entries: The result for each code point, page by page.
        blob: The texts.
    """

    pages: array[int]
    entries: array[int]
    blob: bytes

    def becomes(self, char: str) -> bytes | None:
        """Return what becomes of a character; ``None`` if it is not in the table."""
        point = ord(char)
        entry = self.entries[self.pages[point >> 8] << 8 | (point & 255)]
        if entry == _OUTSIDE:
            return None
        if entry == _SAME:
            return char.encode("utf-8", "surrogatepass")
        if entry == _ALONE:
            return BREAK + char.encode("utf-8", "surrogatepass") + BREAK
        if entry == _SIGNED:
            return SIGN + char.encode("utf-8", "surrogatepass")
        return self.blob[entry : entry + self.blob[entry - 1]]


def tables(replacements: Sequence[Mapping[int, bytes | None]], *, outside: bool = False) -> list[WordTable]:
    """Return tables, which share their entries.

    Args:
        replacements: For each table, what becomes of code points; ``None`` for one that is not in the table.
        outside: Whether pages of 256 code points of which none is given are outside; else they stay as they are.
    """
    blob, places = bytearray(), dict[bytes, int]()
    entries = array("I", [_OUTSIDE if outside else _SAME]) * 256  # page 0: of all that is not given
    numbers = {entries.tobytes(): 0}
    every = []
    for given in replacements:
        own: dict[int, array[int]] = {}
        for point, data in given.items():
            page = own.get(point >> 8)
            if page is None:
                page = own[point >> 8] = array("I", bytes(4 * 256))
            char = chr(point).encode("utf-8", "surrogatepass")
            if data == char:
                continue
            if data is None:
                page[point & 255] = _OUTSIDE
                continue
            entry = {BREAK + char + BREAK: _ALONE, SIGN + char: _SIGNED}.get(data) or places.get(data)
            if entry is None:
                entry = places[data] = len(blob) + 1
                blob += bytes([len(data)]) + data
            page[point & 255] = entry
        pages = array("H", bytes(2 * (_LAST >> 8)))
        for page_of, page in own.items():
            number = numbers.setdefault(page.tobytes(), len(numbers))
            if number == len(entries) >> 8:
                entries.extend(page)
            pages[page_of] = number
        every.append(pages)
    return [WordTable(pages, entries, bytes(blob)) for pages in every]


def packed(made: Mapping[WordRules, WordTable], marks: Mapping[str, Sequence[tuple[int, int]]]) -> bytes:
    """Return the content of the file.

    Args:
        made: Tables by their rules, all with the same entries.
        marks: Ranges of code points that make clusters. The JavaScript package has no other tables of Unicode.
    """
    rules = [[[step.kind for step in normalizer], [asdict(step) for step in steps]] for normalizer, steps in made]
    parts, needs, entries_end, blob_end = [], [], 0, 0
    for table in made.values():
        # Pages are numbered, and texts are put into the blob, in the order of the tables.
        own = table.entries[entries_end : (max(table.pages) + 1) << 8]
        texts = [entry for entry in own if _SAME < entry < _SIGNED]
        end = max((entry + table.blob[entry - 1] for entry in texts), default=blob_end)
        parts += [_little(table.pages), _little(own), table.blob[blob_end:end]]
        entries_end, blob_end = entries_end + len(own), max(end, blob_end)
        needs.append([entries_end, blob_end])
    header = json.dumps({"rules": rules, "needs": needs, "marks": marks})
    return zlib.compress(b"".join([_little(array("I", [len(header)])), header.encode(), *parts]), 9)


def made_in_advance(normalizer: tuple[Normalize, ...], steps: tuple[Step, ...]) -> WordTable | None:
    """Return the table of rules from the file, if it has one."""
    return _file().table((normalizer, steps))


@cache
def _file() -> _File:
    given = pkgutil.get_data(__name__.rpartition(".")[0], FILE)  # also works from a zip file
    assert given is not None  # noqa: S101 - None only from loaders without get_data, which cannot import this package
    return _File(given)


class _File:
    """The file, unpacked on demand, table by table."""

    def __init__(self, content: bytes) -> None:
        self._content, self._unzip = content, zlib.decompressobj()
        self._lock = Lock()
        header: dict[str, Any] = json.loads(self._next(_words("I", self._next(4))[0]))
        rules = [(tuple(map(Normalize, kinds)), tuple(map(step_of, steps))) for kinds, steps in header["rules"]]
        self._number: dict[WordRules, int] = {each: number for number, each in enumerate(rules)}
        self._needs: list[list[int]] = header["needs"]
        self._pages: list[array[int]] = []
        self._entries, self._blob = array("I"), b""

    def table(self, rules: WordRules) -> WordTable | None:
        """Return the table of rules; ``None`` if there is none."""
        number = self._number.get(rules)
        if number is None:
            return None
        with self._lock:
            while number >= len(self._pages):
                entries, blob = self._needs[len(self._pages)]
                self._pages.append(_words("H", self._next(2 * (_LAST >> 8))))
                # New ones: tables that are in use keep theirs.
                self._entries = self._entries + _words("I", self._next(4 * (entries - len(self._entries))))
                self._blob += self._next(blob - len(self._blob))
            return WordTable(self._pages[number], self._entries, self._blob)

    def _next(self, size: int) -> bytes:
        """Return the next bytes."""
        if not size:
            return b""
        found = self._unzip.decompress(self._content, size)
        self._content = self._unzip.unconsumed_tail
        return found


def _little(words: array[int]) -> bytes:
    if sys.byteorder == "big":
        words = words[:]
        words.byteswap()
    return words.tobytes()


def _words(kind: str, data: bytes) -> array[int]:
    words = array(kind, data)
    if sys.byteorder == "big":
        words.byteswap()
    return words
