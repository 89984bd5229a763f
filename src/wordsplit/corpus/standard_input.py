"""Standard input as a file of texts."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from wordsplit.corpus.byte_source import ByteSource
from wordsplit.corpus.files import CorpusFile
from wordsplit.corpus.inputs import Kind
from wordsplit.errors import CorpusError

__all__ = ["StandardInput"]


class StandardInput(CorpusFile):
    """Standard input: plain text or JSON lines, not compressed, read once.

    Args:
        kind: ``"text"`` or ``"jsonl"``.

    Raises:
        CorpusError: The kind is Parquet or Arrow, which are not read from a pipe.
    """

    def __init__(self, kind: Kind = "text") -> None:
        if kind in ("parquet", "arrow"):
            raise CorpusError(f"{kind.capitalize()} is not read from standard input; name the file", file="-")
        self.path = "-"
        self.kind: Kind = kind
        self.size = 0
        self._bytes = _Stream()
        self._share = 0.0
        self._begin, self._end = 0, sys.maxsize

    def __repr__(self) -> str:
        return "StandardInput()"

    def part(self, begin: int = 0, end: int = sys.maxsize) -> CorpusFile:
        """Raise an error: standard input can be read only once."""
        del begin, end
        raise CorpusError("standard input can be read only once, and has no parts", file=self.path)


class _Stream(ByteSource):
    """The bytes of standard input as they arrive."""

    def __init__(self) -> None:
        super().__init__("-", "")

    def blocks(self, size: int, *, raw: bool = False) -> Iterator[bytes]:
        """See `ByteSource.blocks`; a block may be smaller, so that output keeps up with a slow writer."""
        del raw
        self.position = 0
        try:
            while block := sys.stdin.buffer.read1(size):  # type: ignore[union-attr]
                self.position += len(block)
                yield block
        except OSError as error:
            raise CorpusError(f"cannot be read: {error.strerror or error}", file="-") from error
