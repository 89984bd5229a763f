"""The format ``parquet``: a column ``input_ids`` of lists of ids and, with keys, a column ``id`` of strings.

Row groups have at most 1,048,576 ids, or one document with more, and at most 65,536 documents. Pages are compressed
with Zstandard. The metadata of the file has the vocab and the added ids, as JSON, under the key ``wordsplit``. The
bytes depend only on the documents and the version of `pyarrow`.

Ids are decoded into memory when a shard is opened: for training, prefer ``raw`` or ``megatron``, or export to them. A
document that is written in pieces is assembled in memory.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from wordsplit.arrays import numpy
from wordsplit.corpus.formats.arrow import id_lists, require_pyarrow, schema_of, strings
from wordsplit.corpus.formats.base import ArrayShard, Layout, Shard, ShardFormat, ShardWriter
from wordsplit.corpus.formats.ids import checked
from wordsplit.corpus.formats.keys import Keys
from wordsplit.corpus.formats.output import Output, with_suffix
from wordsplit.errors import CorpusError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

__all__ = ["Parquet", "plugin"]

_SUFFIX = ".parquet"
_GROUP_IDS = 1 << 20
_GROUP_DOCUMENTS = 1 << 16
_MOST = (1 << 31) - 1


class Parquet(ShardFormat):
    """Parquet with lists of ids."""

    name: ClassVar[str] = "parquet"
    dtypes: ClassVar[tuple[str, ...]] = ("uint16", "uint32")

    def suffixes(self, layout: Layout) -> tuple[str, ...]:  # noqa: ARG002 - the same for every layout
        """Return the only suffix."""
        return (_SUFFIX,)

    def create(self, stem: Path, layout: Layout) -> ShardWriter:
        """Begin a shard. A row group, and a document that is not yet complete, are in memory."""
        require_pyarrow()
        return _Writer(stem, layout)

    def open(self, stem: Path, layout: Layout) -> Shard:
        """Decode a shard into memory, its keys when they are used."""
        require_pyarrow()
        path = with_suffix(stem, _SUFFIX)
        ids, ends = _decoded(path, layout.dtype)
        keys = (lambda: _Keys(path)) if layout.has_keys else None
        return ArrayShard(ids, ends, keys, resident=ids.nbytes + ends.nbytes)


def _decoded(path: Path, dtype: str) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint64]]:
    """Return the ids, and the ends of the documents."""
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import
    from pyarrow import parquet  # noqa: PLC0415 - as above

    np = numpy()
    try:
        with parquet.ParquetFile(path) as file:
            groups = [file.metadata.row_group(i) for i in range(file.num_row_groups)]
            # Parquet also counts an empty list as a value, so there are at most as many ids. Memory of pages that are
            # never written is not taken.
            ids = np.empty(sum(group.column(0).num_values for group in groups), dtype)
            ends = np.empty(file.metadata.num_rows, np.uint64)
            row = end = 0
            for group in range(len(groups)):
                for lists in file.read_row_group(group, ["input_ids"]).column(0).chunks:
                    offsets = lists.offsets.to_numpy()
                    values = lists.values.to_numpy()[offsets[0] : offsets[-1]]
                    ids[end : end + len(values)] = values
                    np.add(offsets[1:], end - int(offsets[0]), out=ends[row : row + len(lists)], casting="unsafe")
                    row, end = row + len(lists), end + len(values)
    except (pa.ArrowException, OSError, KeyError) as error:
        raise CorpusError(f"damaged, missing, or not a shard: {error}", file=path) from error
    ids.flags.writeable = False
    return ids[:end], ends


class _Keys:
    """The keys of a shard, in memory."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa  # noqa: PLC0415 - as above
        from pyarrow import parquet  # noqa: PLC0415 - as above

        try:
            self._keys: pa.ChunkedArray = parquet.read_table(path, columns=["id"]).column(0)
        except (pa.ArrowException, OSError, KeyError) as error:
            raise CorpusError(f"the column 'id' cannot be read: {error}", file=path) from error

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, at: int) -> str:
        key: str = self._keys[at].as_py()
        return key

    def part(self, first: int, end: int) -> Keys:
        """Return some of the keys."""
        return Keys.of(self._keys[first:end])


