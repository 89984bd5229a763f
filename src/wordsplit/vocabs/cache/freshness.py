"""Detect changed source files of a vocab.

A file counts as unchanged while its size, its times of change (of content and inode, in nanoseconds) and its inode
are the same. Only a change within the clock tick of the last one could go unnoticed. So if a file was changed less
than two seconds before it was read, its sha256 is compared as well.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from wordsplit.vocabs.formats.base import Source

__all__ = ["RecordedSource", "SourceStates", "unchanged_since"]

SLACK_NS = 2_000_000_000
"""The coarsest clock of a file system in use (FAT)."""

Signature: TypeAlias = "list[int] | None"
"""Size, times of change, device and inode; ``None`` if there is no file."""

SourceStates: TypeAlias = "list[tuple[str, Signature, str | None]]"
"""Path, signature, and the sha256 if the whole file was read."""


def _signature(path: str | os.PathLike[str]) -> Signature:
    try:
        status = os.stat(path)  # noqa: PTH116 - a Path for each costs more than the call
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_dev, status.st_ino]


@dataclass(frozen=True)
class RecordedSource(Source):
    """A file as a source that records what is read from it and from other files in its folder.

    Attributes:
        seen: By path, the signature before the read, and the sha256 of the content.
    """

    seen: dict[str, tuple[Signature, str | None]] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path) -> RecordedSource:
        """Make the source of a file."""
        source = cls(path=path)
        source._note(path)  # a loader may read just its beginning, which is not recorded otherwise
        return source

    def sibling(self, name: str) -> bytes | None:
        """See `Source.sibling`. A missing file is also recorded."""
        self._note((self.path or Path()).parent / name)
        return super().sibling(name)

    def states(self) -> SourceStates | None:
        """Return the recorded states; ``None`` if a file changed in the meantime."""
        rows = [(path, signature, sha256) for path, (signature, sha256) in self.seen.items()]
        return rows if all(_signature(path) == signature for path, signature, _ in rows) else None

    def _note(self, path: Path) -> None:
        absolute = os.path.abspath(path)  # noqa: PTH100 - as above
        self.seen.setdefault(absolute, (_signature(absolute), None))

    def _read(self, path: Path) -> bytes:
        import hashlib  # noqa: PLC0415 - 3 ms of OpenSSL that a load from the compiled cache does not need

        self._note(path)
        data = super()._read(path)
        absolute = os.path.abspath(path)  # noqa: PTH100 - as above
        self.seen[absolute] = (self.seen[absolute][0], hashlib.sha256(data).hexdigest())
        return data


def unchanged_since(states: Sequence[Sequence[object]], read_at: int) -> bool | None:
    """Return whether the files are unchanged.

    Args:
        states: The result of `RecordedSource.states`.
        read_at: When they were read, or last found unchanged, in nanoseconds.

    Returns:
        ``None`` if they are, but recently changed files had to be compared by content.
    """
    young = []
    for path, signature, sha256 in states:
        if _signature(str(path)) != signature:
            return False
        if signature is not None and max(signature[1:3]) > read_at - SLACK_NS:
            young.append((Path(str(path)), sha256))
    if not young:
        return True
    import hashlib  # noqa: PLC0415 - as above

    for file, sha256 in young:
        if sha256 is None or hashlib.sha256(Source(path=file).read()).hexdigest() != sha256:
            return False
    return None
