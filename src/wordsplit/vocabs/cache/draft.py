"""Write files atomically: under a temporary name, then renamed when complete."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

__all__ = ["Draft"]


class Draft:
    """A new file in a folder. Unless `place` is called, nothing of it remains.

    If the folder cannot be written, data is discarded and ``error`` says why.
    """

    SUFFIX = ".part"

    def __init__(self, folder: Path) -> None:
        self.error: OSError | None = None
        self._path: Path | None = None
        import tempfile  # noqa: PLC0415 - takes 3 ms, only needed for writing

        try:
            self._fd, name = tempfile.mkstemp(prefix=".", suffix=self.SUFFIX, dir=folder)  # O_EXCL, mode 0600
            self._path = Path(name)
        except OSError as error:
            self.error = error

    def write(self, data: bytes) -> None:
        """Append data."""
        while data and self._path is not None:
            try:
                data = data[os.write(self._fd, data) :]
            except OSError as error:
                self._discard(error)

    def place(
        self,
        target: Path,
        clear: Callable[[Path], None] | None = None,
        *,
        synced: bool = True,
        changed_at: int | None = None,
    ) -> None:
        """Rename the file to its target and make it read-only.

        Args:
            target: The target, in the same folder.
            clear: Called to remove a folder at the target.
            synced: Whether to wait until the file is safe on disk.
            changed_at: The modification time to set, in nanoseconds; by default now.
        """
        if self._path is None:
            return
        try:
            if synced:
                os.fsync(self._fd)
            if changed_at is not None:
                os.utime(self._path, ns=(changed_at, changed_at))
            with suppress(OSError):  # some filesystems have no such modes
                self._path.chmod(0o444)
            if clear is not None and target.is_dir() and not target.is_symlink():
                clear(target)
            self._path.replace(target)
            if synced:
                _sync_folder(target.parent)
        except OSError as error:
            self._discard(error)
        else:
            os.close(self._fd)
            self._path = None

    def close(self) -> None:
        """Delete the file, unless it was placed."""
        self._discard(None)

    def _discard(self, error: OSError | None) -> None:
        if self._path is None:
            return
        self.error = error
        os.close(self._fd)
        with suppress(OSError):
            self._path.unlink()
        self._path = None


def _sync_folder(folder: Path) -> None:
    """Sync the folder, so that the new name is safe, where the system and the filesystem can do that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