class _Writer(ShardWriter):
    """Collects ids until a row group is complete. Row groups depend on the documents, not on the batches."""

    _ids: npt.NDArray[np.uint32]
    _ends: npt.NDArray[np.int64]

    def __init__(self, stem: Path, layout: Layout) -> None:
        import pyarrow as pa  # noqa: PLC0415 - as above
        from pyarrow import parquet  # noqa: PLC0415 - as above

        super().__init__(stem, layout)
        np = numpy()
        self._limit = int(np.iinfo(layout.dtype).max)
        content = {"format": "wordsplit.parquet", "version": 1, "dtype": layout.dtype, **layout.described()}
        metadata = {"wordsplit": json.dumps(content, sort_keys=True)}
        self._schema = schema_of(layout.dtype, has_keys=layout.has_keys, metadata=metadata)
        self.outputs[_SUFFIX] = Output(with_suffix(stem, _SUFFIX))
        self._writer = parquet.ParquetWriter(
            pa.PythonFile(self.outputs[_SUFFIX], mode="w"),
            self._schema,
            compression="zstd",
            use_dictionary=False,
            write_statistics=False,
        )
        # What is not yet written: ids, the ends of the documents that are complete, and their keys.
        self._ids = np.empty(_GROUP_IDS, np.uint32)
        self._count = 0
        self._ends = np.empty(0, np.int64)
        self._keys = Keys.of([])

    def _add(self, ids: npt.NDArray[np.uint32], ends: npt.NDArray[np.uint64], keys: Keys | None) -> None:
        np = numpy()
        checked(ids, self._limit, self.layout.dtype)
        count = self._count + len(ids)
        if count > len(self._ids):
            larger = np.empty(max(count, 2 * len(self._ids)), np.uint32)
            larger[: self._count] = self._ids[: self._count]
            self._ids = larger
        self._ids[self._count : count] = ids
        begin = self.tokens - self._count
        self._count = count
        self._ends = np.concatenate([self._ends, ends.astype(np.int64) - begin])
        if keys is not None:
            self._keys = self._keys.joined(keys)
        self._put(last=False)
        if self._count > _MOST + _GROUP_IDS:
            raise self._too_long()

    def _put(self, *, last: bool) -> None:
        """Write the complete row groups, or all remaining ids."""
        np = numpy()
        first = begin = 0
        documents = len(self._ends)
        while first < documents:
            fitting = int(np.searchsorted(self._ends, begin + _GROUP_IDS, side="right"))
            end = min(max(fitting, first + 1), first + _GROUP_DOCUMENTS)
            # The ids of an open document also count: it can be in this group only if all of it fits.
            full = end - first == _GROUP_DOCUMENTS or self._count - begin > _GROUP_IDS
            if end == documents and not full and not last:
                break
            self._put_group(first, end, begin)
            first, begin = end, int(self._ends[end - 1])
        if first:
            self._ids[: self._count - begin] = self._ids[begin : self._count]
            self._count -= begin
            self._ends = self._ends[first:] - begin
            if self.layout.has_keys:
                self._keys = self._keys.part(first, len(self._keys.ends))

    def _put_group(self, first: int, end: int, begin: int) -> None:
        import pyarrow as pa  # noqa: PLC0415 - as above

        stop = int(self._ends[end - 1])
        if stop - begin > _MOST:
            raise self._too_long()
        columns = [id_lists(self._ids[begin:stop], self._ends[first:end] - begin, self.layout.dtype)]
        if self.layout.has_keys:
            columns.append(strings(self._keys.part(first, end)))
        self._writer.write_table(pa.Table.from_arrays(columns, schema=self._schema), row_group_size=_GROUP_DOCUMENTS)

    def _too_long(self) -> CorpusError:
        what = f"a document of more than {_MOST:,} ids, which Parquet's lists cannot hold: use the format 'raw'"
        return CorpusError(what, file=self.stem)

    def _finish(self) -> None:
        self._put(last=True)
        self._writer.close()

    def abort(self) -> None:
        """Close the file and remove it."""
        self._writer.close()
        super().abort()


plugin: ShardFormat = Parquet()
