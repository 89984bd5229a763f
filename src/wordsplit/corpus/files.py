"""Files of texts, of any kind."""

from __future__ import annotations

import codecs
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import islice

from wordsplit.arguments import path_text
from wordsplit.corpus import jsonl
from wordsplit.corpus.blocks import blocks_of, start_of
from wordsplit.corpus.byte_source import BlockStream, ByteSource
from wordsplit.corpus.checks import checked
from wordsplit.corpus.inputs import Input, Kind, kind_of
from wordsplit.corpus.lines import lines_of
from wordsplit.corpus.reading import Reading
from wordsplit.errors import CorpusError, InputTypeError, OptionsError
from wordsplit.text import is_unicode

__all__ = ["CorpusFile", "Kind", "files_of"]

_LINES_BLOCK = 1 << 20
_ROWS_BLOCK = 1 << 16


class CorpusFile:
    """A file of texts: plain text, JSON Lines, Parquet or Arrow IPC, by its name; see `wordsplit.corpus`.

    Nothing is read until `blocks` or `texts` is iterated over. Each iteration starts at the beginning and uses bounded
    memory: a block, a line, or 256 rows.

    Args:
        path: The file. It may be a named pipe, except for Parquet and Arrow.
        kind: The kind of the file, if its name does not indicate it.

    Attributes:
        path: The path.
        kind: ``"text"``, ``"jsonl"``, ``"parquet"`` or ``"arrow"``.
        size: The size on disk in bytes; 0 for a pipe.

    Raises:
        CorpusError: The file does not exist, is a folder, is Parquet or Arrow compressed again, or needs a package that
            is not installed.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "story.txt"
        >>> _ = path.write_text("Once upon a time", encoding="utf-8")
        >>> file = CorpusFile(path)
        >>> file.kind, file.size, list(file.blocks(size=10))
        ('text', 16, [b'Once upon ', b'a time'])
    """

    def __init__(self, path: str | os.PathLike[str], kind: Kind | None = None) -> None:
        self.path: str = path_text(path, "a file")
        self._check_there()
        self.kind: Kind
        self.kind, compression = kind_of(self.path, kind)
        if self.kind in ("parquet", "arrow") and importlib.util.find_spec("pyarrow") is None:
            raise CorpusError(f"a .{self.kind} file needs pyarrow: pip install 'wordsplit[corpus]'", file=self.path)
        self.size: int = os.stat(self.path).st_size  # noqa: PTH116 - the path as given
        self._bytes = ByteSource(self.path, compression)
        self._share = 0.0
        self._begin, self._end = 0, sys.maxsize

    def __repr__(self) -> str:
        return f"CorpusFile({self.path!r})"

    @property
    def position(self) -> int:
        """The bytes on disk that the last iteration has read; for Parquet, in proportion to the rows."""
        return round(self._share * self.size) if self.kind in ("parquet", "arrow") else self._bytes.position

    def blocks(self, size: int = 8 << 20, *, keep_mark: bool = False) -> Iterator[bytes]:
        """Yield the bytes of a plain text file, decompressed, in blocks of at most ``size``.

        Blocks may end anywhere, even within a character. The bytes are those of the file, valid UTF-8 or not.

        Args:
            size: The largest number of bytes in a block.
            keep_mark: Whether a UTF-8 byte order mark at the beginning is part of the text.

        Raises:
            CorpusError: The file has several texts, cannot be read, has damaged compressed data, or is not
                text in UTF-8.
        """
        if self.kind != "text":
            raise CorpusError(f"a {self.kind} file has many texts: use texts()", file=self.path)
        blocks = checked(self._bytes.blocks(size), self.path)
        return self._within(blocks if keep_mark else _without_mark(blocks))

    def raw_blocks(self, size: int = 8 << 20) -> Iterator[bytes]:
        """Yield the bytes of a file of any kind, not decompressed and not checked.

        Raises:
            CorpusError: It cannot be read.
        """
        return self._bytes.blocks(size, raw=True)

    def texts(self, column: str = "text") -> Iterator[str]:
        """Yield the texts of JSON Lines or Parquet, one per line or row.

        Null and empty lines are skipped. A line may be a string instead of an object. ``\\ud83d`` and
        other lone surrogates in JSON become U+FFFD.

        Args:
            column: The name of the field of objects, or of Parquet's column, with the text.

        Raises:
            CorpusError: The file is plain text, cannot be read, is damaged, lacks the column, or has something other
                than a string there. The error names the line or row.
            OptionsError: The name of the column is not valid Unicode.
        """
        if self.kind == "text":
            raise CorpusError("a text file is one text: use blocks()", file=self.path)
        if not is_unicode(column):
            raise OptionsError(f"column={column!r:.100}: give a name in valid Unicode")
        found = self._of_lines(column) if self.kind == "jsonl" else self._of_rows(column)
        return islice(found, self._begin, self._end)

    def lines(self, column: str = "text") -> Iterator[bytes | str]:
        """Yield the lines of plain text, each with its line end, or the texts of JSON Lines or Parquet.

        Raises:
            CorpusError: As for `blocks` and `texts`.
        """
        return lines_of(self.blocks(_LINES_BLOCK)) if self.kind == "text" else self.texts(column)

    def part(self, begin: int = 0, end: int = sys.maxsize) -> CorpusFile:
        """Return a part of the file as a file: a range of bytes of plain text, or a range of texts.

        Offsets count bytes after decompression, without a byte order mark, or texts, without skipped ones.

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

    def _of_rows(self, column: str) -> Iterator[str]:
        from wordsplit.corpus import columnar  # noqa: PLC0415 - needs an extra

        self._share = 0.0
        row = 0
        for rows in columnar.rows_of(self._input, 0, -1, _reading(column)):
            self._share = rows.share
            yield from (text for text in columnar.strings(rows.texts, column, self.path, row) if text is not None)
            row += len(rows.texts)

    def _of_lines(self, column: str) -> Iterator[str]:
        if importlib.util.find_spec("wordsplit._native") is None:
            yield from jsonl.texts(checked(self._bytes.blocks(_LINES_BLOCK), self.path), column, self.path)
            return
        from wordsplit import _native  # noqa: PLC0415 - the pure-Python build has none

        lines = _native.JsonLines(column, "", keep_empty=True, keep_null=False)
        stream = BlockStream(checked(self._bytes.blocks(_LINES_BLOCK), self.path))
        before = 0
        for block in blocks_of(stream, b"\n", 0, None, size=_LINES_BLOCK, most=sys.maxsize, path=self.path):
            start = start_of(block)
            texts, _ = lines.read(block.buffer, start, block.stop)
            if lines.problems() or texts.invalid_utf8(1):
                # The slow reader yields the texts before the error, and raises it.
                part = bytes(memoryview(block.buffer)[start : block.stop])
                yield from jsonl.texts([part], column, self.path, before)
            else:
                yield from (texts[row].decode() for row in range(texts.rows))  # type: ignore[union-attr]
            before += lines.line_ends

    @property
    def _input(self) -> Input:
        return Input(self.path, self.kind, "", self.size, "")

    def _check_there(self) -> None:
        try:
            there = os.path.exists(self.path)  # noqa: PTH110 - False for invalid names
        except ValueError:  # a NUL, before about Python 3.12
            there = False
        if not there:
            shown = self.path if len(self.path) <= 200 else self.path[:200] + "…"
            raise CorpusError("no such file", file=shown)
        if os.path.isdir(self.path):  # noqa: PTH112 - as above
            raise CorpusError("a folder; name the files in it", file=self.path)


def _without_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    begin = b""
    for block in blocks:
        begin += block
        if len(begin) >= len(codecs.BOM_UTF8):
            break
    if begin := begin.removeprefix(codecs.BOM_UTF8):
        yield begin
    yield from blocks


def _reading(column: str) -> Reading:
    return Reading(
        terminator=None,
        text_field=column,
        id_field=None,
        keep_empty=True,
        keep_null=False,
        block=_ROWS_BLOCK,
        most=sys.maxsize,
        last_cut=lambda _: None,
    )


def files_of(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[CorpusFile]:
    """Return the files of one or several paths; `CorpusFile` objects are returned unchanged.

    Nothing is expanded: no folder, no glob, no ``~``.

    Raises:
        CorpusError: One of them cannot be read; see `CorpusFile`.
        InputTypeError: The arguments are not paths.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    if not isinstance(paths, Iterable):
        raise InputTypeError(f"files are named by a str, a PathLike or several of these, not {type(paths).__name__}")
    return [path if isinstance(path, CorpusFile) else CorpusFile(path) for path in paths]
