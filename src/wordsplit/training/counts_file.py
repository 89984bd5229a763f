"""Counted spans on disk: counts that do not fit into memory, and saved counts.

A counts file is a line that names the format, a line of JSON, and a run: each span once with its count, in an order
that depends only on these (``native/include/wordsplit/training/runs.hpp``). So equal counts give equal files, and files
are added by reading them in parallel.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from wordsplit.atomic_file import write_atomically
from wordsplit.errors import VocabFormatError

__all__ = ["Run", "read_counts", "spill", "write_counts"]

_MAGIC = b"wordsplit counts 1\n"
_LONGEST_HEADER = 16 << 20

Run = bytes | memoryview | mmap.mmap


def spill(write_run: Callable[[Callable[[bytes], Any]], None]) -> Run:
    """Write a run to a temporary file, which is deleted when it is no longer used, and map it.

    Raises:
        OSError: It cannot be written; the error names the folder for temporary files.
    """
    try:
        with tempfile.TemporaryFile(prefix="wordsplit-counts-") as file:
            write_run(file.write)
            file.flush()
            return _mapped(file)
    except OSError as error:
        what = f"{error.strerror} (the counts need a temporary file; the variable TMPDIR names another folder for it)"
        raise OSError(error.errno, what, tempfile.gettempdir()) from error


def _mapped(file: IO[bytes]) -> Run:
    size = os.fstat(file.fileno()).st_size
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""


def write_counts(path: Path, header: dict[str, Any], write_run: Callable[[Callable[[bytes], Any]], None]) -> None:
    """Write a counts file atomically."""
    run = spill(write_run)
    header = {**header, "size": len(run)}
    header["sha256"] = _digest(header, run)
    write_atomically(path, _MAGIC, json.dumps(header).encode() + b"\n", run)


def read_counts(path: Path) -> tuple[dict[str, Any], Run]:
    """Return the header and the run of a counts file; the run stays on disk.

    Raises:
        VocabFormatError: It is not a counts file, or is damaged.
    """
    try:
        with path.open("rb") as file:
            magic, line = file.readline(len(_MAGIC)), file.readline(_LONGEST_HEADER)
            start = file.tell()
            whole = _mapped(file)
    except OSError as error:
        raise VocabFormatError(f"cannot be read: {error.strerror or error}", file=path, field="file") from None
    if magic != _MAGIC:
        raise VocabFormatError(f"is not a counts file: it begins with {magic[:24]!r}", file=path, field="line 1")
    try:
        header = json.loads(line)
        size, digest = int(header["size"]), str(header.pop("sha256"))
    except (ValueError, KeyError, TypeError) as error:
        raise VocabFormatError(f"is damaged ({error!r})", file=path, field="line 2") from None
    run = memoryview(whole)[start:]
    if len(run) != size:
        raise VocabFormatError(
            f"has {len(run)} bytes of counts, but should have {size}; it is truncated", file=path, field="size"
        )
    if _digest(header, run) != digest:
        raise VocabFormatError("is damaged: its checksum differs", file=path, field="sha256")
    return header, run


def _digest(header: dict[str, Any], run: Run) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    digest.update(run)
    return digest.hexdigest()
