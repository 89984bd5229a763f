"""Read the documents of an input in batches, as native columns of texts: no Python object per document.

A batch is valid until the next one is read, because buffers are used again.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from wordsplit.corpus.blocks import Block, blocks_of
from wordsplit.corpus.checks import check_head
from wordsplit.corpus.inputs import Input
from wordsplit.corpus.jsonl import problem_of
from wordsplit.corpus.streams import open_raw, open_stream
from wordsplit.errors import CorpusError

if TYPE_CHECKING:
    from wordsplit import _native
    from wordsplit.corpus.formats.keys import Keys

__all__ = ["Batch", "Problem", "Reading", "batches_of"]


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
        documents: The number of documents read: those in the column, empty ones that are left out, and problems.
        problems: The documents that cannot be read.
        position: How far the file has been read, in bytes as stored.
        pieces: Whether the rows are the pieces of a single document.
        first: Whether the document begins with these pieces.
        last: Whether it ends with them.
    """

    column: _native.TextColumn
    keys: Keys | None
    documents: int
    problems: list[Problem]
    position: int
    pieces: bool = False
    first: bool = True
    last: bool = True


class Reading(NamedTuple):
    """How to read inputs.

    Attributes:
        terminator: What ends a document of plain text; ``None`` if a file is one.
        text_field: The field or column with the text.
        id_field: The field or column with the name, or ``None``.
        keep_empty: Whether empty documents are in the column.
        block: The bytes of text to read at a time.
        most: The largest size of a document that must be in memory as a whole.
        last_cut: Returns the last position at which a text can be cut so that its ids can be cut, or ``None``.
    """

    terminator: bytes | None
    text_field: str
    id_field: str | None
    keep_empty: bool
    block: int
    most: int
    last_cut: Callable[[memoryview], int | None]


def batches_of(file: Input, begin: int, end: int, reading: Reading) -> Iterator[Batch]:
    """Yield the documents of a segment.

    Args:
        file: The input.
        begin: Where the segment begins: a byte, a row group or a record batch.
        end: Where it ends; -1 for the end of the file.
        reading: How to read it.

    Raises:
        CorpusError: The file cannot be read, is damaged, lacks a column, or is not text.
    """
    if file.kind in ("parquet", "arrow"):
        from wordsplit.corpus.columnar import batches_of_columns  # noqa: PLC0415 - needs an extra

        yield from batches_of_columns(file, begin, end, reading)
        return
    try:
        raw = open_raw(file.path)
    except OSError as error:
        raise CorpusError(f"cannot be read: {error.strerror or error}", file=file.path) from error
    with raw, open_stream(raw, file.compression, file.path) as stream:
        checked = _Checked(stream, file.path, checks=begin == 0)
        if file.kind == "text" and reading.terminator is None:
            yield from _one_document(checked, raw, file, reading)
            return
        terminator = b"\n" if file.kind == "jsonl" else reading.terminator
        assert terminator is not None  # noqa: S101 - decided above
        if begin:
            raw.seek(max(begin - len(terminator), 0))
        blocks = blocks_of(
            checked,
            terminator,
            begin,
            None if end < 0 else end,
            size=reading.block,
            most=reading.most,
            path=file.path,
        )
        positioned = ((_without_mark(block), raw.tell()) for block in blocks)
        yield from (_of_lines if file.kind == "jsonl" else _of_text)(positioned, file, reading)


class _Checked:
    """A stream whose first bytes are checked to be text."""

    def __init__(self, stream: Any, path: str, *, checks: bool) -> None:
        self._stream = stream
        self._path = path
        self._checks = checks

    def readinto(self, buffer: memoryview) -> int | None:
        """Fill the buffer; see `ByteStream`."""
        read: int | None = self._stream.readinto(buffer)
        if self._checks and read:
            self._checks = False
            check_head(bytes(buffer[:read]), self._path)
        return read


def _without_mark(block: Block) -> Block:
    """Leave out a byte order mark at the beginning of a file."""
    if block.offset == 0 and block.buffer.startswith(codecs.BOM_UTF8, block.start, block.stop):
        block.start += len(codecs.BOM_UTF8)
    return block


