"""The shards of a finished corpus: opened when they are used, a bounded number at a time."""

from __future__ import annotations

import bisect
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordsplit.arrays import numpy
from wordsplit.corpus import formats, manifest
from wordsplit.corpus.formats import Layout, Shard
from wordsplit.corpus.manifest import DescribedShard, Manifest
from wordsplit.errors import CorpusError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["ShardStore"]

_MOST_OPEN = 128
"""A mapped shard takes two file descriptors before Python 3.13, and a process often has 1,024 of them."""
_MOST_RESIDENT = 1 << 30
"""Bytes of shards that are decoded into memory; one is kept even if it takes more."""

_REWRITTEN = "the corpus was rewritten since it was opened"


class ShardStore:
    """The manifest and the shards of a finished corpus.

    Args:
        path: The folder.
        check: Whether to compare the size of every file with the manifest now. The numbers of documents and ids are
            always compared when a shard is opened.
        expected: The SHA-256 that the manifest must have.

    Attributes:
        path: The folder.
        manifest: The manifest.
        layout: The properties that all shards share.
        document_ends: For each shard, the number of documents to its end.
        token_ends: For each shard, the number of ids to its end.

    Raises:
        CorpusError: The folder is not a finished corpus, or is damaged.
    """

    def __init__(self, path: Path, *, check: bool = True, expected: str | None = None) -> None:
        self.path: Path = path
        self._state = manifest.state(path)
        self.manifest: Manifest = manifest.read(path)
        if expected not in {None, self.manifest.sha256}:
            raise CorpusError(_REWRITTEN, file=path)
        self.layout: Layout = self.manifest.layout
        self._format = formats.get(self.manifest.format)
        self._suffixes = self._format.suffixes(self.layout)
        # Lists: bisect takes a fifth of the time of numpy.searchsorted for one value.
        self.document_ends: list[int] = list(itertools.accumulate(shard.documents for shard in self.manifest.shards))
        self.token_ends: list[int] = list(itertools.accumulate(shard.tokens for shard in self.manifest.shards))
        self._open: dict[int, Shard] = {}
        if check:
            for shard in self.manifest.shards:
                self._check_sizes(shard)

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopened, (os.path.abspath(self.path), self.manifest.sha256)  # noqa: PTH100 - of a folder that may be gone

    @property
    def documents(self) -> int:
        """The number of documents."""
        return self.document_ends[-1] if self.document_ends else 0

    @property
    def tokens(self) -> int:
        """The number of ids."""
        return self.token_ends[-1] if self.token_ends else 0

    def _stem(self, shard: DescribedShard) -> str:
        return f"{self.path}{os.sep}shards{os.sep}{shard.name}"

    def _check_sizes(self, shard: DescribedShard) -> None:
        stem = self._stem(shard)
        for suffix, expected in zip(self._suffixes, shard.sizes, strict=True):
            path = stem + suffix
            try:
                size = os.stat(path).st_size  # noqa: PTH116 - pathlib takes 7 s more for 100,000 shards
            except OSError as error:
                raise CorpusError(f"cannot be read: {error.strerror}", file=path) from error
            if size != expected:
                raise CorpusError(
                    f"{size:,} bytes, but the manifest says {expected:,}: truncated or changed; "
                    f"copy the file again, or remove it and encode again",
                    file=path,
                )

    def _check_manifest(self) -> None:
        """Check that the shards on the disk are still those of the manifest that was read."""
        state = manifest.state(self.path)
        if state == self._state:
            return
        if manifest.read(self.path).sha256 != self.manifest.sha256:
            raise CorpusError(_REWRITTEN, file=self.path)
        self._state = state  # a copy, or damaged shards were made again

    def _opened(self, index: int) -> Shard:
        self._check_manifest()
        shard = self.manifest.shards[index]
        try:
            out = self._format.open(Path(self._stem(shard)), self.layout)
        except CorpusError:
            self._check_sizes(shard)  # its error says more
            raise
        if (out.documents, out.tokens) != (shard.documents, shard.tokens):
            self._check_sizes(shard)
            raise CorpusError(
                f"{out.documents:,} documents with {out.tokens:,} ids, but the manifest says {shard.documents:,} with "
                f"{shard.tokens:,}",
                file=self._stem(shard),
            )
        return out

    def shard(self, index: int) -> Shard:
        """Return a shard; it stays open until many others have been used."""
        # No lock, because a fork could leave it locked. Each step is atomic; at worst two threads open a shard twice.
        shard = self._open.pop(index, None)
        if shard is None:
            shard = self._opened(index)
            self._make_room(shard.resident)
        self._open[index] = shard  # now the last one
        return shard

    def _make_room(self, resident: int) -> None:
        held = list(self._open.items())
        resident += sum(shard.resident for _, shard in held)
        for index, shard in held:
            if len(self._open) < _MOST_OPEN and resident <= _MOST_RESIDENT:
                return
            resident -= shard.resident
            self._open.pop(index, None)

    def shards(self) -> Iterator[Shard]:
        """Open all shards in order, one at a time."""
        for index in range(len(self.manifest.shards)):
            yield self._opened(index)

    def located(self, document: int) -> tuple[Shard, int]:
        """Return the shard of a document, and the index of the document in it."""
        index = bisect.bisect_right(self.document_ends, document)
        return self.shard(index), document - (self.document_ends[index - 1] if index else 0)

    def parts(self, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield, for each shard that has some of the ids from ``begin`` to ``end``, its index and their start and end.

        Start and end are counted from the beginning of the shard.
        """
        index = bisect.bisect_right(self.token_ends, begin)
        while begin < end:
            first = self.token_ends[index - 1] if index else 0
            last = min(end, self.token_ends[index])
            if begin < last:
                yield index, begin - first, last - first
            begin, index = last, index + 1

    def ids(self, begin: int, end: int) -> npt.NDArray[Any]:
        """Return the ids from ``begin`` to ``end``: a view if they are in one shard, else a copy."""
        np = numpy()
        found = [self.shard(index).ids[first:last] for index, first, last in self.parts(begin, end)]
        if len(found) == 1:
            return found[0]
        return np.concatenate(found) if found else np.empty(0, self.layout.dtype)  # type: ignore[no-any-return]

    def ends(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """Return where documents end after ``begin``, up to ``end``: counted from ``begin``, each place once."""
        np = numpy()
        found, at = [np.empty(0, np.int64)], 0
        for index, first, last in self.parts(begin, end):
            ends = self.shard(index).ends
            low, high = np.searchsorted(ends, np.array([first, last], np.uint64), side="right")
            found.append(ends[low:high].astype(np.int64) + (at - first))
            at += last - first
        every = np.concatenate(found)
        return every[np.diff(every, prepend=0) > 0]  # type: ignore[no-any-return]  # empty documents end where others do

    def document_of(self, token: int) -> int:
        """Return the document that has an id."""
        np = numpy()
        index = bisect.bisect_right(self.token_ends, token)
        before, first = (self.document_ends[index - 1], self.token_ends[index - 1]) if index else (0, 0)
        return before + int(np.searchsorted(self.shard(index).ends, np.uint64(token - first), side="right"))


def _reopened(path: str, sha256: str) -> ShardStore:
    return ShardStore(Path(path), check=False, expected=sha256)
