"""A file in the making: written beside its place, and moved there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

__all__ = ["Draft"]


class Draft:
    """A new file of a folder. Unless it is placed, nothing of it stays.

    If the folder cannot be written, it takes everything and keeps nothing; ``error`` then says why.
    """

    SUFFIX = ".part"

    def __init__(self, folder: Path) -> None:
        self.error: OSError | None = None
        self._path: Path | None = None
        import tempfile  # noqa: PLC0415 - 3 ms that only those who write need

        try:
            self._fd, name = tempfile.mkstemp(prefix=".", suffix=self.SUFFIX, dir=folder)  # O_EXCL, mode 0600
            self._path = Path(name)
        except OSError as error:
            self.error = error

    def write(self, data: bytes) -> None:
        """Add data at the end."""
        while data and self._path is not None:
            try:
                data = data[os.write(self._fd, data) :]
            except OSError as error:
                self._give_up(error)

    def place(
        self,
        target: Path,
        clear: Callable[[Path], None] | None = None,
        *,
        synced: bool = True,
        changed_at: int | None = None,
    ) -> None:
        """Move it to its place, read-only.

        Args:
            target: The place, in the same folder.
            clear: Called to take away a folder that stands there.
            synced: Whether to wait until it is safe on the disk.
            changed_at: When it is to say it was last changed, in nanoseconds, if that is not now.
        """
        if self._path is None:
            return
        try:
            if synced:
                os.fsync(self._fd)
            if changed_at is not None:
                os.utime(self._path, ns=(changed_at, changed_at))
            self._path.chmod(0o444)
            if clear is not None and target.is_dir() and not target.is_symlink():
                clear(target)
            self._path.replace(target)
            if synced:
                _sync_folder(target.parent)
        except OSError as error:
            self._give_up(error)
        else:
            os.close(self._fd)
            self._path = None

    def close(self) -> None:
        """Drop it, unless it was placed."""
        self._give_up(None)

    def _give_up(self, error: OSError | None) -> None:
        if self._path is None:
            return
        self.error = error
        os.close(self._fd)
        with suppress(OSError):
            self._path.unlink()
        self._path = None


def _sync_folder(folder: Path) -> None:
    """Make the new name last; not every system can open a folder, and those that cannot need it not."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
