"""Read the metadata of a GGUF file: little-endian, versions 2 and 3. Tensors are never read.

Layout, from ggml's own description of the format: ``GGUF``, version (u32), number of tensors (u64),
number of keys (u64); then for each key its name (u64 length, bytes), the type of its value (u32) and the
value. A string is a length and its bytes, an array the type of its items (u32), their number (u64) and the
items.

Every length is checked against the remaining bytes before anything is allocated, so a file of 49 bytes
that claims 2^63 items costs nothing. Nothing recurses, and each byte is read once: O(size of the
metadata).
"""

from __future__ import annotations

import os
import struct
import sys
from array import array
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from wordsplit.errors import UnsupportedVocabError, VocabFormatError
from wordsplit.vocab import MAX_ID
from wordsplit.vocabs.formats.base import MAX_FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Value", "holds_metadata", "read_metadata", "read_metadata_of_file"]

FIRST_BYTES = 16 << 20
"""What is read of a file at first; the metadata of few vocabs take more."""

MAX_KEYS = 1 << 16
"""Files have about fifty keys; the limit keeps the set of seen keys bounded."""

MAX_KEY_BYTES = 1 << 16

_BOOL, _STRING, _ARRAY = 7, 8, 9
# Type -> (name, letter of struct and array, size in bytes).
_NUMBERS = {
    0: ("uint8", "B", 1),
    1: ("int8", "b", 1),
    2: ("uint16", "H", 2),
    3: ("int16", "h", 2),
    4: ("uint32", "I", 4),
    5: ("int32", "i", 4),
    6: ("float32", "f", 4),
    _BOOL: ("bool", "B", 1),
    10: ("uint64", "Q", 8),
    11: ("int64", "q", 8),
    12: ("float64", "d", 8),
}
_LENGTH = struct.Struct("<Q")
_WORD = struct.Struct("<I")


class Value(NamedTuple):
    """A value of the metadata.

    Attributes:
        kind: Its type: ``"uint32"``, ``"string"``, ``"array of string"``, …
        data: A number, a ``bool``, ``bytes`` for a string, a list of those, or an `array.array`.
        offset: Its offset in the file.
    """

    kind: str
    data: Any
    offset: int


def read_metadata(data: bytes, label: str, wanted: Callable[[str], bool]) -> dict[str, Value]:
    """Return the values of the requested keys that the file has. Other keys are checked and skipped.

    Args:
        data: The file, or a beginning with all metadata.
        label: Its name in errors.
        wanted: Returns whether a key is requested.

    Raises:
        VocabFormatError: The metadata are damaged or truncated.
        UnsupportedVocabError: Another version or byte order, or an array of arrays.
    """
    return _read_metadata(_Cursor(data, label), wanted)


def read_metadata_of_file(file: BinaryIO, label: str, wanted: Callable[[str], bool]) -> dict[str, Value]:
    """Return the values of the requested keys of an open file, as `read_metadata` does.

    The file is read in large pieces, up to the end of its metadata. It is not mapped: if another program cuts a mapped
    file short, or a network drive goes away, reading it kills the process.

    Raises:
        OSError: It cannot be read.
        VocabFormatError: As for `read_metadata`, or the metadata take more than `MAX_FILE_BYTES`.
        UnsupportedVocabError: As for `read_metadata`.
    """
    size = os.fstat(file.fileno()).st_size
    data = file.read(min(size, FIRST_BYTES))
    while True:
        try:
            return _read_metadata(_Cursor(data, label, size), wanted)
        except _NotReadYet as needed:
            (end,) = needed.args
        if end > MAX_FILE_BYTES:
            raise VocabFormatError(f"its metadata take more than {MAX_FILE_BYTES} bytes", file=label, field="size")
        more = file.read(min(size, max(end, 4 * len(data))) - len(data))
        if not more:  # it was cut short meanwhile
            size = len(data)
        data += more


def holds_metadata(data: bytes) -> bool:
    """Return whether these first bytes of a file contain all metadata, or an error in them."""
    try:
        _read_metadata(_Cursor(data, "", sys.maxsize), lambda _key: False)
    except _NotReadYet:
        return False
    except (VocabFormatError, UnsupportedVocabError):
        pass
    return True


def _read_metadata(cursor: _Cursor, wanted: Callable[[str], bool]) -> dict[str, Value]:
    n_keys = _read_header(cursor)
    out: dict[str, Value] = {}
    seen: set[str] = set()
    for number in range(n_keys):
        cursor.field = f"key {number + 1} of {n_keys}"
        key = _read_key(cursor)
        if key in seen:
            raise cursor.error(f"key {key!r:.80} occurs twice")
        seen.add(key)
        cursor.field = key[:80]
        keep = wanted(key)
        value = _read_value(cursor, keep)
        if keep:
            out[key] = value
    return out


class _NotReadYet(Exception):  # noqa: N818 - it is never seen outside
    """The data end here, but the file goes on. The argument is the number of bytes that are needed."""


