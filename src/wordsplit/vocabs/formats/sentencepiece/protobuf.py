"""Read the fields of a message in the encoding of Protocol Buffers.

A message is a sequence of fields, each a key and a value. The key is a number whose last three bits are the type of the
value: 0 is a number of variable length, seven bits to a byte; 1 and 5 are eight and four bytes; 2 is a length and as
many bytes. Nothing recurses, and each length is checked against the remaining bytes, so memory is bounded by the size
of the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from wordsplit.errors import VocabFormatError

__all__ = ["BYTES", "FIXED32", "FIXED64", "VARINT", "Message"]

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_NAMES = {VARINT: "a number", FIXED64: "eight bytes", BYTES: "bytes", FIXED32: "four bytes"}
_FIXED = {FIXED64: 8, FIXED32: 4}
_MOST_VARINT_BITS = 64


class Message:
    """A message within a file.

    Args:
        data: The content of the file.
        start: Where the message begins.
        end: Where it ends.
        label: The file's name, for errors.
        name: The message's name, for errors.
    """

    __slots__ = ("_data", "_end", "_label", "_start", "name")

    def __init__(self, data: bytes, start: int, end: int, label: str, name: str) -> None:
        self._data, self._start, self._end, self._label = data, start, end, label
        self.name: str = name

    def fields(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield each field: its number, the type of its value, and the value.

        The value is a number and 0 for `VARINT`, and else where it begins and ends in the file.

        Raises:
            VocabFormatError: The message is damaged.
        """
        data, at, last = self._data, self._start, self._end
        while at < last:
            key, at = self._number(at)
            kind = key & 7
            if kind == VARINT:
                value, end = self._number(at)
                yield key >> 3, kind, value, 0
            elif kind in _FIXED or kind == BYTES:
                if kind == BYTES:
                    size = data[at] if at < last else 0x80
                    if size < 0x80:  # as nearly all are
                        at += 1
                    else:
                        size, at = self._number(at)
                else:
                    size = _FIXED[kind]
                end = at + size
                if end > last:
                    raise self.error(f"a field of {size} bytes begins at offset {at}, and {last - at} are left")
                yield key >> 3, kind, at, end
            else:
                raise self.error(f"a field at offset {at} has type {kind}")
            at = end

    def message(self, start: int, end: int, name: str) -> Message:
        """Return the message in a field."""
        return Message(self._data, start, end, self._label, name)

    def bytes(self, start: int, end: int) -> bytes:
        """Return the bytes in a field."""
        return self._data[start:end]

    def text(self, start: int, end: int, field: str) -> str:
        """Return the text in a field."""
        try:
            return self._data[start:end].decode()
        except UnicodeDecodeError as error:
            raise self.error(f"is not UTF-8 ({error.reason})", field) from None

    def require(self, kind: int, wanted: int, field: str) -> None:
        """Raise an error unless a field has the type that it should have."""
        if kind != wanted:
            raise self.error(f"should be {_NAMES[wanted]}, found {_NAMES[kind]}", field)

    def error(self, found: str, field: str = "") -> VocabFormatError:
        """Return an error about the message, or about a field of it."""
        return VocabFormatError(found, file=self._label, field=".".join(filter(None, (self.name, field))))

    def _number(self, at: int) -> tuple[int, int]:
        """Return the number at a position, and where it ends."""
        data, last, value, shift = self._data, self._end, 0, 0
        while at < last and shift < _MOST_VARINT_BITS:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & (1 << _MOST_VARINT_BITS) - 1, at
            shift += 7
        raise self.error(f"a number ends outside of the message, or is too long, at offset {at}")
