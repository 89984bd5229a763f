"""Records of sources on the hub: their files, with the sha256 and size of each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from wordsplit.vocabs.formats.base import MAX_FILE_BYTES
from wordsplit.vocabs.json_tree import Node, parse_json

__all__ = ["Pin", "Record"]

_VERSION = 1
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Pin(NamedTuple):
    """The known sha256 (in hex) and size (in bytes) of a file's content. ``None``: not known."""

    sha256: str | None = None
    size: int | None = None


@dataclass(frozen=True)
class Record:
    """The files of a source.

    Attributes:
        source: The source's name: ``hf:owner/repo@revision``.
        main: The vocab file; the others are read with it.
        files: All files by name.
        commit: Their commit, if the hub named it.
        recorded: When, as ISO 8601 in UTC.
    """

    source: str
    main: str
    files: Mapping[str, Pin]
    commit: str | None = None
    recorded: str = ""

    def to_bytes(self) -> bytes:
        """Return the record as JSON."""
        files = {name: pin._asdict() for name, pin in self.files.items()}
        return json.dumps({"version": _VERSION, **asdict(self), "files": files}, indent=1).encode() + b"\n"

    @classmethod
    def from_bytes(cls, data: bytes, label: str) -> Record:
        """Read a record that `to_bytes` wrote.

        Raises:
            VocabFormatError: The data is not a record.
        """
        root = Node(parse_json(data, label), label)
        root.require_object()
        if root["version"].value != _VERSION:
            raise root["version"].wrong(f"{_VERSION}")
        root["files"].require_object()
        commit = None if root["commit"].value is None else root["commit"].string()
        files = {name: _pin(root["files"][name]) for name in root["files"].value}
        main = root["main"].string()
        if main not in files:
            raise root["main"].format_error(f"{main!r:.80} is not one of the files")
        return cls(root["source"].string(), main, files, commit, root["recorded"].string())


def _pin(node: Node) -> Pin:
    node.require_object()
    sha256, size = node["sha256"].string(), node["size"].value
    if not _SHA256.fullmatch(sha256):
        raise node["sha256"].wrong("a sha256")
    if type(size) is not int or not 0 <= size <= MAX_FILE_BYTES:
        raise node["size"].wrong(f"a size of 0 to {MAX_FILE_BYTES}")
    return Pin(sha256, size)
