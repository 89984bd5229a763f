"""Read and delete files in an untrusted folder, without following symlinks."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from wordsplit.errors import VocabFormatError

__all__ = ["FLAGS", "delete", "entries", "existing", "is_own", "read_owned", "read_regular"]

FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
"""Flags to open for reading a file that may be a link or a pipe."""


_PASSING = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ESTALE, errno.ETIMEDOUT})
"""Errors of the process, the machine or the network, which say nothing about a file."""


def read_regular(path: Path, max_bytes: int) -> bytes:
    """Read a regular file that is not a symbolic link.

    Raises:
        OSError: It is missing or damaged, or something else has its name.
        VocabFormatError: It cannot be read now, for a reason that may pass.
    """
    return read_owned(path, max_bytes)[0]


def read_owned(path: Path, max_bytes: int) -> tuple[bytes, os.stat_result]:
    """Read a file as `read_regular` does. Return its content and its status."""
    try:
        return _read(path, max_bytes)
    except OSError as error:
        if error.errno in _PASSING:
            raise VocabFormatError(f"cannot be read: {error.strerror}", file=path, field="file") from None
        raise


def _read(path: Path, max_bytes: int) -> tuple[bytes, os.stat_result]:
    with open(os.open(path, FLAGS), "rb") as file:  # noqa: PTH123 - O_NOFOLLOW
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
            raise OSError(f"{path} is not a regular file of at most {max_bytes} bytes")
        return file.read(), status


def is_own(status: os.stat_result) -> bool:
    """Return whether a file belongs to this user or to root, or the system has no owners of files."""
    return not hasattr(os, "geteuid") or status.st_uid in (0, os.geteuid())


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
