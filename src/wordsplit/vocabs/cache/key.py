"""What a compiled file is the answer to: what was asked for, and of which build."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache as cached
from pathlib import Path
from typing import Any, NamedTuple

from wordsplit.vocabs.formats.base import Overrides, Source

__all__ = ["CacheKey", "build_id"]

PACKAGE = str(Path(__file__).parents[2])
ABOVE = frozenset({"__pycache__", "cli", "compat", "corpus", "features", "testing", "training"})
"""Folders of the layers above, which no vocab is made by; tests/vocabs/cache/test_key.py proves it."""
ENDINGS = (".py", ".json", ".bin")


class CacheKey(NamedTuple):
    """What was asked for: all that decides what a load gives, but the content of files.

    Attributes:
        source: A path, or the name of a bundled vocab.
        details: What else counts; plain values.
    """

    source: str
    details: dict[str, Any]

    @classmethod
    def of(cls, source: Source, overrides: Overrides, wanted: str | None) -> CacheKey:
        """The key for a file, or for bytes whose sha256 is known."""
        details = {"label": source.label, "stem": source.stem, "format": wanted, **asdict(overrides)}
        if source.path is None:
            return cls(source.label, details | {"digests": dict(source.digests)})
        return cls(os.path.abspath(source.path), details)  # noqa: PTH100 - links are followed when it is opened

    @property
    def file_name(self) -> str:
        """The name of its compiled file: the key's number, and the build's."""
        from wordsplit._native import checksum  # noqa: PLC0415 - pure-Python builds lack it

        return f"{checksum(self.to_json().encode()):016x}-{build_id()}.vocab"

    def is_plain(self) -> bool:
        """Whether text can say it: overrides are what a caller gives."""
        try:
            self.to_json()
        except (TypeError, ValueError):
            return False
        return True

    def to_json(self) -> str:
        """The key as text, the same for the same."""
        return json.dumps([self.source, self.details], sort_keys=True)


@cached
def build_id() -> str:
    """A number for the code that reads vocabs and lays tables out; empty if it cannot write compiled files.

    The native module says of which headers it was made. The Python modules and data are all those of the package but
    the folders of `ABOVE`, each known by its size and time of change.
    """
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return ""
    try:
        rows = sorted(_sources(PACKAGE))
    except OSError:  # in an archive
        return ""
    return f"{_native.checksum(repr((_native.layout_build(), rows)).encode()):016x}"


def _sources(folder: str) -> Iterator[tuple[str, int, int]]:
    """Path, size and time of change of each file that may decide what a load gives."""
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir():
                if entry.name not in ABOVE:
                    yield from _sources(entry.path)
            elif entry.name.endswith(ENDINGS):
                status = entry.stat()
                yield entry.path.removeprefix(PACKAGE), status.st_size, status.st_mtime_ns
