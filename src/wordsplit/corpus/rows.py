"""Add a column of ids to the data of a pipeline: Ray Data, Spark, datasets, polars, DuckDB, Daft, or any Arrow stream.

Each helper encodes a batch at a time with `Tokenizer.encode_arrow`: no Python object is created for a row, and a row
that is null stays null. The special tokens of a vocab are text in a document unless ``special=`` says otherwise, as in
`wordsplit.corpus.encode`.

A pipeline pickles the objects that it sends to its workers. The tokenizer is sent by value, so workers need wordsplit
but neither files nor the network, and each process builds it once, however many tasks it runs.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any

from wordsplit.errors import InputTypeError, OptionsError
from wordsplit.features.arrow import ArrowType, EncodedColumn
from wordsplit.text import Special
from wordsplit.tokenizer import Tokenizer
from wordsplit.vocab import Vocab

__all__ = [
    "RayBatches",
    "arrow_batches",
    "daft_ids",
    "datasets_batch",
    "duckdb_function",
    "polars_ids",
    "spark_batches",
    "spark_schema",
]


class RayBatches:
    """A callable class for `ray.data.Dataset.map_batches`: adds a column of ids to each batch.

    Pass ``batch_format="pyarrow"``; with another format Ray would create a Python object for each row::

        workers = ray.data.ActorPoolStrategy(size=8)
        dataset.map_batches(RayBatches, fn_constructor_args=(tokenizer,), batch_format="pyarrow", compute=workers)

    Ray reserves one CPU for each of its workers, and each encodes on one thread. For more threads, pass the same number
    as ``threads`` and as the ``num_cpus=`` of `map_batches`.

    Args:
        tokenizer: A tokenizer, a vocab, or anything that `wordsplit.load_vocab` takes. Each worker loads a name or a
            path; a tokenizer or a vocab is sent to it.
        column: The column of the texts; ``"a.b"`` is the field ``b`` of the structs in the column ``a``.
        into: The name of the new column.
        special: As for `Tokenizer.encode_arrow`.
        threads: The threads of each worker.
        arrow_type: The type of the new column; see `Tokenizer.encode_arrow`.

    Raises:
        InputTypeError: A batch is not Arrow data, or has no such column of texts.
        OptionsError: There is a column named ``into`` already.

    Example:
        >>> import pyarrow
        >>> from wordsplit.corpus import RayBatches
        >>> add_ids = RayBatches("qwen3")  # in each worker
        >>> add_ids(pyarrow.table({"text": ["hello world", None]})).to_pylist()
        [{'text': 'hello world', 'input_ids': [14990, 1879]}, {'text': None, 'input_ids': None}]
    """

    def __init__(
        self,
        tokenizer: Tokenizer | Vocab | str = "qwen3",
        column: str = "text",
        into: str = "input_ids",
        *,
        special: Special = "text",
        threads: int | None = 1,
        arrow_type: ArrowType = "list<uint32>",
    ) -> None:
        self._encode = _Encode(tokenizer, special, threads, arrow_type)
        self._column = column
        self._into = into

    def __call__(self, batch: Any) -> Any:
        """Return a batch (`pyarrow.Table` or `RecordBatch`) with the ids of its texts as its last column."""
        return _with_ids(batch, self._encode, self._column, self._into)


def spark_batches(
    tokenizer: Tokenizer | Vocab | str = "qwen3",
    column: str = "text",
    into: str = "input_ids",
    *,
    special: Special = "text",
    threads: int | None = 1,
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Return a function for `pyspark.sql.DataFrame.mapInArrow` that adds a column of ids.

    The ids are ``array<int>``, because Spark has no unsigned integers. Spark broadcasts the tokenizer with the
    function.

    Args:
        tokenizer: As for `RayBatches`, but it is always loaded here and sent to the workers.
        column: As for `RayBatches`.
        into: As for `RayBatches`; give `spark_schema` the same name.
        special: As for `RayBatches`.
        threads: The threads of each task; Spark reserves one processor for it (``spark.task.cpus``).

    Raises:
        UnknownNameError: There is no such vocab.

    Example:
        >>> import pyarrow
        >>> from wordsplit.corpus import spark_batches
        >>> add_ids = spark_batches("qwen3")  # with Spark: frame.mapInArrow(add_ids, spark_schema(frame))
        >>> batches = add_ids([pyarrow.record_batch({"text": ["hello world"]})])
        >>> next(batches).to_pylist()
        [{'text': 'hello world', 'input_ids': [14990, 1879]}]
    """
    encode = _Encode(tokenizer, special, threads, "list<int32>")

    def add_ids(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield _with_ids(batch, encode, column, into)

    return add_ids


def spark_schema(frame: Any, into: str = "input_ids") -> Any:
    """Return the schema of a Spark data frame with the column that `spark_batches` adds.

    Args:
        frame: A `pyspark.sql.DataFrame`.
        into: The name of the new column.

    Raises:
        OptionsError: The frame has a column of this name already.

    Example:
        >>> from wordsplit.corpus import spark_batches, spark_schema
        >>> frame.mapInArrow(spark_batches("qwen3"), spark_schema(frame)).write.parquet("ids")  # doctest: +SKIP
    """
    from pyspark.sql import types  # noqa: PLC0415 - an extra

    _check_new(into, frame.columns)
    ids = types.StructField(into, types.ArrayType(types.IntegerType(), containsNull=False))
    return types.StructType([*frame.schema.fields, ids])


def datasets_batch(
    tokenizer: Tokenizer | Vocab | str = "qwen3",
    column: str = "text",
    into: str = "input_ids",
    *,
    keep: Iterable[str] | None = None,
    special: Special = "text",
    threads: int | None = None,
    arrow_type: ArrowType = "list<uint32>",
) -> Callable[[Any], Any]:
    """Return a function for `datasets.Dataset.map` that adds a column of ids.

    The dataset must have the format ``"arrow"``: ``dataset.with_format("arrow").map(add_ids, batched=True)``. It may be
    an `IterableDataset`.

    Args:
        tokenizer: As for `spark_batches`.
        column: As for `RayBatches`.
        into: As for `RayBatches`.
        keep: The columns to keep besides the new one; ``None`` for all. (With the format ``"arrow"``, `Dataset.map`
            ignores ``remove_columns=``.)
        special: As for `RayBatches`.
        threads: The threads of each process; ``None`` for one per processor. Give 1 together with ``num_proc=``.
        arrow_type: As for `RayBatches`.

    Raises:
        UnknownNameError: There is no such vocab.

    Example:
        >>> import pyarrow
        >>> from wordsplit.corpus import datasets_batch
        >>> add_ids = datasets_batch("qwen3", keep=["year"])
        >>> add_ids(pyarrow.table({"text": ["hello world"], "year": [1978]})).to_pylist()
        [{'year': 1978, 'input_ids': [14990, 1879]}]
    """
    if isinstance(keep, str):
        raise InputTypeError(f"keep={keep!r:.100}: give a list of names")
    encode = _Encode(tokenizer, special, threads, arrow_type)
    return partial(_with_ids, encode=encode, column=column, into=into, keep=None if keep is None else list(keep))


def polars_ids(
    tokenizer: Tokenizer | Vocab | str = "qwen3",
    column: str | Any = "text",
    into: str = "input_ids",
    *,
    special: Special = "text",
    threads: int | None = None,
) -> Any:
    """Return a polars expression of the ids of a column, of the type ``List(UInt32)``.

    It works on data frames and lazy frames, in the streaming engine too.

    Args:
        tokenizer: As for `spark_batches`.
        column: The name of the text column, or an expression for the texts.
        into: The name of the result.
        special: As for `RayBatches`.
        threads: The largest number of threads; ``None`` for one per processor.

    Raises:
        UnknownNameError: There is no such vocab.

    Example:
        >>> import polars
        >>> from wordsplit.corpus import polars_ids
        >>> frame = polars.DataFrame({"text": ["hello world", None]})
        >>> frame.with_columns(polars_ids("qwen3"))["input_ids"].to_list()
        [[14990, 1879], None]
    """
    import polars as pl  # noqa: PLC0415 - no dependency

    encode = _Encode(tokenizer, special, threads, "large_list<uint32>")  # the lists of polars are large

    def ids_of(texts: Any) -> Any:
        if texts.dtype == pl.Null:  # polars exports such an array with one buffer more than Arrow specifies
            texts = texts.cast(pl.String)
        return pl.Series(texts.name, encode(texts))

    texts = pl.col(column) if isinstance(column, str) else column
    return texts.map_batches(ids_of, return_dtype=pl.List(pl.UInt32), is_elementwise=True).alias(into)


def duckdb_function(
    connection: Any,
    tokenizer: Tokenizer | Vocab | str = "qwen3",
    name: str = "token_ids",
    *,
    special: Special = "text",
    threads: int | None = None,
) -> None:
    """Register a function for SQL that encodes a ``VARCHAR`` to ids, ``UINTEGER[]``.

    DuckDB calls it with 2,048 rows at a time. `arrow_batches` is for large results that need not come back into SQL.

    Args:
        connection: A `duckdb.DuckDBPyConnection`, or the module `duckdb` for its default connection.
        tokenizer: As for `spark_batches`.
        name: The name of the function; a connection that already has a function of this name refuses it.
        special: As for `RayBatches`.
        threads: As for `polars_ids`.

    Raises:
        UnknownNameError: There is no such vocab.

    Example:
        >>> import duckdb
        >>> from wordsplit.corpus import duckdb_function
        >>> with duckdb.connect() as connection:
        ...     duckdb_function(connection, "qwen3")
        ...     connection.sql("SELECT token_ids('hello world'), token_ids(NULL)").fetchall()
        [([14990, 1879], None)]
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra

    encode = _Encode(tokenizer, special, threads, "list<uint32>")

    def ids_of(texts: Any) -> Any:
        return pa.chunked_array(encode(texts))

    # "special": rows that are null are passed on, and stay null.
    connection.create_function(name, ids_of, ["VARCHAR"], "UINTEGER[]", type="arrow", null_handling="special")


def daft_ids(
    tokenizer: Tokenizer | Vocab | str = "qwen3",
    column: str | Any = "text",
    into: str = "input_ids",
    *,
    special: Special = "text",
    threads: int | None = 1,
) -> Any:
    """Return a Daft expression of the ids of a column, of the type ``list[uint32]``.

    Daft calls it from several threads at once, or in several processes, on one machine or in a Ray cluster.

    Args:
        tokenizer: As for `spark_batches`.
        column: As for `polars_ids`.
        into: As for `polars_ids`.
        special: As for `RayBatches`.
        threads: The largest number of threads of each call.

    Raises:
        UnknownNameError: There is no such vocab.

    Example:
        >>> import daft  # doctest: +SKIP
        >>> from wordsplit.corpus import daft_ids
        >>> frame = daft.from_pydict({"text": ["hello world", None]})  # doctest: +SKIP
        >>> frame.with_column("input_ids", daft_ids("qwen3")).to_pydict()["input_ids"]  # doctest: +SKIP
        [[14990, 1879], None]
    """
    import daft  # noqa: PLC0415 - no dependency
    import pyarrow as pa  # noqa: PLC0415 - an extra

    encode = _Encode(tokenizer, special, threads, "large_list<uint32>")  # the lists of Daft are large

    @daft.func.batch(return_dtype=daft.DataType.list(daft.DataType.uint32()))  # type: ignore[untyped-decorator]
    def ids_of(texts: Any) -> Any:
        return pa.array(encode(texts.to_arrow()))

    return ids_of(daft.col(column) if isinstance(column, str) else column).alias(into)


def arrow_batches(
    stream: Any,
    tokenizer: Tokenizer | Vocab | str = "qwen3",
    column: str = "text",
    into: str = "input_ids",
    *,
    special: Special = "text",
    threads: int | None = None,
    arrow_type: ArrowType = "list<uint32>",
) -> Any:
    """Add a column of ids to a stream of Arrow data, a batch at a time, in the memory of one batch.

    Args:
        stream: A `pyarrow.RecordBatchReader`, or other Arrow data: a table, a data frame, a relation of DuckDB.
        tokenizer: As for `spark_batches`.
        column: As for `RayBatches`.
        into: As for `RayBatches`.
        special: As for `RayBatches`.
        threads: As for `polars_ids`.
        arrow_type: As for `RayBatches`.

    Returns:
        A `pyarrow.RecordBatchReader`, which pyarrow writes to files and DuckDB, polars and others read.

    Raises:
        UnknownNameError: There is no such vocab.
        InputTypeError: ``stream`` is not Arrow data, or has no such column of texts.
        OptionsError: There is a column named ``into`` already.

    Example:
        >>> import pyarrow
        >>> from wordsplit.corpus import arrow_batches
        >>> reader = arrow_batches(pyarrow.table({"text": ["hello world", "hello"]}), "qwen3")
        >>> reader.read_all()["input_ids"].to_pylist()
        [[14990, 1879], [14990]]
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra

    try:
        reader = stream if isinstance(stream, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(stream)
    except (TypeError, pa.ArrowInvalid) as error:
        raise InputTypeError(
            f"give Arrow data with columns, such as a table or a data frame, not {type(stream).__name__}: {error}"
        ) from error
    encode = _Encode(tokenizer, special, threads, arrow_type)
    _check_new(into, reader.schema.names)
    empty = _with_ids(pa.RecordBatch.from_pylist([], reader.schema), encode, column, into)
    return pa.RecordBatchReader.from_batches(empty.schema, (_with_ids(batch, encode, column, into) for batch in reader))


class _Encode:
    """Encode columns of texts. Pickled with its tokenizer, which is built once in each process that unpickles it."""

    def __init__(
        self, tokenizer: Tokenizer | Vocab | str, special: Special, threads: int | None, arrow_type: ArrowType
    ) -> None:
        from wordsplit.corpus.encoding import tokenizer_of  # noqa: PLC0415 - loads the formats of vocabs

        self._tokenizer = tokenizer_of(tokenizer)
        self._tokenizer.encode_batch([], special, threads)  # refuses wrong options here, not in a worker
        self._options = (special, threads, arrow_type)

    def __call__(self, data: object, field: str | None = None) -> EncodedColumn:
        special, threads, arrow_type = self._options
        return self._tokenizer.encode_arrow(data, special, threads, field=field, arrow_type=arrow_type)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (pickle.dumps(self._tokenizer), *self._options)


def _rebuild(pickled: bytes, special: Special, threads: int | None, arrow_type: ArrowType) -> _Encode:
    return _Encode(_unpickled(pickled), special, threads, arrow_type)


# Spark unpickles a function for each task, and building the tokenizer takes half a second.
@lru_cache(maxsize=4)
def _unpickled(pickled: bytes) -> Tokenizer:
    tokenizer: Tokenizer = pickle.loads(pickled)  # noqa: S301 - by `_Encode`
    return tokenizer


def _with_ids(batch: Any, encode: _Encode, column: str, into: str, keep: list[str] | None = None) -> Any:
    """Return a table or record batch with the columns to keep, and the ids of a column as its last column."""
    import pyarrow as pa  # noqa: PLC0415 - an extra

    if not isinstance(batch, (pa.Table, pa.RecordBatch)):
        raise InputTypeError(
            f"a batch is a {type(batch).__name__}, not Arrow data: in Ray, pass batch_format='pyarrow' to map_batches; "
            "in datasets, call with_format('arrow') before map"
        )
    _check_new(into, batch.schema.names)
    found = encode(batch, column)
    if keep is not None:
        if unknown := [name for name in keep if name not in batch.schema.names]:
            raise OptionsError(f"keep={unknown[0]!r:.100}: no such column; there are: {', '.join(batch.schema.names)}")
        batch = batch.select(keep)
    if isinstance(batch, pa.Table):
        return batch.append_column(into, pa.chunked_array(found))
    ids = pa.array(found)
    return pa.RecordBatch.from_arrays([*batch.columns, ids], schema=batch.schema.append(pa.field(into, ids.type)))


def _check_new(into: str, names: Iterable[str]) -> None:
    if not isinstance(into, str):
        raise InputTypeError(f"into={into!r:.100}: give the name of the new column")
    if into in names:
        raise OptionsError(f"into={into!r:.100}: there is a column of this name already; give another name")
