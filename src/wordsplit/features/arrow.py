"""Encode a column of Arrow data to a column of lists of ids, whose memory other libraries share."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, Literal, get_args

from wordsplit import hints
from wordsplit.arrays import numpy
from wordsplit.engine.columns import native_errors, native_module, text_column
from wordsplit.errors import OptionsError

if TYPE_CHECKING:
    from wordsplit.engine.base import Engine
    from wordsplit.engine.inputs import Inputs
    from wordsplit.text import Special

__all__ = ["ArrowType", "EncodedColumn", "encode_arrow", "encode_batch"]

ArrowType = Literal["list<uint32>", "large_list<uint32>", "list<int32>", "large_list<int32>"]
"""The Arrow type of a column of ids. Offsets have 32 bits in a list, and 64 bits in a large list."""


class EncodedColumn:
    """The ids of the rows of a column, returned by `Tokenizer.encode_arrow`. Immutable.

    It has Arrow's methods ``__arrow_c_array__`` and ``__arrow_c_stream__``, so other libraries accept it directly:
    ``pyarrow.array(column)``, ``polars.Series(column)``. They share its memory, as do the arrays of `to_numpy`, and
    keep it alive. A consumer may request another of the four types; the ids use the same memory in each.

    ``len(column)`` is the number of rows, and ``column[row]`` a list of ids, or ``None`` for a null row.

    Attributes:
        type: Its Arrow type, such as ``"list<uint32>"``.

    Example:
        >>> import pyarrow
        >>> import wordsplit
        >>> texts = pyarrow.array(["hello world", None, "hello"])
        >>> column = wordsplit.load_tokenizer("qwen3").encode_arrow(texts)
        >>> column
        <EncodedColumn: 3 rows (1 null), 3 tokens, list<uint32>>
        >>> pyarrow.array(column).to_pylist()
        [[14990, 1879], None, [14990]]
        >>> column[0], column[1]
        ([14990, 1879], None)
    """

    def __init__(self, lists: hints.native.TokenLists, arrow_type: ArrowType) -> None:
        self._lists = lists
        self.type = arrow_type

    @property
    def ids(self) -> memoryview:
        """All ids, as a read-only buffer of 32-bit integers."""
        return self._lists.ids

    @property
    def offsets(self) -> memoryview:
        """Where each row begins in `ids`, and the end: a read-only buffer of ``len(column) + 1`` 64-bit integers."""
        return self._lists.offsets

    @property
    def n_tokens(self) -> int:
        """The number of ids of all rows."""
        return self._lists.tokens

    @property
    def null_count(self) -> int:
        """The number of rows that are null."""
        return self._lists.nulls

    def to_numpy(self) -> tuple[hints.npt.NDArray[Any], hints.npt.NDArray[hints.np.int64]]:
        """Return `ids` and `offsets` as read-only arrays that share their memory.

        The ids of row ``i`` are ``ids[offsets[i]:offsets[i + 1]]``; a null row has none.

        Raises:
            OptionsError: NumPy is not installed.

        Example:
            >>> import pyarrow
            >>> import wordsplit
            >>> texts = pyarrow.array(["hello world", "hello"])
            >>> wordsplit.load_tokenizer("qwen3").encode_arrow(texts).to_numpy()
            (array([14990,  1879, 14990], dtype=uint32), array([0, 2, 3]))
        """
        np = numpy()
        # Buffers name types as C does, and NumPy has several 64-bit types: request the usual ones.
        ids_type = np.int32 if self.ids.format == "i" else np.uint32
        return np.asarray(self.ids).view(ids_type), np.asarray(self.offsets).view(np.int64)

    def __len__(self) -> int:
        return len(self._lists)

    def __bool__(self) -> bool:
        """Return ``True``, so that truth does not depend on the number of rows."""
        return True

    def __getitem__(self, row: int) -> list[int] | None:
        at, rows = index(row), len(self)
        if not -rows <= at < rows:
            raise IndexError(f"row {at} of a column of {rows:,} rows")
        at %= rows
        if self._lists.is_null(at):
            return None
        start, end = self.offsets[at : at + 2]
        ids: list[int] = self.ids[start:end].tolist()
        return ids

    def __arrow_c_schema__(self) -> object:
        return self._lists.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        with native_errors():
            return self._lists.__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        with native_errors():
            return self._lists.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        nulls = f" ({self.null_count:,} null)" if self.null_count else ""
        return f"<EncodedColumn: {len(self):,} rows{nulls}, {self.n_tokens:,} tokens, {self.type}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (bytes(self.ids), bytes(self.offsets), bytes(self._lists.validity), self.type)


def encode_arrow(
    inputs: Inputs, data: object, special: Special, threads: int | None, field: str | None, arrow_type: ArrowType
) -> EncodedColumn:
    """See `Tokenizer.encode_arrow`."""
    if arrow_type not in get_args(ArrowType):
        raise OptionsError(f"arrow_type={arrow_type!r:.100}: use one of {', '.join(map(repr, get_args(ArrowType)))}")
    column = text_column(data, field)
    lists = _lists(arrow_type)
    inputs.column(column, special, threads, lists)
    lists.fit()  # the column may live long
    return EncodedColumn(lists, arrow_type)


def encode_batch(inputs: Inputs, engine: Engine, texts: Any, special: Special, threads: int | None) -> EncodedColumn:
    """See `Tokenizer.encode_batch`."""
    if hasattr(texts, "__arrow_c_stream__") or hasattr(texts, "__arrow_c_array__"):
        return encode_arrow(inputs, texts, special, threads, None, "list<uint32>")
    ids, offsets = inputs.batch(engine.encode_batch_to_numpy, texts, special, threads)
    return _rebuild(ids.tobytes(), offsets.tobytes(), b"", "list<uint32>")


def _lists(arrow_type: ArrowType) -> hints.native.TokenLists:
    large, signed = arrow_type.startswith("large"), arrow_type.endswith("<int32>")
    lists: hints.native.TokenLists = native_module().TokenLists(large=large, signed=signed)
    return lists


def _rebuild(ids: bytes, offsets: bytes, validity: bytes, arrow_type: ArrowType) -> EncodedColumn:
    lists = _lists(arrow_type)
    with native_errors():
        lists.set_buffers(ids, offsets, validity)
    return EncodedColumn(lists, arrow_type)