class _Cursor:
    """A position in the data, which never moves past the end.

    Args:
        data: The file, or its beginning.
        label: Its name in errors.
        size: The size of the file, if the data are its beginning.
    """

    __slots__ = ("at", "data", "field", "label", "size")

    def __init__(self, data: bytes, label: str, size: int | None = None) -> None:
        self.data, self.label, self.size = data, label, len(data) if size is None else size
        self.at, self.field = 0, "header"

    def error(self, found: str, at: int | None = None) -> VocabFormatError:
        return VocabFormatError(found, file=self.label, field=self._place(at))

    def unsupported(self, found: str) -> UnsupportedVocabError:
        return UnsupportedVocabError(found, file=self.label, field=self._place(None))

    def _place(self, at: int | None) -> str:
        return f"{self.field}, offset {self.at if at is None else at}"

    def need(self, size: int, what: str) -> None:
        if size > self.size - self.at:
            raise self.error(f"{what} takes {size} bytes, but {self.size - self.at} are left; the file is cut short")
        if size > len(self.data) - self.at:
            raise _NotReadYet(self.at + size)

    def word(self, what: str) -> int:
        self.need(4, what)
        (value,) = _WORD.unpack_from(self.data, self.at)
        self.at += 4
        return int(value)

    def length(self, what: str) -> int:
        self.need(8, what)
        (value,) = _LENGTH.unpack_from(self.data, self.at)
        self.at += 8
        return int(value)

    def take(self, size: int, what: str) -> bytes:
        self.need(size, what)
        self.at += size
        return self.data[self.at - size : self.at]


def _read_header(cursor: _Cursor) -> int:
    """Read the header and return the number of keys."""
    magic = cursor.data[:4]
    if magic != b"GGUF":
        raise cursor.error(f"begins with {magic!r}, not with b'GGUF'; it is not a GGUF file")
    cursor.at = 4
    version = cursor.word("the version")
    if version >= 1 << 24 and version & 0xFFFF == 0:
        raise cursor.unsupported("is big-endian; convert it to little-endian, which every current writer makes")
    if version == 1:
        raise cursor.unsupported("is of version 1, whose lengths are 32 bits wide; convert it to version 3")
    if version not in (2, 3):
        raise cursor.unsupported(f"is of version {version}; versions 2 and 3 are read")
    n_tensors = cursor.length("the number of tensors")
    if n_tensors >> 63:
        raise cursor.error(f"claims {n_tensors - (1 << 64)} tensors", cursor.at - 8)
    n_keys = cursor.length("the number of keys")
    # The least size of a key: a length, one character, a type and a value of one byte.
    if n_keys > MAX_KEYS or n_keys * 14 > cursor.size - cursor.at:
        raise cursor.error(
            f"claims {n_keys} keys, in {cursor.size - cursor.at} bytes (at most {MAX_KEYS})", cursor.at - 8
        )
    return n_keys


def _read_key(cursor: _Cursor) -> str:
    size = cursor.length("a key's length")
    if not 0 < size < MAX_KEY_BYTES:
        raise cursor.error(f"its name is {size} bytes long; 1 to {MAX_KEY_BYTES - 1} are valid", cursor.at - 8)
    start = cursor.at
    name = cursor.take(size, "a key's name")
    try:
        key = name.decode("utf-8")
    except UnicodeDecodeError as error:
        raise cursor.error(f"its name {name[:60]!r} is not UTF-8 ({error.reason})", start) from None
    if "\0" in key:
        raise cursor.error(f"its name {key!r:.80} holds a NUL", start)
    return key


def _read_value(cursor: _Cursor, keep: bool) -> Value:
    start = cursor.at
    kind = cursor.word("its type")
    if kind == _STRING:
        size = cursor.length("its length")
        cursor.need(size, "the string")
        if keep:
            return Value("string", cursor.take(size, "the string"), start)
        cursor.at += size
        return Value("string", None, start)
    if kind == _ARRAY:
        return _read_array(cursor, start, keep)
    if kind not in _NUMBERS:
        raise cursor.error(f"its type is {kind}, which is not one of 0 to 12", start)
    name, letter, size = _NUMBERS[kind]
    (number,) = struct.unpack(f"<{letter}", cursor.take(size, f"a {name}"))
    if kind == _BOOL:
        if number > 1:
            raise cursor.error(f"a bool is 0 or 1, found {number}", cursor.at - 1)
        number = bool(number)
    return Value(name, number, start)


def _read_array(cursor: _Cursor, start: int, keep: bool) -> Value:
    kind = cursor.word("the type of its items")
    count = cursor.length("the number of its items")
    if kind == _ARRAY:
        raise cursor.unsupported("is an array of arrays; no key of a tokenizer has this type")
    if kind == _STRING:
        return Value("array of string", _read_strings(cursor, count, keep), start)
    if kind not in _NUMBERS:
        raise cursor.error(f"the type of its items is {kind}, which is not one of 0 to 12", start + 4)
    name, letter, size = _NUMBERS[kind]
    cursor.need(count * size, f"{count} items of {size} bytes")  # Python's integers do not wrap
    if not keep:
        cursor.at += count * size
        return Value(f"array of {name}", None, start)
    items = array(letter)
    items.frombytes(cursor.take(count * size, "its items"))
    if sys.byteorder == "big":
        items.byteswap()
    return Value(f"array of {name}", items, start)


def _read_strings(cursor: _Cursor, count: int, keep: bool) -> list[bytes]:
    """Read the strings of an array. Most of the loading time is spent in this loop, hence the local names."""
    if count > MAX_ID + 1 or count * 8 > cursor.size - cursor.at:
        raise cursor.error(
            f"claims {count} strings, in {cursor.size - cursor.at} bytes (at most {MAX_ID + 1})",
            cursor.at - 8,
        )
    data, size, at = cursor.data, len(cursor.data), cursor.at
    unpack = _LENGTH.unpack_from
    out: list[bytes] = []
    for i in range(count):
        if at + 8 > size:
            cursor.at = at
            cursor.need(8, f"the length of string {i}")
        start = at + 8
        at = start + unpack(data, at)[0]
        if at > size:
            cursor.at = start
            cursor.need(at - start, f"string {i}")
        if keep:
            out.append(data[start:at])
    cursor.at = at
    return out
