"""The cache key of a compiled vocab: the request, and the build."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache as cached
from pathlib import Path
from typing import Any, NamedTuple

from wordsplit.vocabs.formats.base import Overrides, Source

__all__ = ["CacheKey", "build_id", "is_unpacked"]

PACKAGE = str(Path(__file__).parents[2])
ABOVE = frozenset({"__pycache__", "cli", "compat", "corpus", "features", "testing", "training"})
"""Folders of the layers above, which do not affect vocabs; tests/vocabs/cache/test_key.py checks this."""
ENDINGS = (".py", ".pyc", ".json", ".bin")
"""Of sources and data; frozen programs have modules as ``.pyc`` files alone."""


class CacheKey(NamedTuple):
    """A request: everything that determines the result of a load, except the content of files.

    Attributes:
        source: A path, or the name of a bundled vocab.
        details: Other details, as plain values.
    """

    source: str
    details: dict[str, Any]

    @classmethod
    def of(cls, source: Source, overrides: Overrides, wanted: str | None) -> CacheKey:
        """Make the key for a file, or for bytes with a known sha256."""
        details = {"label": source.label, "stem": source.stem, "format": wanted, **asdict(overrides)}
        if source.path is None:
            return cls(source.label, details | {"digests": dict(source.digests)})
        return cls(os.path.abspath(source.path), details)  # noqa: PTH100 - links are followed when it is opened

    @property
    def file_name(self) -> str:
        """The name of the compiled file: the key's checksum and the build's."""
        from wordsplit._native import checksum  # noqa: PLC0415 - pure-Python builds lack it

        return f"{checksum(self.to_json().encode()):016x}-{build_id()}.vocab"

    def is_plain(self) -> bool:
        """Return whether the key can be written as text. Overrides may be any objects of a caller."""
        try:
            self.to_json()
        except (TypeError, ValueError):
            return False
        return True

    def to_json(self) -> str:
        """Return the key as text. Equal keys give equal text."""
        return json.dumps([self.source, self.details], sort_keys=True)


@cached
def build_id() -> str:
    """Return a number for the code that reads vocabs and lays out tables; empty if it cannot write compiled files.

    The native module contributes a number for its headers. The Python modules and data are all those of the package
    except the folders of `ABOVE`, each identified by its size and time of change. A program made by PyInstaller has the
    modules inside, and may unpack the data anew for each run; it is identified by its own file. Some ways of installing
    give all files the same time, in every version, so the version counts as well.
    """
    from wordsplit import __version__  # noqa: PLC0415 - the package imports this module

    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return ""
    try:
        rows = [_program()] if hasattr(sys, "_MEIPASS") else sorted(_sources(PACKAGE))
    except OSError:  # the package is in an archive
        return ""
    return f"{_native.checksum(repr((__version__, _native.layout_build(), rows)).encode()):016x}"


def _sources(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield path, size and time of change of each file that may affect the result of a load."""
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir():
                if entry.name not in ABOVE:
                    yield from _sources(entry.path)
            elif entry.name.endswith(ENDINGS):
                status = entry.stat()
                yield entry.path.removeprefix(PACKAGE), status.st_size, status.st_mtime_ns


def _program() -> tuple[str, int, int]:
    """Return the path, size and time of change of the running program."""
    status = Path(sys.executable).stat()
    return sys.executable, status.st_size, status.st_mtime_ns


def is_unpacked(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is one that a one-file program made by PyInstaller has unpacked for this run."""
    folder = Path(getattr(sys, "_MEIPASS", ""))
    return folder.name.startswith("_MEI") and folder in Path(path).parents
