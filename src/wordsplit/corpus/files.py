"""A file of texts, of whatever kind."""

from __future__ import annotations

import codecs
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from wordsplit.corpus import jsonl, parquet
from wordsplit.corpus.checks import checked
from wordsplit.corpus.compressed import ByteSource, compression_of
from wordsplit.corpus.lines import lines_of
from wordsplit.errors import CorpusError, InputTypeError

__all__ = ["CorpusFile", "Kind", "files_of"]

Kind = Literal["text", "jsonl", "parquet"]
_KINDS: dict[str, Kind] = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
_LINES_BLOCK = 1 << 20


class CorpusFile:
    """A file of texts, which is plain text, JSON lines or Parquet by its name; see `wordsplit.corpus`.

    Nothing is read before `blocks` or `texts` is iterated over, and then from the beginning, in bounded memory: a
    block, a line, or 256 rows.

    Args:
        path: The file. A named pipe will do, but for Parquet.
        kind: What it is, if its name does not say.

    Attributes:
        path: Its path.
        kind: ``"text"``, ``"jsonl"`` or ``"parquet"``.
        size: Its bytes on disk; 0 for a pipe.

    Raises:
        CorpusError: There is no such file, it is a folder, Parquet that is compressed once more, or of a kind that
            needs a package that is not installed.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "story.txt"
        >>> _ = path.write_text("Once upon a time", encoding="utf-8")
        >>> file = CorpusFile(path)
        >>> file.kind, file.size, list(file.blocks(size=10))
        ('text', 16, [b'Once upon ', b'a time'])
    """

    def __init__(self, path: str | os.PathLike[str], kind: Kind | None = None) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise InputTypeError(f"a file's path is a str or a PathLike, not {type(path).__name__}")
        self.path: str = os.fsdecode(path)
        self._check_there()
        compression = compression_of(self.path)
        name = self.path[: -len(compression) - 1] if compression else self.path
        self.kind: Kind = kind or _KINDS.get(Path(name).suffix.lower(), "text")
        if self.kind == "parquet":
            self._check_parquet(compression)
        self.size: int = os.stat(self.path).st_size  # noqa: PTH116 - as it is named
        self._bytes = ByteSource(self.path, compression)
        self._share = 0.0
        self._begin, self._end = 0, sys.maxsize

    def __repr__(self) -> str:
        return f"CorpusFile({self.path!r})"

    @property
    def position(self) -> int:
        """How many of the bytes on disk the iteration begun last has read; for Parquet, in proportion to the rows."""
        return round(self._share * self.size) if self.kind == "parquet" else self._bytes.position

    def blocks(self, size: int = 8 << 20, *, keep_mark: bool = False) -> Iterator[bytes]:
        """The bytes of the one text that a file of plain text is, decompressed, in blocks of at most ``size``.

        Blocks end anywhere, within a character too. The bytes are those of the file, valid UTF-8 or not.

        Args:
            size: Bytes of a block, at most.
            keep_mark: Whether a UTF-8 byte order mark at the beginning is part of the text.

        Raises:
            CorpusError: The file has texts, not one; it cannot be read; what is compressed is damaged; or it is not
                text in UTF-8.
        """
        if self.kind != "text":
            raise CorpusError(f"a {self.kind} file has many texts: see texts()", file=self.path)
        blocks = checked(self._bytes.blocks(size), self.path)
        return self._within(blocks if keep_mark else _without_mark(blocks))

    def raw_blocks(self, size: int = 8 << 20) -> Iterator[bytes]:
        """The bytes of the file, whatever its kind, as they are: not decompressed, not checked.

        Raises:
            CorpusError: It cannot be read.
        """
        return self._bytes.blocks(size, raw=True)

    def texts(self, column: str = "text") -> Iterator[str]:
        """The texts of JSON lines or Parquet, one a line or row.

        Null is skipped, and so are empty lines. A line may be a string itself rather than an object. ``\\ud83d`` and
        other lone surrogates in JSON are kept as they are.

        Args:
            column: The name under which objects hold the text, or the name of Parquet's column.

        Raises:
            CorpusError: The file is plain text; it cannot be read or is damaged; it lacks the column, or has something
                there that is no string. Names the line or row.
        """
        if self.kind == "text":
            raise CorpusError("a text file is one text: see blocks()", file=self.path)
        lines = self.kind == "jsonl"
        blocks = self._bytes.blocks(_LINES_BLOCK)
        found = jsonl.texts(checked(blocks, self.path), column, self.path) if lines else self._rows(column)
        return islice(found, self._begin, self._end)

    def lines(self, column: str = "text") -> Iterator[bytes | str]:
        """The lines of plain text, each with its line end, or the texts of JSON lines or Parquet.

        Raises:
            CorpusError: As `blocks` and `texts`.
        """
        return lines_of(self.blocks(_LINES_BLOCK)) if self.kind == "text" else self.texts(column)

    def part(self, begin: int = 0, end: int = sys.maxsize) -> CorpusFile:
        """A part of the file, as a file: from one byte of plain text to another, or from one text to another.

        Bytes are counted after decompression and without a byte order mark, texts without those that are skipped.

        Example:
            >>> import pathlib, tempfile
            >>> path = pathlib.Path(tempfile.mkdtemp()) / "story.txt"
            >>> _ = path.write_text("Once upon a time", encoding="utf-8")
            >>> list(CorpusFile(path).part(5, 9).blocks())
            [b'upon']
        """
        out = CorpusFile(self.path, self.kind)
        out._begin, out._end = begin, end
        return out

    def __fspath__(self) -> str:
        return self.path

    def _within(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        at = 0
        for block in blocks:
            if part := block[max(self._begin - at, 0) : max(self._end - at, 0)]:
                yield part
            at += len(block)
            if at >= self._end:
                return

    def _rows(self, column: str) -> Iterator[str]:
        self._share = 0.0
        for share, texts in parquet.texts(self.path, column):
            self._share = share
            yield from texts

    def _check_there(self) -> None:
        try:
            there = os.path.exists(self.path)  # noqa: PTH110 - False for what cannot be a name
        except ValueError:  # a NUL, before Python 3.12 or so
            there = False
        if not there:
            shown = self.path if len(self.path) <= 200 else self.path[:200] + "…"
            raise CorpusError("no such file", file=shown)
        if os.path.isdir(self.path):  # noqa: PTH112 - as above
            raise CorpusError("a folder; name the files in it", file=self.path)

    def _check_parquet(self, compression: str) -> None:
        if compression:
            raise CorpusError(f"Parquet is compressed within; it is not read from .{compression}", file=self.path)
        if importlib.util.find_spec("pyarrow") is None:
            raise CorpusError("a .parquet file needs pyarrow: pip install 'wordsplit[corpus]'", file=self.path)


def _without_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    begin = b""
    for block in blocks:
        begin += block
        if len(begin) >= len(codecs.BOM_UTF8):
            break
    if begin := begin.removeprefix(codecs.BOM_UTF8):
        yield begin
    yield from blocks


def files_of(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[CorpusFile]:
    """The files of a path, or of several; those that are `CorpusFile` already are left as they are.

    Nothing is expanded: no folder, no glob, no ``~``.

    Raises:
        CorpusError: One of them is no file that can be read, see `CorpusFile`.
        InputTypeError: Not paths.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    if not isinstance(paths, Iterable):
        raise InputTypeError(f"files are named by a str, a PathLike or several of these, not {type(paths).__name__}")
    return [path if isinstance(path, CorpusFile) else CorpusFile(path) for path in paths]
