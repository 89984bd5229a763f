"""Write a folder atomically."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wordsplit.corpus.output_folder import sync_folder
from wordsplit.errors import CorpusError

__all__ = ["draft", "placed", "sync"]


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """Create a temporary folder next to ``path``, after removing that of an interrupted run; remove it at the end."""
    folder = path.with_name(f".{path.name}.part")
    _remove(folder)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        _remove(folder)


@contextmanager
def placed(path: Path) -> Iterator[Path]:
    """Create a temporary folder that is renamed to ``path`` at the end of the block, and removed after an exception.

    Raises:
        CorpusError: ``path`` is a file, or a folder that is not empty.
    """
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise CorpusError("exists already; remove it, or name another folder", file=path)
    with draft(path) as folder:
        yield folder
        sync(folder)
        if path.exists():
            path.rmdir()  # Windows cannot rename to an existing folder
        folder.rename(path)
        sync_folder(path.parent)


def sync(folder: Path) -> None:
    """Write all files of a folder and its subfolders to the disk, so that no name appears before its content."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            sync_folder(path)
        else:
            with path.open("r+b") as file:  # Windows syncs only writable files
                os.fsync(file.fileno())
    sync_folder(folder)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
