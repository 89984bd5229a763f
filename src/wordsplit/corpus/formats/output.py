"""Write a file once, from its beginning to its end, and keep its size and its checksum."""

from __future__ import annotations

import mmap
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from wordsplit import hints
from wordsplit.arrays import numpy
from wordsplit.corpus.checksum import Crc32
from wordsplit.errors import CorpusError

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Buffer

__all__ = ["Output", "mapped", "with_suffix"]

_BUFFER = 1 << 18


def with_suffix(stem: Path, suffix: str) -> Path:
    """Return the path that begins with ``stem`` and ends with ``suffix``; a dot in the stem's name stays.

    Example:
        >>> with_suffix(Path("shards/a.b"), ".bin").name
        'a.b.bin'
    """
    return stem.with_name(stem.name + suffix)


class Output:
    """A file that is written once, with the checksum of its content. A ``with`` block closes it, or removes it.

    Args:
        path: The file. It is replaced if it exists.

    Attributes:
        path: The file.
        bytes: The bytes written so far.
    """

    def __init__(self, path: Path) -> None:
        self.path: Path = path
        self.bytes: int = 0
        self._checksum = Crc32()
        self._file = path.open("wb", buffering=_BUFFER)

    @property
    def closed(self) -> bool:
        """Whether the file is closed."""
        return self._file.closed

    @property
    def digest(self) -> tuple[int, str]:
        """The size in bytes and the CRC-32, in hexadecimal, of the written bytes."""
        return self.bytes, self._checksum.hexdigest()

    def write(self, data: Buffer | npt.NDArray[Any]) -> int:
        """Append bytes, and return how many."""
        view = memoryview(data)  # type: ignore[arg-type]  # mypy sees no buffer in an array before Python 3.12
        if not view.nbytes:
            return 0  # an empty view cannot be cast
        view = view.cast("B")
        self._checksum.update(view)
        self._file.write(view)
        self.bytes += len(view)
        return len(view)

    def flush(self) -> None:
        """Pass buffered bytes to the operating system."""
        self._file.flush()

    def __enter__(self) -> hints.Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()

    def close(self) -> None:
        """Write everything to the disk, and close the file."""
        if not self._file.closed:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()

    def abort(self) -> None:
        """Close the file and remove it."""
        with suppress(OSError):  # the rest of the buffer cannot be written to a full disk
            self._file.close()
        self.path.unlink(missing_ok=True)


def mapped(path: Path, dtype: str) -> npt.NDArray[Any]:
    """Map a file as a read-only array; pages are read when they are used.

    Args:
        path: The file.
        dtype: The type of its items, little-endian: ``"<u4"``.

    Raises:
        CorpusError: The file is missing, cannot be read, or does not hold a whole number of items.
    """
    np = numpy()
    kind = np.dtype(dtype)
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size % kind.itemsize:
                raise CorpusError(f"{size:,} bytes are not a whole number of {kind} items; damaged", file=path)
            if not size:
                return np.empty(0, kind)  # type: ignore[no-any-return]  # an empty file cannot be mapped
            # A map keeps its own descriptor by default, and a process has few.
            untracked = {"trackfd": False} if sys.version_info >= (3, 13) else {}
            return np.frombuffer(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ, **untracked), kind)  # type: ignore[no-any-return]
    except OSError as error:
        raise CorpusError(f"cannot be read: {error.strerror}", file=path) from error
