"""Read the bytes of a file in blocks, and decompress them.

However large a file is when decompressed, only one block is in memory. `zstandard` outputs everything that it makes
of its input, so it is fed in small pieces: a piece of one run expands 32,768 times, to 32 MB.
"""

from __future__ import annotations

import gzip
import importlib
import importlib.util
import sys
import zlib
from collections.abc import Iterator
from io import BufferedReader
from typing import Any, Protocol

from wordsplit.errors import CorpusError

__all__ = ["ByteSource", "compression_of"]

_PIECE = 1024


class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...


def compression_of(path: str) -> str:
    """Return ``"gz"``, ``"zst"`` or ``""``, from a file's name.

    Raises:
        CorpusError: No installed package can decompress it.
    """
    _, dot, suffix = path.lower().rpartition(".")
    if not dot or suffix not in {"gz", "zst"}:
        return ""
    if suffix == "zst" and not _in_python() and importlib.util.find_spec("zstandard") is None:
        raise CorpusError("a .zst file needs Python 3.14 or zstandard: pip install 'wordsplit[corpus]'", file=path)
    return suffix


class ByteSource:
    """A file's decompressed bytes.

    Args:
        path: The file.
        compression: ``"gz"``, ``"zst"`` or ``""``.

    Attributes:
        position: How many of the bytes on disk have been read; 0 for a pipe.
    """

    def __init__(self, path: str, compression: str) -> None:
        self._path = path
        self._compression = compression
        self.position: int = 0

    def blocks(self, size: int, *, raw: bool = False) -> Iterator[bytes]:
        """Yield its bytes from the beginning, in blocks of 1 to ``size`` bytes; ``raw``: not decompressed.

        Raises:
            CorpusError: It cannot be read, or is damaged.
        """
        self.position = 0
        try:
            with open(self._path, "rb") as file:  # noqa: PTH123 - as for other file names
                reader, damage = (file, ()) if raw else self._reader(file)
                tells = file.seekable()
                while block := self._read(reader, size, damage):
                    if tells:
                        self.position = file.tell()
                    yield block
        except OSError as error:
            raise CorpusError(f"cannot be read: {error.strerror or error}", file=self._path) from error

    def _read(self, reader: _Reader, size: int, damage: tuple[type[Exception], ...]) -> bytes:
        try:
            return reader.read(size)
        except EOFError:
            found = "it is cut short: the compressed data have no end"
        except damage as error:
            found = f"the compressed data are damaged: {error}"
        raise CorpusError(found, file=self._path)

    def _reader(self, file: BufferedReader) -> tuple[_Reader, tuple[type[Exception], ...]]:
        """Return the decompressor, and the errors it raises for damage. An empty file is empty text."""
        if not self._compression or not file.peek(1):
            return file, ()
        if self._compression == "gz":
            return gzip.GzipFile(fileobj=file), (gzip.BadGzipFile, zlib.error)
        if _in_python():
            zstd = importlib.import_module("compression.zstd")
            return zstd.ZstdFile(file), (zstd.ZstdError,)
        zstandard = importlib.import_module("zstandard")
        return _Frames(file, zstandard.ZstdDecompressor()), (zstandard.ZstdError,)


def _in_python() -> bool:
    return sys.version_info >= (3, 14)


class _Frames:
    """Read the frames of a .zst file with `zstandard`, whose own reader does not detect a truncated file."""

    def __init__(self, file: BufferedReader, decompressor: Any) -> None:
        self._file = file
        self._decompressor = decompressor
        self._frame: Any = None
        self._rest = b""
        self._made = b""
        self._given = 0

    def read(self, size: int) -> bytes:
        """Read up to ``size`` bytes; none at the end."""
        parts: list[bytes] = []
        while size and (self._given < len(self._made) or self._make()):
            parts.append(self._made[self._given : self._given + size])
            self._given += len(parts[-1])
            size -= len(parts[-1])
        found = b"".join(parts)
        if not found and self._frame is not None:
            raise EOFError
        return found

    def _make(self) -> bool:
        """Decompress the next piece, and return whether there was one."""
        piece = self._rest or self._file.read(_PIECE)
        if not piece:
            return False
        self._frame = self._frame or self._decompressor.decompressobj()
        self._made, self._given = self._frame.decompress(piece), 0
        self._rest = self._frame.unused_data
        if self._frame.eof:
            self._frame = None
        return True
