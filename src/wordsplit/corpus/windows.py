"""Windows: a fixed number of consecutive ids, from all documents concatenated."""

from __future__ import annotations

from typing import Any, SupportsIndex

from wordsplit import hints
from wordsplit.arguments import check_integers
from wordsplit.arrays import id_dtype, numpy
from wordsplit.corpus.permutation import Permutation
from wordsplit.corpus.selection import Selection
from wordsplit.corpus.shard_store import ShardStore

__all__ = ["Windows"]


class Windows(Selection):
    """Windows of ids over all documents of a corpus, concatenated; see `TokenCorpus.windows`.

    ``windows[i]`` is a one-dimensional array: a read-only view of a mapped file if the window is in one shard and no
    other type was requested, else a copy. A slice is a selection of windows.
    """

    def __init__(
        self,
        store: ShardStore,
        length: int,
        *,
        seed: int | None = None,
        drop_last: bool = True,
        stride: int | None = None,
        dtype: hints.npt.DTypeLike | None = None,
    ) -> None:
        stride = length if stride is None else stride
        check_integers(1, length=length, stride=stride)
        if dtype is not None:
            n_ids = store.manifest.n_vocab or 1 << 31  # as for `from_ids` without a vocab
            largest = min(n_ids - 1, int(numpy().iinfo(store.layout.dtype).max))
            dtype = id_dtype(dtype, largest, store.layout.vocab or "the corpus")
        count = _count(store.tokens, length, stride, drop_last=drop_last)
        super().__init__(range(count), None if seed is None else Permutation(count, seed))
        self._store, self._length, self._stride, self._dtype = store, length, stride, dtype

    def __repr__(self) -> str:
        return f"Windows({len(self):,} of {self._length:,} ids)"

    def _selected(self, picks: range) -> hints.Self:
        out = type(self).__new__(type(self))
        out.__dict__.update(self.__dict__, _picks=picks)
        return out

    def _bounds(self, index: int) -> tuple[int, int]:
        begin = index * self._stride
        return begin, min(begin + self._length, self._store.tokens)

    def _item(self, index: int) -> hints.npt.NDArray[Any]:
        ids = self._store.ids(*self._bounds(index))
        return ids if self._dtype is None else ids.astype(self._dtype)

    def bounds(self, at: SupportsIndex) -> tuple[int, int]:
        """Return where a window begins and ends, in ids from the beginning of the corpus."""
        return self._bounds(self.index(at))

    def ends(self, at: SupportsIndex) -> hints.npt.NDArray[hints.np.int64]:
        """Return where documents end in a window, for attention masks and position ids.

        Returns:
            Rising positions from 1 to the length of the window; the last one is the length only if a document ends with
            the window. Empty documents add none.
        """
        return self._store.ends(*self.bounds(at))

    def documents(self, at: SupportsIndex) -> range:
        """Return the indexes of the documents that have ids in a window."""
        begin, end = self.bounds(at)
        return range(self._store.document_of(begin), self._store.document_of(end - 1) + 1)


def _count(tokens: int, length: int, stride: int, *, drop_last: bool) -> int:
    """Return the number of windows."""
    if drop_last:
        return max((tokens - length) // stride + 1, 0)
    # All ids are in a window, if the stride is not longer; and no window is empty.
    return min(max(-(-(tokens - length) // stride), 0) + 1, -(-tokens // stride))