def _of_text(blocks: Iterator[tuple[Block, int]], file: Input, reading: Reading) -> Iterator[Batch]:
    """Yield the documents of plain text with terminators."""
    from wordsplit import _native  # noqa: PLC0415 - the pure-Python build has none

    del file  # as `_of_lines` takes it
    terminator = reading.terminator
    assert terminator is not None  # noqa: S101 - decided by the caller
    for block, position in blocks:
        column, documents = _native.split_documents(
            block.buffer, block.start, block.stop, terminator, reading.keep_empty
        )
        yield Batch(column, _no_names(column, reading), documents, [], position)


def _of_lines(blocks: Iterator[tuple[Block, int]], file: Input, reading: Reading) -> Iterator[Batch]:
    """Yield the documents of JSON Lines."""
    from wordsplit import _native  # noqa: PLC0415 - as above

    lines = _native.JsonLines(reading.text_field, reading.id_field or "", reading.keep_empty, reading.keep_empty)
    for block, position in blocks:
        column, documents = lines.read(block.buffer, block.start, block.stop)
        problems = []
        for start, stop in lines.problems():
            raw = bytes(block.buffer[start:stop])
            found = problem_of(raw, reading.text_field, file.path, block.offset + start - block.start)
            if found is None:  # a line of nothing but white space of other kinds than JSON's
                documents -= 1
            else:
                problems.append(Problem(found, raw))
        yield Batch(column, _names(lines) if reading.id_field else None, documents, problems, position)


def _names(lines: _native.JsonLines) -> Keys:
    """Return the names of the last lines read."""
    import numpy as np  # noqa: PLC0415 - an extra

    from wordsplit.corpus.formats.keys import Keys  # noqa: PLC0415 - as above

    data, ends = lines.keys()
    return Keys(np.frombuffer(data, np.uint8), np.frombuffer(ends, np.int64))


def _no_names(column: _native.TextColumn, reading: Reading) -> Keys | None:
    """Return empty names, since plain text has none."""
    if reading.id_field is None:
        return None
    import numpy as np  # noqa: PLC0415 - as above

    from wordsplit.corpus.formats.keys import Keys  # noqa: PLC0415 - as above

    return Keys(np.empty(0, np.uint8), np.zeros(column.rows, np.int64))


def _one_document(stream: _Checked, raw: IO[bytes], file: Input, reading: Reading) -> Iterator[Batch]:
    """Yield a file that is one document, in pieces if it is large and can be cut."""
    from wordsplit import _native  # noqa: PLC0415 - as above

    buffer = bytearray(reading.block if file.compression else min(reading.block, file.size + 1))
    filled, first = 0, True
    while True:
        with memoryview(buffer) as view:
            read = stream.readinto(view[filled:]) if filled < len(buffer) else -1
            if read and read > 0:
                filled += read
                continue
            cut = filled if read == 0 else reading.last_cut(view[:filled])
        if cut is None:  # no cut is known: the document is read as a whole, up to a limit
            if filled >= reading.most:
                found = f"a document of more than {reading.most >> 20:,} MiB that cannot be cut; give more memory"
                raise CorpusError(found, file=file.path)
            larger = bytearray(min(2 * filled, reading.most))
            larger[:filled] = buffer
            buffer = larger
            continue
        start = 3 if first and buffer.startswith(codecs.BOM_UTF8) else 0
        last = read == 0
        if first and last:
            column, documents = _native.whole_document(buffer, start, cut, reading.keep_empty)
            yield Batch(column, _no_names(column, reading), documents, [], raw.tell())
            return
        column, _ = _native.whole_document(buffer, start, cut, keep_empty=True)
        yield Batch(column, _no_names(column, reading), int(first), [], raw.tell(), pieces=True, first=first, last=last)
        if last:
            return
        with memoryview(buffer) as view:
            view[: filled - cut] = view[cut:filled]
        filled, first = filled - cut, False
