"""Read Parquet and Arrow IPC files with `pyarrow`, as columns of texts that are not copied."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from wordsplit.corpus.columns import lacks_column
from wordsplit.corpus.inputs import Input
from wordsplit.corpus.streams import is_url, open_raw
from wordsplit.errors import CorpusError

if TYPE_CHECKING:
    import pyarrow as pa

    from wordsplit.corpus.formats.keys import Keys
    from wordsplit.corpus.reading import Reading

__all__ = ["Rows", "keys", "parts_of", "require_pyarrow", "rows_of", "strings"]

_BUFFER = 1 << 20
"""The buffer size for reading a column. Row groups may be large, so they are not read at once."""
_FEWEST_ROWS, _BYTES_PER_ROW = 256, 4096
"""The maximum number of rows of a batch, or more if the block has enough bytes for each. Repeated texts are stored
once, so the stored size of rows does not bound their size in memory."""


def require_pyarrow(path: str) -> None:
    """Check that `pyarrow` is installed.

    Raises:
        CorpusError: It is not.
    """
    try:
        import pyarrow as pa  # noqa: F401, PLC0415 - an extra, and slow to import
    except ImportError:
        raise CorpusError("Parquet and Arrow files need pyarrow: pip install 'wordsplit[corpus]'", file=path) from None


def parts_of(file: Input) -> list[int]:
    """Return the approximate size in bytes of each row group or record batch; one part for an Arrow stream.

    Raises:
        CorpusError: The file is damaged.
    """
    with _opened(file) as source:
        if file.kind == "parquet":
            metadata = source.metadata
            return [metadata.row_group(k).total_byte_size for k in range(metadata.num_row_groups)]
        count: int = getattr(source, "num_record_batches", 1)
        return [file.size // max(count, 1)] * count


class Rows(NamedTuple):
    """Some rows of a file.

    Attributes:
        texts: The texts, an Arrow array.
        names: The names, if requested.
        share: The share of the file that has been read.
    """

    texts: Any
    names: Any
    share: float


def rows_of(file: Input, begin: int, end: int, reading: Reading) -> Iterator[Rows]:
    """Yield the rows of a segment.

    Raises:
        CorpusError: The file is damaged or lacks a column, or the column has no strings.
    """
    with _opened(file) as source:
        schema = source.schema_arrow if file.kind == "parquet" else source.schema
        _check(schema, reading.text_field, file.path, is_text=True)
        if reading.id_field is not None:
            _check(schema, reading.id_field, file.path, is_text=False)
        parts = _parquet if file.kind == "parquet" else _arrow
        for (texts, names), share in parts(source, begin, end, reading):
            yield Rows(texts, names, share)


def _parquet(source: Any, begin: int, end: int, reading: Reading) -> Iterator[tuple[tuple[Any, Any], float]]:
    """Yield the texts and names of some rows at a time, and the share of the file's rows read so far."""
    metadata = source.metadata
    groups = range(begin, metadata.num_row_groups if end < 0 else end)
    wanted = [reading.text_field, *([reading.id_field] if reading.id_field else [])]
    total = metadata.num_rows or 1
    done = sum(metadata.row_group(k).num_rows for k in range(begin))
    for group in groups:
        found = metadata.row_group(group)
        if not found.num_rows:
            continue
        rows = _rows(reading.block, found.num_rows, found.total_byte_size)
        for batch in source.iter_batches(batch_size=rows, row_groups=[group], columns=wanted, use_threads=False):
            done += batch.num_rows
            yield _fields(batch, reading), done / total


def _arrow(source: Any, begin: int, end: int, reading: Reading) -> Iterator[tuple[tuple[Any, Any], float]]:
    count = getattr(source, "num_record_batches", None)
    if count is None:
        for batch in source:
            for rows in _sliced(batch, reading):
                yield _fields(rows, reading), 0.5
        return
    for k in range(begin, count if end < 0 else end):
        for rows in _sliced(source.get_batch(k), reading):
            yield _fields(rows, reading), (k + 1) / count


def _sliced(batch: pa.RecordBatch, reading: Reading) -> Iterator[pa.RecordBatch]:
    rows = _rows(reading.block, batch.num_rows, batch.nbytes)
    for at in range(0, batch.num_rows, rows):
        yield batch.slice(at, rows)


