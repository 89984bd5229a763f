"""Files of a folder that others may write to, too: nothing is followed, nothing is taken for granted."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

__all__ = ["FLAGS", "delete", "entries", "read_regular"]

FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
"""To open a file for reading that may be anything: a link, a pipe."""


def read_regular(path: Path, max_bytes: int) -> bytes:
    """The content of a regular file, reached by no symbolic link."""
    with open(os.open(path, FLAGS), "rb") as file:  # noqa: PTH123 - O_NOFOLLOW
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
            raise OSError(f"{path} is no regular file of at most {max_bytes} bytes")
        return file.read()


def entries(folder: Path) -> list[Path]:
    """What is in a folder, by name; nothing, if it cannot be looked into."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def delete(paths: Iterable[Path]) -> tuple[int, int]:
    """Delete files and empty folders; how many, and how large, those are that are gone."""
    count = size = 0
    for path in paths:
        with suppress(OSError):  # gone already, or not ours to delete
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode):
                path.rmdir()  # an empty one; what is in others is none of the cache's
            else:
                path.unlink()
            count, size = count + 1, size + status.st_size
    return count, size
