"""Read the documents of an input in batches, as native columns of texts: no Python object per document.

A batch is valid until the one after the next is read, because two buffers are used in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from wordsplit.corpus.blocks import Block, Window, blocks_of, start_of
from wordsplit.corpus.checks import check_head
from wordsplit.corpus.inputs import Input
from wordsplit.corpus.jsonl import problem_of
from wordsplit.corpus.reading import Reading
from wordsplit.corpus.streams import ByteStream, open_raw, open_stream
from wordsplit.corpus.workspace import Workspace
from wordsplit.errors import ArrowError, CorpusError

if TYPE_CHECKING:
    from wordsplit import _native
    from wordsplit.corpus.formats.keys import Keys

_PART = 256 << 10

__all__ = ["Batch", "Problem", "batches_of"]


class Problem(NamedTuple):
    """A document that cannot be read.

    Attributes:
        error: Why.
        raw: Its bytes in the file; empty if they are not known.
    """

    error: CorpusError
    raw: bytes = b""


class Batch(NamedTuple):
    """Documents, or a piece of one.

    Attributes:
        column: The texts of the documents to encode.
        keys: Their names, if the settings ask for names.
        documents: The number of documents read: those in the column, omitted empty ones, and problems.
        problems: The documents that cannot be read.
        position: How far the file has been read, in bytes as stored.
        pieces: Whether the rows are the pieces of a single document.
        first: Whether the document begins with these pieces.
        last: Whether it ends with these pieces.
    """

    column: _native.TextColumn
    keys: Keys | None
    documents: int
    problems: list[Problem]
    position: int = 0
    pieces: bool = False
    first: bool = True
    last: bool = True


def batches_of(file: Input, begin: int, end: int, reading: Reading, workspace: Workspace) -> Iterator[Batch]:
    """Yield the documents of a segment.

    Args:
        file: The input.
        begin: Where the segment begins: a byte, a row group or a record batch.
        end: Where it ends; -1 for the end of the file.
        reading: How to read it.
        workspace: The memory to use. It is in use until the last batch has been processed.

    Raises:
        CorpusError: The file cannot be read, is damaged, lacks a column, or is not text.
    """
    if file.kind in ("parquet", "arrow"):
        yield from _of_columns(file, begin, end, reading)
        return
    terminator = b"\n" if file.kind == "jsonl" else reading.terminator
    try:
        raw = open_raw(file.path)
    except OSError as error:
        raise CorpusError(f"cannot be read: {error.strerror or error}", file=file.path) from error
    with raw, open_stream(raw, file.compression, file.path) as stream:
        checked = _Checked(stream, file.path, checks=begin == 0)
        if terminator is None:
            found = _one_document(checked, file, reading, workspace)
        else:
            if begin:
                raw.seek(max(begin - len(terminator), 0))
            most, size = reading.most, reading.block
            if not file.compression:  # less for small files
                size = min(size, (file.size if end < 0 else end) - begin + 1)
            last, spare = None if end < 0 else end, workspace.buffers
            blocks = blocks_of(checked, terminator, begin, last, size=size, most=most, path=file.path, spare=spare)
            found = (
                _of_json(blocks, file, reading, workspace.lines) if file.kind == "jsonl" else _of_text(blocks, reading)
            )
        for batch in found:
            yield batch._replace(position=raw.tell())


class _Checked:
    """A stream whose first bytes are checked to be text.

    Args:
        stream: The stream.
        path: The file's path, for the error.
        checks: Whether to check.
    """

    def __init__(self, stream: ByteStream, path: str, *, checks: bool = True) -> None:
        self._stream = stream
        self._path = path
        self._checks = checks

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer; see `ByteStream`."""
        read = self._stream.readinto(buffer)
        if self._checks and read:
            self._checks = False
            check_head(bytes(buffer[:read]), self._path)
        return read


def _of_text(blocks: Iterator[Block], reading: Reading) -> Iterator[Batch]:
    """Yield the documents of plain text with terminators."""
    from wordsplit import _native  # noqa: PLC0415 - the pure-Python build has none

    terminator = reading.terminator
    assert terminator is not None  # noqa: S101 - decided by the caller
    for block in blocks:
        column, documents = _native.split_documents(
            block.buffer, start_of(block), block.stop, terminator, reading.keep_empty
        )
        yield Batch(column, _no_names(column, reading), documents, [])


