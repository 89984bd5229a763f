"""Read and delete files in an untrusted folder, without following symlinks."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["FLAGS", "delete", "entries", "existing", "read_regular"]

FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
"""Flags to open for reading a file that may be a link or a pipe."""


def read_regular(path: Path, max_bytes: int) -> bytes:
    """Read a regular file that is not a symbolic link."""
    with open(os.open(path, FLAGS), "rb") as file:  # noqa: PTH123 - O_NOFOLLOW
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
            raise OSError(f"{path} is not a regular file of at most {max_bytes} bytes")
        return file.read()


def entries(folder: Path) -> list[Path]:
    """List a folder, sorted by name; an empty list if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def existing(paths: Iterable[Path]) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield files with their status, except for those that another process has deleted since they were listed."""
    for path in paths:
        with suppress(OSError):
            yield path, path.lstat()


def delete(paths: Iterable[Path]) -> tuple[int, int]:
    """Delete files and empty folders. Return the number and the total size of the deleted ones."""
    count = size = 0
    for path in paths:
        with suppress(OSError):  # already deleted, or no permission
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode):
                path.rmdir()  # only if empty; the cache makes no files in folders of this name
            else:
                path.unlink()
            count, size = count + 1, size + status.st_size
    return count, size
