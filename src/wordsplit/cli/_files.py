"""Files, folders and globs of the command line."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator

from wordsplit.corpus.inputs import expanded

__all__ = ["files_of", "stands_for_files"]


def files_of(name: str, hint: str = "; to give the text itself use --text") -> Iterator[str]:
    """Yield the files that a name refers to, in order: the file, the files in the folder, or the glob's matches.

    Hidden files and folders are left out, and so are links to folders, unless a glob names them.

    Raises:
        UnknownNameError: There are no such files.
    """
    return expanded(name, hint=hint)


def stands_for_files(name: str) -> bool:
    """Return whether there is a file, a folder or a glob match of that name."""
    try:
        return name == "-" or os.path.exists(name) or bool(glob.glob(name, recursive=True))  # noqa: PTH110, PTH207 - as above
    except (OSError, ValueError):  # too long a text for a name, or one with a NUL
        return False