def _of_json(blocks: Iterator[Block], file: Input, reading: Reading, lines: _native.JsonLines) -> Iterator[Batch]:
    """Yield the documents of blocks of JSON Lines."""
    before: int | None = None  # lines before the block, as far as they are known
    for block in blocks:
        if block.offset == 0:
            before = 0
        column, documents = lines.read(block.buffer, start_of(block), block.stop)
        problems = []
        for start, stop, line in lines.problems():
            if before is None:
                before = _count_lines(file, block.offset)
            raw = bytes(block.buffer[start:stop])
            found = problem_of(raw, reading.text_field, file.path, before + line + 1)
            if found is None:  # a line of only white space, of kinds other than JSON's
                documents -= 1
            else:
                problems.append(Problem(found, raw))
        if before is not None:
            before += lines.line_ends
        yield Batch(column, _names(lines) if reading.id_field else None, documents, problems)


def _count_lines(file: Input, end: int) -> int:
    """Count the line ends before an offset of a file that is not compressed."""
    count = 0
    with open_raw(file.path) as raw:
        while end > 0 and (block := raw.read(min(end, 1 << 20))):
            count += block.count(b"\n")
            end -= len(block)
    return count


def _names(lines: _native.JsonLines) -> Keys:
    """Return the names of the last lines read."""
    import numpy as np  # noqa: PLC0415 - an extra

    from wordsplit.corpus.formats.keys import Keys  # noqa: PLC0415 - as above

    data, ends = lines.keys()
    return Keys(np.frombuffer(data, np.uint8), np.frombuffer(ends, np.int64)).in_utf8()


def _no_names(column: _native.TextColumn, reading: Reading) -> Keys | None:
    """Return empty names, because plain text has none."""
    if reading.id_field is None:
        return None
    import numpy as np  # noqa: PLC0415 - as above

    from wordsplit.corpus.formats.keys import Keys  # noqa: PLC0415 - as above

    return Keys(np.empty(0, np.uint8), np.zeros(column.rows, np.int64))


def _one_document(stream: ByteStream, file: Input, reading: Reading, workspace: Workspace) -> Iterator[Batch]:
    """Yield a file that is one document, in pieces if it is large and can be cut."""
    size = reading.block if file.compression else min(reading.block, file.size + 1)
    with Window(stream, size, file.path, most=reading.most, spare=workspace.buffers) as window:
        yield from _pieces(window, reading)


def _pieces(window: Window, reading: Reading) -> Iterator[Batch]:
    """Yield the document in a window, in pieces if it does not fit."""
    from wordsplit import _native  # noqa: PLC0415 - as above

    first = True
    while True:
        read = window.fill()
        is_full = window.filled == len(window.buffer)
        if read and not is_full:
            continue
        view = memoryview(window.buffer)[: window.filled]
        cut = reading.last_cut(view) if read else (window.filled, window.filled)
        if cut is None:  # no cut is known: the document is read as a whole, up to a limit
            continue
        end, behind = cut
        start = start_of(Block(window.buffer, 0, end, window.offset))
        is_whole = first and not read
        places = [(start, end)] if is_whole else list(_between_cuts(view[:end], start, reading))
        column, documents = _native.document_in_parts(window.buffer, places, reading.keep_empty if is_whole else True)
        pieces = {} if is_whole else {"pieces": True, "first": first, "last": not read}
        yield Batch(column, _no_names(column, reading), documents if first else 0, [], **pieces)
        if not read:
            return
        window.drop(behind)
        first = False


def _between_cuts(text: memoryview, start: int, reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield where the rows of a part of a document begin and end, one for each of several threads."""
    while len(text) - start > 2 * _PART:
        cut = reading.last_cut(text[start : start + _PART])
        if cut is None:
            break
        yield start, start + cut[0]
        start += cut[1]
    yield start, len(text)


def _of_columns(file: Input, begin: int, end: int, reading: Reading) -> Iterator[Batch]:
    """Yield the documents of Parquet or an Arrow IPC file."""
    from wordsplit.corpus import columnar  # noqa: PLC0415 - needs an extra
    from wordsplit.engine.columns import text_column  # noqa: PLC0415 - the pure-Python build has none

    for rows in columnar.rows_of(file, begin, end, reading):
        try:
            column = text_column(rows.texts)
        except ArrowError as error:
            raise CorpusError(f"damaged: {error}", file=file.path) from error
        keys = None if reading.id_field is None else columnar.keys(rows.names)
        if reading.keep_empty:
            column.fill_nulls()
        elif empty := column.remove_empty():
            keys = None if keys is None else keys.without(empty)
        yield Batch(column, keys, len(rows.texts), [], round(rows.share * file.size))
