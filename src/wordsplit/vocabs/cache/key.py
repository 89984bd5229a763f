"""What a compiled file is the answer to: what was asked for, and of which build."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from functools import cache as cached
from pathlib import Path
from typing import Any, NamedTuple

from wordsplit.vocabs.formats.base import Overrides, Source

__all__ = ["Request", "build"]


class Request(NamedTuple):
    """What was asked for: all that decides what a load gives, but the content of files.

    Attributes:
        source: A path, or the name of a bundled vocab.
        details: What else counts; plain values.
    """

    source: str
    details: dict[str, Any]

    @classmethod
    def of(cls, source: Source, overrides: Overrides, wanted: str | None) -> Request:
        """The request for a file, or for bytes whose sha256 is known."""
        details = {"label": source.label, "stem": source.stem, "format": wanted, **asdict(overrides)}
        if source.path is None:
            return cls(source.label, details | {"digests": dict(source.digests)})
        return cls(os.path.abspath(source.path), details)  # noqa: PTH100 - links are followed when it is opened

    @property
    def file_name(self) -> str:
        """The name of its compiled file: the request's number, and the build's."""
        from wordsplit._native import checksum  # noqa: PLC0415 - pure-Python builds lack it

        return f"{checksum(self.to_json().encode()):016x}-{build()}.vocab"

    def is_plain(self) -> bool:
        """Whether text can say it: overrides are what a caller gives."""
        try:
            self.to_json()
        except (TypeError, ValueError):
            return False
        return True

    def to_json(self) -> str:
        """The request as text, the same for the same."""
        return json.dumps([self.source, self.details], sort_keys=True)


@cached
def build() -> str:
    """A number for the code that reads vocabs and lays tables out; empty if it cannot write compiled files.

    The native module says of which headers it was made; the Python modules and data tell by size and time of change.
    """
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return ""
    here = Path(__file__).parent
    rows: list[tuple[str, int, int]] = []
    for folder in (here.parent, here, here / "data"):
        try:
            with os.scandir(folder) as found:
                files = [(entry.name, entry.stat()) for entry in found if entry.is_file()]
        except OSError:  # in an archive
            return ""
        rows += [(name, status.st_size, status.st_mtime_ns) for name, status in files]
    return f"{_native.checksum(repr((_native.layout_build(), sorted(rows))).encode()):016x}"
