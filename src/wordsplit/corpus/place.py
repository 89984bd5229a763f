"""Write a folder so that it appears when it is complete, or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wordsplit.errors import CorpusError

__all__ = ["draft", "placed"]


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """Make a temporary folder beside ``path``, after removing that of an interrupted run; remove it in the end."""
    folder = path.with_name(f".{path.name}.part")
    _remove(folder)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        _remove(folder)


@contextmanager
def placed(path: Path) -> Iterator[Path]:
    """Make a temporary folder that is renamed to ``path`` at the end of the block, and removed after an exception.

    Raises:
        CorpusError: ``path`` is a file, or a folder that is not empty.
    """
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise CorpusError("exists already; remove it, or name another folder", file=path)
    with draft(path) as folder:
        yield folder
        if path.exists():
            path.rmdir()  # Windows renames to what does not exist
        folder.rename(path)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
