"""Read Parquet files with `pyarrow`, with one text per row in a column of strings, some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wordsplit.corpus.columns import lacks_column
from wordsplit.errors import CorpusError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["texts"]

_ROWS = 256
_BUFFER = 1 << 20
"""The buffer size for reading a column. Row groups may be large, so they are not read at once."""


def texts(path: str, column: str) -> Iterator[tuple[float, list[str]]]:
    """Yield the share of all rows read so far, and texts, for some rows at a time.

    Null is skipped.

    Raises:
        CorpusError: The file is damaged, is not Parquet, or lacks the column, or the column has no strings.
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import
    from pyarrow import parquet  # noqa: PLC0415 - as above

    row = 0
    try:
        with parquet.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False) as file:
            names = file.schema_arrow.names
            if column not in names:
                raise lacks_column(column, names, file=path)
            _check_type(file.schema_arrow.field(names.index(column)).type, column, path)
            for batch in file.iter_batches(batch_size=_ROWS, columns=[column]):
                values = batch.column(0)
                texts = [text for text in _strings(values, column, path, row) if text is not None]
                row += len(values)
                yield row / file.metadata.num_rows, texts
    except (pa.ArrowException, OSError) as error:
        where = f"after row {row}" if row else ""
        raise CorpusError(f"damaged, or not Parquet: {error}", file=path, field=where) from error


def _check_type(kind: pa.DataType, column: str, path: str) -> None:
    import pyarrow as pa  # noqa: PLC0415 - as above

    held = kind.value_type if pa.types.is_dictionary(kind) else kind
    if held not in {pa.string(), pa.large_string(), pa.null()} and str(held) != "string_view":
        raise CorpusError(
            f"a text must be a string, but this column holds {kind}", file=path, field=f"column {column!r}"
        )


def _strings(values: Any, column: str, path: str, first: int) -> list[str | None]:
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
