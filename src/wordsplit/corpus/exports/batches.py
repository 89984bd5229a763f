"""Read a corpus from its beginning to its end, many documents at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from wordsplit.arrays import numpy
from wordsplit.corpus.formats import Shard
from wordsplit.corpus.formats.keys import Keys
from wordsplit.corpus.token_corpus import TokenCorpus

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Batch", "batches", "files_of_documents", "files_of_ids"]

T = TypeVar("T")

_IDS = 1 << 20
_DOCUMENTS = 1 << 16


class Batch(NamedTuple):
    """Some documents of a shard.

    Attributes:
        ids: Their ids, a view of those of the shard.
        ends: Where each ends in ``ids``.
        keys: Their keys, or ``None``.
    """

    ids: npt.NDArray[Any]
    ends: npt.NDArray[np.int64]
    keys: Keys | None

    def part(self, first: int, end: int) -> Batch:
        """Return some of the documents."""
        begin = int(self.ends[first - 1]) if first else 0
        ids = self.ids[begin : int(self.ends[end - 1]) if end else 0]
        keys = self.keys.part(first, end) if self.keys is not None else None
        return Batch(ids, self.ends[first:end] - begin, keys)


def batches(shard: Shard) -> Iterator[Batch]:
    """Yield the documents of a shard: about a million ids at once, or one document with more."""
    np = numpy()
    ends, at, begin = shard.ends, 0, 0
    while at < len(ends):
        fitting = int(np.searchsorted(ends, np.uint64(begin + _IDS), side="right"))
        after = min(max(fitting, at + 1), at + _DOCUMENTS)
        end = int(ends[after - 1])
        yield Batch(shard.ids[begin:end], ends[at:after].astype(np.int64) - begin, shard.keys(at, after))
        at, begin = after, end


def files_of_documents(corpus: TokenCorpus, most: int) -> Iterator[Iterator[Batch]]:
    """Yield the batches of each file, if a file ends with the document that brings it to ``most`` ids.

    The batches of a file must be consumed before the next file is requested.
    """
    return _files(_cut(corpus, most))


def files_of_ids(corpus: TokenCorpus, most: int) -> Iterator[Iterator[npt.NDArray[Any]]]:
    """Yield the ids of each file, some at a time, if each file but the last has ``most`` ids of all documents.

    The ids of a file must be consumed before the next file is requested.
    """
    return _files(_cut_ids(corpus, most))


def _files(cut: Iterator[tuple[T, bool]]) -> Iterator[Iterator[T]]:
    for first in cut:
        yield _file(first, cut)


def _file(part: tuple[T, bool] | None, rest: Iterator[tuple[T, bool]]) -> Iterator[T]:
    while part is not None:
        found, is_last = part
        yield found
        part = None if is_last else next(rest, None)


def _cut(corpus: TokenCorpus, most: int) -> Iterator[tuple[Batch, bool]]:
    """Yield batches, and whether a file ends with each."""
    np = numpy()
    written = 0
    for shard in corpus.shards():
        for whole in batches(shard):
            batch = whole
            while (last := int(np.searchsorted(batch.ends, most - written))) < len(batch.ends):
                yield batch.part(0, last + 1), True
                batch, written = batch.part(last + 1, len(batch.ends)), 0
            if len(batch.ends):
                yield batch, False
                written += len(batch.ids)


def _cut_ids(corpus: TokenCorpus, most: int) -> Iterator[tuple[npt.NDArray[Any], bool]]:
    """Yield at most a million ids, and whether a file ends with them."""
    written = 0
    for shard in corpus.shards():
        at = 0
        while at < shard.tokens:
            end = min(at + _IDS, shard.tokens, at + most - written)
            written += end - at
            yield shard.ids[at:end], written == most
            at, written = end, written % most
