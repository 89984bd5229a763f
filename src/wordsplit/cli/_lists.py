"""Lists as text: ids in decimal and spans as JSON strings, by native code if it was built."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

from wordsplit.errors import InvalidTokenIdError

__all__ = ["ids_of", "written_ids", "written_json_strings"]

_SEPARATOR = re.compile(rb"[ \t-\r,\[\]]")
_WORD = re.compile(rb"[^ \t-\r,\[\]]+")
_NUMBER = re.compile(rb"-?[0-9]{1,20}")
_LONGEST = 64
"""A longer word is not an id. A shorter one may be cut by the end of a block."""

_native: ModuleType | None
try:
    from wordsplit import _native
except ImportError:  # a pure-Python build
    _native = None


def ids_of(blocks: Iterable[bytes]) -> Iterator[list[int]]:
    """Parse ids: integers separated by white space, commas and brackets. Yield a list for each block.

    Raises:
        InvalidTokenIdError: The text contains something else.
    """
    kept = b""
    for block in blocks:
        text = kept + block
        cut = next((at + 1 for at in range(len(text) - 1, max(-1, len(text) - _LONGEST), -1) if _between(text[at])), 0)
        if not cut and len(text) >= _LONGEST:
            raise _not_an_id(text[-_LONGEST:])
        kept = text[cut:]
        yield _read(text[:cut])
    yield _read(kept)


def written_ids(ids: list[int], separator: bytes) -> bytes:
    """Format ids in decimal."""
    if _native is not None:
        written: bytes = _native.write_ids(ids, separator)
        return written
    return separator.join([b"%d" % i for i in ids])


def written_json_strings(data: bytes, ends: Sequence[int], separator: bytes) -> bytes:
    """Format spans as JSON strings, with U+FFFD for bytes that are not UTF-8."""
    if _native is not None and _is_utf8(data):
        written: Any = _native.write_json_strings(data, ends, separator)
        if written is not None:
            return bytes(written)
    starts = [0, *ends[:-1]]
    spans = (data[start:end].decode("utf-8", "replace") for start, end in zip(starts, ends, strict=True))
    return separator.join([json.dumps(span, ensure_ascii=False).encode() for span in spans])


def _read(text: bytes) -> list[int]:
    if _native is None:
        return list(map(_number, _WORD.findall(text)))
    ids, end = _native.read_ids(text)
    found: list[int] = ids
    if end < len(text):  # not a 32-bit number; the tokenizer checks other numbers
        found += map(_number, _WORD.findall(text, end))
    return found


def _number(word: bytes) -> int:
    if not _NUMBER.fullmatch(word):
        raise _not_an_id(word)
    return int(word)


def _not_an_id(word: bytes) -> InvalidTokenIdError:
    return InvalidTokenIdError(f"{word[:40].decode('utf-8', 'replace')!r} is not a token id: ids are integers")


def _between(byte: int) -> bool:
    return _SEPARATOR.match(bytes([byte])) is not None


def _is_utf8(data: bytes) -> bool:
    from wordsplit.text import is_utf8  # noqa: PLC0415 - --help must not wait for it

    return is_utf8(data)
