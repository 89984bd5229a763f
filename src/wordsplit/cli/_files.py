"""Files, folders and globs of the command line."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from wordsplit.errors import UnknownNameError

__all__ = ["files_of", "read_all"]


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
    matches = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - as it is spelt
    matches = [match for match in matches if Path(match).is_file()]
    if not matches:
        raise UnknownNameError(f"no file, folder or match for {name!r}{hint}")
    yield from matches


def read_all(names: Iterable[str], *, lone_text: bool) -> dict[str, str | bytes]:
    """What is in the files; standard input as ``-``.

    Args:
        names: Files, folders and globs.
        lone_text: Whether a single name that is none of these is the text itself, and no name at all standard input.
    """
    names = list(names)
    if not names and lone_text:
        return {"-": sys.stdin.buffer.read()}
    if lone_text and len(names) == 1 and names[0] != "-" and not _exists(names[0]):
        return {"text": names[0]}
    found = dict.fromkeys(file for name in names for file in files_of(name))
    return {file: sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes() for file in found}


def _exists(name: str) -> bool:
    try:
        return os.path.exists(name) or bool(glob.glob(name, recursive=True))  # noqa: PTH110, PTH207 - as it is spelt
    except (OSError, ValueError):  # too long a text for a name, or one with a NUL
        return False


def _within(folder: str) -> Iterator[str]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (os.path.join(root, name) for name in sorted(files) if not name.startswith("."))  # noqa: PTH118