def _rows(block: int, rows: int, size: int) -> int:
    """Return the number of rows to read at a time for blocks of that many bytes."""
    return max(1, min(max(_FEWEST_ROWS, block // _BYTES_PER_ROW), block * rows // (size or 1)))


def _fields(batch: pa.RecordBatch, reading: Reading) -> tuple[Any, Any]:
    return _field(batch, reading.text_field), None if reading.id_field is None else _field(batch, reading.id_field)


def _field(batch: Any, name: str) -> Any:
    if name in batch.schema.names:
        return batch.column(batch.schema.names.index(name))
    import pyarrow.compute as pc  # noqa: PLC0415 - an extra, and slow to import

    first, *rest = name.split(".")
    return pc.struct_field(batch.column(batch.schema.names.index(first)), rest)


def strings(values: Any, column: str, path: str, first: int) -> list[str | None]:
    """Return the texts of an array, which begins with row ``first`` of the file, counted from 0.

    Raises:
        CorpusError: One of them is not UTF-8.
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    if "binary" in str(values.type):
        values = values.cast(pa.large_string(), safe=False)
    try:
        quickly: list[str | None] = values.to_pylist()
    except UnicodeDecodeError:
        pass
    else:
        return quickly
    found = []
    for row, value in enumerate(values, first + 1):
        try:
            found.append(value.as_py())
        except UnicodeDecodeError as error:
            what = f"byte {error.object[error.start]:#04x} at offset {error.start} is not UTF-8: {error.reason}"
            raise CorpusError(what, file=path, field=f"row {row}, column {column!r}") from error
    return found


def keys(names: Any) -> Keys:
    """Return names as keys of documents."""
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    from wordsplit.corpus.formats.keys import Keys  # noqa: PLC0415 - needs an extra

    plain = names.dictionary_decode() if pa.types.is_dictionary(names.type) else names
    if str(plain.type) == "extension<arrow.uuid>":  # 16 bytes, which pyarrow casts to a string as they are
        return Keys.of([None if value is None else str(value) for value in plain.to_pylist()])
    return Keys.of(plain)


def _raw(file: Input) -> Any:
    """Return an open file that pyarrow reads without Python, if it is local."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    if is_url(file.path):
        return pa.PythonFile(open_raw(file.path), "r")
    return pa.OSFile(file.path) if file.kind == "parquet" else pa.memory_map(file.path)


@contextmanager
def _opened(file: Input) -> Iterator[Any]:
    """Open a file for reading with pyarrow. Its errors within the block become `CorpusError`."""
    require_pyarrow(file.path)
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    name = "Parquet" if file.kind == "parquet" else "an Arrow IPC file"
    try:
        with _raw(file) as raw:
            if file.kind == "parquet":
                from pyarrow import parquet  # noqa: PLC0415 - as above

                with parquet.ParquetFile(raw, buffer_size=_BUFFER, pre_buffer=False) as source:
                    yield source
                return
            magic = raw.read(6)
            raw.seek(0)
            with (pa.ipc.open_file if magic == b"ARROW1" else pa.ipc.open_stream)(raw) as source:
                yield source
    except pa.ArrowException as error:
        raise CorpusError(f"damaged, or not {name}: {error}", file=file.path) from error
    except OSError as error:
        damaged = error.errno is None  # pyarrow also raises OSError for damaged data
        what = f"damaged, or not {name}: {error}" if damaged else f"cannot be read: {error.strerror or error}"
        raise CorpusError(what, file=file.path) from error


def _check(schema: pa.Schema, name: str, path: str, *, is_text: bool) -> None:
    """Check that there is a field of that name, possibly within structs, and that it holds texts or names."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    if schema.names.count(name) > 1:
        raise CorpusError("several columns have this name", file=path, field=f"column {name!r}")
    if name in schema.names:
        kind = schema.field(schema.names.index(name)).type
    else:
        first, *rest = name.split(".")
        kind = schema.field(schema.names.index(first)).type if first in schema.names else None
        for step in rest:
            index = kind.get_field_index(step) if kind is not None and pa.types.is_struct(kind) else -1
            kind = kind.field(index).type if kind is not None and index >= 0 else None
    if kind is None:
        raise lacks_column(name, schema.names, file=path)
    held = kind.value_type if pa.types.is_dictionary(kind) else kind
    texts = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view", "null")
    if is_text and str(held) not in texts:
        raise CorpusError(f"a text must be a string, but this column holds {kind}", file=path, field=f"column {name!r}")
    try:
        pa.nulls(0, held).cast(pa.large_string())
    except pa.ArrowNotImplementedError:
        what = f"a name must be a string or a number, but this column holds {kind}"
        raise CorpusError(what, file=path, field=f"column {name!r}") from None
