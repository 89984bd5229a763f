"""Files, folders and globs of the command line."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator

from wordsplit.errors import UnknownNameError
from wordsplit.registry import quoted

__all__ = ["files_of", "stands_for_files"]


def files_of(name: str, hint: str = "; to give the text itself use --text") -> Iterator[str]:
    """The files that a name stands for, in order: itself, those in the folder, those that match the glob.

    Hidden files and folders are left out, and so are links to folders; a glob finds them if it names them.

    Raises:
        UnknownNameError: There are none.
    """
    if os.path.isdir(name):  # noqa: PTH112 - these two are False, and no error, for what cannot be a name
        found = list(_within(name))
        if not found:
            raise UnknownNameError(f"no files in the folder {name!r}")
        yield from found
        return
    if name == "-" or os.path.exists(name):  # noqa: PTH110 - a pipe will do
        yield name
        return
    try:
        matches = sorted(filter(os.path.isfile, glob.glob(name, recursive=True)))  # noqa: PTH207 - as it is spelt
    except (OSError, ValueError, RecursionError):  # too long for a name, or with a NUL
        matches = []
    if not matches:
        raise UnknownNameError(f"no file, folder or match for {quoted(name)}{hint}")
    yield from matches


def stands_for_files(name: str) -> bool:
    """Whether there is a file, a folder or a match of that name."""
    try:
        return name == "-" or os.path.exists(name) or bool(glob.glob(name, recursive=True))  # noqa: PTH110, PTH207 - as above
    except (OSError, ValueError):  # too long a text for a name, or one with a NUL
        return False


def _within(folder: str) -> Iterator[str]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (os.path.join(root, name) for name in sorted(files) if not name.startswith("."))  # noqa: PTH118
