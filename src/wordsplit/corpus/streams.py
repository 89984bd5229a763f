"""Open the bytes of an input: a file or an `fsspec` URL, decompressed if its name ends in .gz or .zst.

Decompression is done by libraries that release the GIL and whose output is bounded by the caller's buffer: `isal` for
gzip (2.5 times as fast as zlib; Python's `gzip` if it is not installed), `wordsplit.corpus.zstd` for Zstandard.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Protocol

from wordsplit.corpus.zstd import ZstdStream, is_available, zstd
from wordsplit.errors import CorpusError

__all__ = ["ByteStream", "compression_of", "fsspec_of", "is_url", "open_raw", "open_stream"]


class ByteStream(Protocol):
    """A stream that fills a caller's buffer."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer from its beginning as far as possible, and return the number of bytes; 0 at the end."""


def compression_of(path: str) -> str:
    """Return ``"gz"``, ``"zst"`` or ``""``, from a file's name.

    Raises:
        CorpusError: No installed package can decompress it.
    """
    _, dot, suffix = path.lower().rpartition(".")
    if not dot or suffix not in {"gz", "zst"}:
        return ""
    if suffix == "zst" and not is_available():
        raise CorpusError("a .zst file needs Python 3.14 or backports.zstd: pip install 'wordsplit[corpus]'", file=path)
    return suffix


def is_url(path: str) -> bool:
    """Return whether a path is a URL for `fsspec`, such as ``s3://bucket/file.jsonl.gz``."""
    scheme, there, _ = path.partition("://")
    return bool(there) and scheme.isidentifier()


def fsspec_of(url: str) -> Any:
    """Return the package `fsspec`.

    Raises:
        CorpusError: It is not installed.
    """
    try:
        return importlib.import_module("fsspec")
    except ImportError:
        raise CorpusError("a URL needs fsspec: pip install 'wordsplit[corpus-remote]'", file=url) from None


def open_raw(path: str) -> IO[bytes]:
    """Open a file or URL for reading, with random access and without decompression.

    Raises:
        CorpusError: A URL needs a package that is not installed.
        OSError: It cannot be opened.
    """
    if not is_url(path):
        return open(path, "rb")  # noqa: PTH123 - closed by the caller; the path as given
    fsspec = fsspec_of(path)
    filesystem, name = fsspec.core.url_to_fs(path)
    file: IO[bytes] = filesystem.open(name, "rb")
    return file


@contextmanager
def open_stream(raw: IO[bytes], compression: str, path: str) -> Iterator[ByteStream]:
    """Return the decompressed bytes of an open file. Errors within the block become `CorpusError` with the path.

    Raises:
        CorpusError: The file cannot be read, or its compressed data are damaged or truncated.
    """
    damage: tuple[type[Exception], ...] = ()
    try:
        stream, damage = _decompressed(raw, compression)
        yield stream
    except EOFError:
        raise _damaged(path, "") from None
    except damage as error:
        raise _damaged(path, str(error)) from error
    except OSError as error:
        if compression and error.errno is None:  # of a decompressor
            raise _damaged(path, str(error)) from error
        raise CorpusError(f"cannot be read: {error.strerror or error}", file=path) from error


def _damaged(path: str, why: str) -> CorpusError:
    found = (
        f"the compressed data are damaged: {why}"
        if why
        else "it is truncated or damaged: the compressed data have no end"
    )
    return CorpusError(found, file=path)


def _decompressed(raw: Any, compression: str) -> tuple[Any, tuple[type[Exception], ...]]:
    """Return the stream, and the errors it raises for damage. An empty file is empty text."""
    if not compression:
        return raw, ()
    if not raw.read(1):
        return raw, ()
    raw.seek(0)
    if compression == "gz":
        try:
            igzip = importlib.import_module("isal.igzip")
        except ImportError:
            igzip = importlib.import_module("gzip")
            return igzip.GzipFile(fileobj=raw), (igzip.BadGzipFile, zlib.error)
        errors = importlib.import_module("isal.isal_zlib").error
        return igzip.GzipFile(fileobj=raw), (igzip.BadGzipFile, zlib.error, errors)
    return ZstdStream(raw), (zstd().ZstdError,)
