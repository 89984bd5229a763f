"""Refuse files that are not text: other encodings, compressed data and other binary files.

A file is judged by its first 64 KiB: by a byte order mark, by the signatures of formats, and by NUL bytes,
which count as text only in valid UTF-8 with few other control characters. Bytes that are not UTF-8 do not make a file
binary; they are kept.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from wordsplit.errors import CorpusError

__all__ = ["CHECKED", "check_head", "checked"]

CHECKED = 1 << 16

_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32LE"),
    (b"\x00\x00\xfe\xff", "UTF-32BE"),
    (b"\xff\xfe", "UTF-16LE"),
    (b"\xfe\xff", "UTF-16BE"),
)
_KINDS = (
    (b"\x1f\x8b", "gzip data", "name it .gz"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data", "name it .zst"),
    (b"PAR1", "Parquet", "name it .parquet"),
    (b"ARROW1\0\0", "Arrow IPC", "name it .arrow"),
    (b"PK\x03\x04", "a ZIP archive (as .docx and .xlsx are)", "extract its text"),
    (b"%PDF-", "PDF", "extract its text"),
    (b"\xfd7zXZ\x00", "xz data", "decompress it"),
    *((b"BZh%d1AY&SY" % level, "bzip2 data", "decompress it") for level in range(1, 10)),
    (b"\x89PNG\r\n", "a PNG picture", ""),
    (b"\xff\xd8\xff", "a JPEG picture", ""),
    (b"\x7fELF", "a program", ""),
    (b"SQLite format 3\x00", "an SQLite database", "export its text"),
)
_CONTROLS = bytes({*range(0x20), 0x7F} - set(b"\t\n\r\f"))


def checked(blocks: Iterator[bytes], path: str) -> Iterator[bytes]:
    """Yield the blocks of a file, after checking that it is text in UTF-8.

    Raises:
        CorpusError: It is something else; the message says what, and what to do.
    """
    head = b""
    for block in blocks:
        if len(head) < CHECKED:
            head = (head + block)[:CHECKED]
            check_head(head, path)
        yield block


def check_head(head: bytes, path: str) -> None:
    """Check the first bytes of a file.

    Raises:
        CorpusError: The file is not text in UTF-8; the message says what it is, and what to do.
    """
    if found := _not_text(head[:CHECKED]):
        raise CorpusError(found, file=path)


def _not_text(head: bytes) -> str:
    """Describe the content of a file by its beginning; the empty string for text."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return _converted(encoding, "it begins with a byte order mark")
    for magic, kind, todo in _KINDS:
        if head.startswith(magic):
            return f"not text but {kind}" + (f"; {todo}" if todo else "")
    at = head.find(b"\0")
    if at < 0:
        return ""
    # ASCII in UTF-16 has a NUL in every second byte.
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) >= 4 and max(even, odd) > 0.4 * len(head) / 2 and min(even, odd) < 0.1 * max(even, odd):
        return _converted("UTF-16LE" if odd > even else "UTF-16BE", "every second byte is NUL")
    if _is_utf8_so_far(head) and len(head) - len(head.translate(None, _CONTROLS)) < 0.1 * len(head):
        return ""
    return f"not text: it is binary, with a NUL byte at offset {at}"


def _is_utf8_so_far(head: bytes) -> bool:
    """Return whether bytes are UTF-8, or a prefix of UTF-8."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _converted(encoding: str, why: str) -> str:
    return f"the text is in {encoding} ({why}), but must be UTF-8; convert it: iconv -f {encoding} -t UTF-8"
