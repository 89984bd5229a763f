"""Files, folders and globs of the command line."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator

from wordsplit.errors import UnknownNameError
from wordsplit.registry import quoted

__all__ = ["files_of", "stands_for_files"]


def files_of(name: str, hint: str = "; to give the text itself use --text") -> Iterator[str]:
    """Yield the files that a name stands for, in order: the file, the files in the folder, or the glob's matches.

    Hidden files and folders are left out, and so are links to folders, unless a glob names them.

    Raises:
        UnknownNameError: There are no such files.
    """
    if os.path.isdir(name):  # noqa: PTH112 - unlike Path, these return False for invalid names
        found = list(_within(name))
        if not found:
            raise UnknownNameError(f"no files in the folder {name!r}")
        yield from found
        return
    if name == "-" or os.path.exists(name):  # noqa: PTH110 - may be a pipe
        yield name
        return
    try:
        matches = sorted(filter(os.path.isfile, glob.glob(name, recursive=True)))  # noqa: PTH207 - matches as spelled
    except (OSError, ValueError, RecursionError):  # the name is too long, or has a NUL
        matches = []
    if not matches:
        raise UnknownNameError(f"no file, folder or match for {quoted(name)}{hint}")
    yield from matches


def stands_for_files(name: str) -> bool:
    """Return whether there is a file, a folder or a glob match of that name."""
    try:
        return name == "-" or os.path.exists(name) or bool(glob.glob(name, recursive=True))  # noqa: PTH110, PTH207 - as above
    except (OSError, ValueError):  # too long a text for a name, or one with a NUL
        return False


def _within(folder: str) -> Iterator[str]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (os.path.join(root, name) for name in sorted(files) if not name.startswith("."))  # noqa: PTH118
