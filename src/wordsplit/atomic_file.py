"""Write files atomically."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wordsplit.arguments import absolute_path

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["write_atomically"]


def write_atomically(path: Path, *parts: Buffer, replaces_links: bool = False) -> None:
    """Write a file atomically: a reader sees all of it or nothing, and after an error the old file is still there.

    By default a link stays a link, and a device or a pipe is written to as it is. Of several threads or processes that
    write the same file, the last one wins.

    Args:
        path: The file.
        parts: Its content, one part after the other.
        replaces_links: Whether a link, a device or a pipe is replaced: in a folder that others may write to, a link of
            theirs could lead anywhere.

    Raises:
        OSError: It cannot be written. The error names ``path``, also if the disk is full.
    """
    target = Path(absolute_path(os.fspath(path)))
    if not replaces_links:
        target = Path(os.path.realpath(target))
    is_replaced = replaces_links or target.is_file() or not target.exists()
    written = target.with_name(f".{os.urandom(12).hex()}.part") if is_replaced else target
    try:
        with written.open("wb") as file:
            for part in parts:
                file.write(part)
        if is_replaced:
            written.replace(target)
    except BaseException as error:
        if is_replaced:
            with suppress(OSError):
                written.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
