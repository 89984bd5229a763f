"""The format ``megatron``: the indexed dataset of Megatron-LM, NeMo and GPT-NeoX, version 1 (magic ``MMIDIDX``).

`.bin` has all ids, little-endian, as uint16 or, where that does not fit, int32. `.idx` has, little-endian:

| bytes | content |
|---|---|
| 9 | ``MMIDIDX``, NUL, NUL |
| 8 | version: 1, uint64 |
| 1 | type of the ids: 8 for uint16, 4 for int32 |
| 8 | number of documents, uint64 |
| 8 | number of document indexes: one more, uint64 |
| 4 each | ids of each document, int32 |
| 8 each | where each document begins in `.bin`, in bytes, int64 |
| 8 each | document indexes: 0, 1, 2 and so on, up to the number of documents, int64 |

Megatron calls the documents of this index *sequences*, and allows several per document; here there is one. Keys, which
Megatron does not support, are in the files `.keys` and `.key_ends`, as in the format ``raw``.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from wordsplit.arrays import numpy
from wordsplit.corpus.formats.base import KeysOfShard, Layout, Shard, ShardFormat, ShardWriter
from wordsplit.corpus.formats.ids import IdOutput
from wordsplit.corpus.formats.keys import KEY_SUFFIXES, KeyFiles, Keys, MappedKeys
from wordsplit.corpus.formats.output import Output, mapped, with_suffix
from wordsplit.errors import CorpusError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["BIN", "IDX", "Megatron", "plugin", "write_index"]

BIN, IDX = ".bin", ".idx"
_HEADER = struct.Struct("<9sQBQQ")
_MAGIC = b"MMIDIDX\0\0"
_CODES = {"uint16": 8, "int32": 4}
_LONGEST = (1 << 31) - 1
_BLOCK = 1 << 16
"""Documents whose part of the index is in memory at once."""


class Megatron(ShardFormat):
    """Megatron's indexed dataset."""

    name: ClassVar[str] = "megatron"
    dtypes: ClassVar[tuple[str, ...]] = ("uint16", "int32")

    def suffixes(self, layout: Layout) -> tuple[str, ...]:
        """Return the suffixes; that of the index is the last one."""
        return (BIN, *(KEY_SUFFIXES if layout.has_keys else ()), IDX)

    def create(self, stem: Path, layout: Layout) -> ShardWriter:
        """Begin a shard. Until it is closed, the ends of its documents are in an unnamed temporary file next to it."""
        return _Writer(stem, layout)

    def open(self, stem: Path, layout: Layout) -> Shard:
        """Map a shard."""
        ids = mapped(with_suffix(stem, BIN), "<u2" if layout.dtype == "uint16" else "<i4")
        path = with_suffix(stem, IDX)
        index = mapped(path, "u1")
        documents = _documents(index, layout.dtype, path)
        sizes = index[_HEADER.size :][: 4 * documents].view("<i4")
        begins = index[_HEADER.size + 4 * documents :][: 8 * documents].view("<i8")
        if documents and int(begins[-1]) + int(sizes[-1]) * ids.itemsize != ids.nbytes:
            raise CorpusError(f"the last document does not end at the last of {len(ids):,} ids", file=path)
        return _Shard(ids, begins, (lambda: MappedKeys(stem)) if layout.has_keys else None)


def _documents(index: npt.NDArray[Any], dtype: str, path: Path) -> int:
    """Return the number of documents of an index, after checking its header and its size."""
    if len(index) < _HEADER.size:
        raise CorpusError(f"{len(index)} bytes; an index has at least {_HEADER.size}", file=path)
    magic, version, code, documents, indexes = _HEADER.unpack(index[: _HEADER.size].tobytes())
    if (magic, version, code, indexes) != (_MAGIC, 1, _CODES[dtype], documents + 1):
        raise CorpusError(f"not the index, in version 1, of one sequence a document of {dtype}", file=path)
    if (size := _HEADER.size + 12 * documents + 8 * indexes) != len(index):
        raise CorpusError(f"{len(index):,} bytes instead of {size:,} for {documents:,} documents", file=path)
    return int(documents)


