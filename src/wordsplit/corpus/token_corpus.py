"""A finished corpus of ids, opened for reading."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, SupportsIndex, overload

from wordsplit import hints
from wordsplit.arguments import path_text
from wordsplit.arrays import numpy
from wordsplit.corpus.formats import Layout, Shard
from wordsplit.corpus.permutation import Permutation
from wordsplit.corpus.selection import Selection
from wordsplit.corpus.shard_store import ShardStore
from wordsplit.corpus.windows import Windows

__all__ = ["Documents", "TokenCorpus", "open"]


class Documents(Selection):
    """Documents of a corpus: some of them, or in another order.

    Args:
        store: The shards.
        picks: The documents, as indexes into ``order`` or, without one, into the corpus.
        order: The order of all documents.
    """

    def __init__(self, store: ShardStore, picks: range, order: Permutation | None = None) -> None:
        super().__init__(picks, order)
        self._store = store

    def __repr__(self) -> str:
        return f"Documents({len(self):,} of {self._store.documents:,})"

    def _selected(self, picks: range) -> hints.Self:
        return type(self)(self._store, picks, self._order)

    def _item(self, index: int) -> hints.npt.NDArray[Any]:
        shard, at = self._store.located(index)
        return shard.document(at)

    def key(self, at: SupportsIndex) -> str | None:
        """Return the key of a document, or ``None`` if the corpus has no keys."""
        shard, inside = self._store.located(self.index(at))
        return shard.key(inside)


class TokenCorpus:
    """A finished corpus of ids; `wordsplit.corpus.open` returns it.

    ``corpus[i]`` is a document: a one-dimensional read-only array of its ids, a view of a mapped file. Copy arrays
    that you keep for long, because a view keeps its file open. ``corpus[a:b]`` is a sequence of documents,
    ``len(corpus)`` is their number, and iterating over the corpus yields them in order. Shards are opened when they are
    used, and the last 128 of them stay open. A corpus can be used by several threads, after a fork, and, pickled, by
    other processes, which open the files again.

    The format ``parquet`` cannot be mapped: its shards are decoded into memory, the last ones up to 1 GiB. For random
    access, export such a corpus to ``raw`` first.

    Example:
        >>> import pathlib, tempfile
        >>> from wordsplit.corpus import from_ids
        >>> folder = pathlib.Path(tempfile.mkdtemp(), "corpus")
        >>> corpus = from_ids(folder, [[5, 6, 7, 0], [8, 0], [9, 9, 9, 0]], keys=["a", "b", "c"])
        >>> corpus
        TokenCorpus(3 documents, 10 ids, raw, uint32)
        >>> corpus[-1].tolist(), corpus.key(1)
        ([9, 9, 9, 0], 'b')
        >>> [window.tolist() for window in corpus.windows(4)]
        [[5, 6, 7, 0], [8, 0, 9, 9]]
    """

    def __init__(self, store: ShardStore) -> None:
        self._store = store
        self._documents = Documents(store, range(store.documents))

    def __repr__(self) -> str:
        return f"TokenCorpus({len(self):,} documents, {self.tokens:,} ids, {self.format}, {self._store.layout.dtype})"

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> hints.npt.NDArray[Any]: ...
    @overload
    def __getitem__(self, at: slice, /) -> Documents: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> hints.npt.NDArray[Any] | Documents:
        return self._documents[at]

    def __iter__(self) -> Iterator[hints.npt.NDArray[Any]]:
        return iter(self._documents)

    @property
    def path(self) -> Path:
        """The folder."""
        return self._store.path

    @property
    def format(self) -> str:
        """The name of the format: ``"raw"``, ``"megatron"``, ``"parquet"`` or that of a plug-in."""
        return self._store.manifest.format

    @property
    def tokens(self) -> int:
        """The number of ids of all documents, including those added to each."""
        return self._store.tokens

    @property
    def dtype(self) -> hints.np.dtype[Any]:
        """The type of the ids: uint16, uint32 or, of the format ``megatron``, int32."""
        return numpy().dtype(self._store.layout.dtype)  # type: ignore[no-any-return]

    @property
    def layout(self) -> Layout:
        """The properties that all shards share: the type of the ids, the vocab and the added ids."""
        return self._store.layout

    @property
    def has_keys(self) -> bool:
        """Whether the documents have keys."""
        return self._store.layout.has_keys

    @property
    def vocab(self) -> str:
        """The name of the vocab."""
        return self._store.layout.vocab

    @property
    def vocab_fingerprint(self) -> str:
        """The fingerprint of the vocab, to compare with `wordsplit.Vocab.fingerprint`."""
        return self._store.layout.fingerprint

    @property
    def n_vocab(self) -> int:
        """The number of ids of the vocab."""
        return self._store.manifest.n_vocab

    @property
    def eos_token_id(self) -> int | None:
        """The id added after every document, or ``None``."""
        return self._store.layout.eos_token_id

    @property
    def bos_token_id(self) -> int | None:
        """The id added before every document, or ``None``."""
        return self._store.layout.bos_token_id

    def key(self, at: SupportsIndex) -> str | None:
        """Return the key of a document, or ``None`` if the corpus has no keys."""
        return self._documents.key(at)

    def ids(self, begin: int, end: int) -> hints.npt.NDArray[Any]:
        """Return the ids from ``begin`` to ``end`` of all documents, concatenated.

        Both are limited to the number of ids. The result is a read-only view if the ids are in one shard, else a copy.
        """
        begin, end = max(begin, 0), min(end, self.tokens)
        return self._store.ids(begin, end)

    def shards(self) -> Iterator[Shard]:
        """Open all shards in order, one at a time, for reading a whole corpus."""
        return self._store.shards()

    def shuffled(self, seed: int) -> Documents:
        """Return all documents in a random order, which is computed as it is used.

        Args:
            seed: Any integer. The same seed gives the same order on every machine.

        Example:
            >>> import pathlib, tempfile
            >>> from wordsplit.corpus import from_ids
            >>> folder = pathlib.Path(tempfile.mkdtemp(), "corpus")
            >>> corpus = from_ids(folder, [[5, 0], [6, 0], [7, 0], [8, 0]])
            >>> [document.tolist() for document in corpus.shuffled(seed=1)]
            [[8, 0], [5, 0], [7, 0], [6, 0]]
        """
        return Documents(self._store, range(len(self)), Permutation(len(self), seed))

    def shard(self, rank: int, world: int, *, even: bool = False) -> Documents:
        """Return the documents for one of several processes: ``rank``, ``rank + world`` and so on.

        Args:
            rank: The process, from 0 to below ``world``.
            world: The number of processes.
            even: Whether all processes get the same number of documents; up to ``world - 1`` at the end are left out
                then.

        Raises:
            OptionsError: There is no such rank.
        """
        return self._documents.shard(rank, world, even=even)

    def windows(
        self,
        length: int,
        *,
        seed: int | None = None,
        drop_last: bool = True,
        stride: int | None = None,
        dtype: hints.npt.DTypeLike | None = None,
    ) -> Windows:
        """Return windows of ``length`` consecutive ids, over all documents concatenated.

        To predict the next id, training needs one id more than the context length: in ``windows(2049, stride=2048)``,
        all ids of a window but the last are inputs, all but the first are labels, and every id is a label once.

        Args:
            length: The number of ids of a window.
            seed: A seed for a random order of the windows, the same on every machine; ``None`` for no shuffling.
            drop_last: Whether ids at the end that do not fill a window are left out. Otherwise the last window is
                shorter.
            stride: The number of ids from the beginning of a window to that of the next; by default ``length``. With a
                smaller stride, windows overlap.
            dtype: The type of the arrays, such as ``"int64"``, which `torch` takes as indexes; the arrays are then
                copies. By default, the type of the corpus.

        Raises:
            OptionsError: ``length`` or ``stride`` is less than 1, or ``dtype`` does not hold every id of the vocab.

        Example:
            >>> import pathlib, tempfile
            >>> from wordsplit.corpus import from_ids
            >>> folder = pathlib.Path(tempfile.mkdtemp(), "corpus")
            >>> corpus = from_ids(folder, [[5, 6, 0], [7, 0], [8, 9, 0]])
            >>> windows = corpus.windows(5, stride=4, drop_last=False)
            >>> [window.tolist() for window in windows]
            [[5, 6, 0, 7, 0], [0, 8, 9, 0]]
            >>> windows.ends(0).tolist(), windows.documents(0)
            ([3, 5], range(0, 2))
            >>> len(corpus.windows(2, seed=1).shard(0, 2))
            2
        """
        return Windows(self._store, length, seed=seed, drop_last=drop_last, stride=stride, dtype=dtype)


def open(path: str | os.PathLike[str]) -> TokenCorpus:  # noqa: A001 - wordsplit.corpus.open
    """Open a finished corpus of ids.

    The size of every file is compared with the manifest; contents are read when they are used.

    Args:
        path: The folder.

    Raises:
        CorpusError: The folder is not a corpus, the corpus is not complete or was written by a newer version, or a
            file is missing, truncated or changed.
        OptionsError: NumPy is not installed.

    Example:
        >>> import pathlib, tempfile
        >>> from wordsplit import corpus
        >>> folder = pathlib.Path(tempfile.mkdtemp(), "corpus")
        >>> _ = corpus.from_ids(folder, [[5, 6, 7, 0], [8, 0]], eos_token_id=0)
        >>> opened = corpus.open(folder)
        >>> len(opened), opened.tokens, opened[1].tolist(), opened.eos_token_id
        (2, 6, [8, 0], 0)
    """
    folder = Path(path_text(path, "a corpus"))
    numpy()
    return TokenCorpus(ShardStore(folder))