class _Shard(Shard):
    """A shard indexed by the byte offsets of its documents; `ends` is computed on request."""

    def __init__(
        self, ids: npt.NDArray[Any], begins: npt.NDArray[np.int64], keys: Callable[[], KeysOfShard] | None
    ) -> None:
        super().__init__(ids, keys)
        self._begins = begins

    @property
    def documents(self) -> int:
        """The number of documents."""
        return len(self._begins)

    @cached_property
    def ends(self) -> npt.NDArray[np.uint64]:
        """The end of each document in `ids`."""
        np = numpy()
        ends = self._begins[1:] // self.ids.itemsize
        return np.append(ends, len(self.ids)).astype(np.uint64)[: self.documents]  # type: ignore[no-any-return]

    def bounds(self, at: int) -> tuple[int, int]:
        """Return where a document begins and ends in `ids`."""
        size = self.ids.itemsize
        end = int(self._begins[at + 1]) // size if at + 1 < self.documents else self.tokens
        return int(self._begins[at]) // size, end


class _Writer(ShardWriter):
    def __init__(self, stem: Path, layout: Layout) -> None:
        super().__init__(stem, layout)
        self._ids = self.outputs[BIN] = IdOutput(with_suffix(stem, BIN), layout.dtype)
        self._keys = KeyFiles(stem) if layout.has_keys else None
        if self._keys is not None:
            self.outputs |= self._keys.outputs
        self._index = self.outputs[IDX] = Output(with_suffix(stem, IDX))
        # The index begins with the number of documents, which is known at the end.
        self._ends = tempfile.TemporaryFile(dir=stem.parent)  # noqa: SIM115 - closed with the shard
        self._end = 0

    def _add(self, ids: npt.NDArray[np.uint32], ends: npt.NDArray[np.uint64], keys: Keys | None) -> None:
        if len(ends):
            check_sizes(ends, self._end, self.documents, self.stem)
            self._end = int(ends[-1])
        self._ids.put(ids)
        self._ends.write(ends.tobytes())
        if self._keys is not None and keys is not None:
            self._keys.put(keys)

    def _finish(self) -> None:
        write_index(self._index, self.layout.dtype, self.documents, self._blocks)
        self._ends.close()

    def _blocks(self) -> Iterator[npt.NDArray[np.uint64]]:
        np = numpy()
        self._ends.seek(0)
        while block := self._ends.read(8 * _BLOCK):
            yield np.frombuffer(block, np.uint64)

    def abort(self) -> None:
        """Close the files and remove them."""
        self._ends.close()
        super().abort()


def check_sizes(ends: npt.NDArray[np.uint64], begin: int, first: int, path: Path) -> None:
    """Check that the index can hold the sizes of documents.

    Args:
        ends: Where the documents end.
        begin: Where the first of them begins.
        first: The index of the first of them.
        path: The file or shard, for the message.

    Raises:
        CorpusError: One has 2,147,483,648 ids or more.
    """
    np = numpy()
    sizes = np.diff(ends, prepend=np.uint64(begin))
    if len(sizes) and int(sizes.max()) > _LONGEST:
        at = int(sizes.argmax())
        raise CorpusError(
            f"{sizes[at]:,} ids; Megatron's index holds at most {_LONGEST:,}: use the format 'raw'",
            file=path,
            field=f"document {first + at}",
        )


def write_index(
    index: Output, dtype: str, documents: int, blocks: Callable[[], Iterable[npt.NDArray[np.uint64]]]
) -> None:
    """Write an index.

    Args:
        index: The file.
        dtype: The type of the ids.
        documents: The number of documents.
        blocks: Returns where the documents end, in ids, some at a time; called twice.
    """
    np = numpy()
    index.write(_HEADER.pack(_MAGIC, 1, _CODES[dtype], documents, documents + 1))
    end = np.uint64(0)
    for ends in blocks():
        index.write(np.diff(ends, prepend=end).astype("<i4"))
        end = ends[-1]
    end, size = np.uint64(0), np.uint64(np.dtype(dtype).itemsize)
    for ends in blocks():
        index.write((np.append(end, ends[:-1]) * size).astype("<i8"))
        end = ends[-1]
    for first in range(0, documents + 1, _BLOCK):
        index.write(np.arange(first, min(first + _BLOCK, documents + 1), dtype="<i8"))


plugin: ShardFormat = Megatron()
