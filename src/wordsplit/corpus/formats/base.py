"""The contract of a shard format: it writes documents of ids into the files of a shard, and reads them.

A shard is one or several files with a common stem: ``shards/000007.tokens``, ``shards/000007.ends``. A writer takes
documents in batches, cut anywhere, even within a document; the bytes of the files depend only on the documents.

Example:
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> from wordsplit.corpus import formats
    >>> raw, layout = formats.get("raw"), formats.Layout(dtype="uint16")
    >>> stem = pathlib.Path(tempfile.mkdtemp(), "000000")
    >>> with raw.create(stem, layout) as shard:
    ...     shard.write(np.array([9, 8, 7, 6], np.uint32), np.array([3, 3, 4]), open_last=True)
    ...     shard.write(np.array([5], np.uint32), np.array([1]))  # the rest of the third document
    >>> opened = raw.open(stem, layout)
    >>> [opened.document(i).tolist() for i in range(opened.documents)]
    [[9, 8, 7], [], [6, 5]]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Protocol

from wordsplit import hints
from wordsplit.arrays import numpy
from wordsplit.corpus.formats.keys import Keys
from wordsplit.corpus.formats.output import Output
from wordsplit.errors import CorpusError, OptionsError

__all__ = ["ArrayShard", "KeysOfShard", "Layout", "Shard", "ShardFormat", "ShardWriter"]

_LARGEST = {"uint16": (1 << 16) - 1, "int32": (1 << 31) - 1, "uint32": (1 << 32) - 1}


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The properties that all shards of a corpus share.

    Attributes:
        dtype: The type of the ids: ``"uint16"``, ``"uint32"`` or ``"int32"``.
        has_keys: Whether every document has a key, such as its id in the source.
        vocab: The name of the vocab.
        fingerprint: The fingerprint of the vocab.
        eos_token_id: The id added after every document, or ``None``.
        bos_token_id: The id added before every document, or ``None``.

    Raises:
        OptionsError: ``dtype`` is another type.
    """

    dtype: str
    has_keys: bool = False
    vocab: str = ""
    fingerprint: str = ""
    eos_token_id: int | None = None
    bos_token_id: int | None = None

    def __post_init__(self) -> None:
        if self.dtype not in _LARGEST:
            raise OptionsError(f"dtype={self.dtype!r}: the ids of a corpus are one of {', '.join(_LARGEST)}")

    def described(self) -> dict[str, Any]:
        """Return the vocab and the added ids, for the sidecar of a shard."""
        return {
            "bos_token_id": self.bos_token_id,
            "eos_token_id": self.eos_token_id,
            "vocab": {"fingerprint": self.fingerprint, "name": self.vocab},
        }


class ShardFormat(ABC):
    """A format of shards. An object of a subclass has no state.

    Attributes:
        name: The name in the registry.
        dtypes: The types of ids that the format has, narrowest first.
    """

    name: ClassVar[str]
    dtypes: ClassVar[tuple[str, ...]]

    @abstractmethod
    def suffixes(self, layout: Layout) -> tuple[str, ...]:
        """Return the suffixes of the files of a shard. A reader looks for the last one first."""

    @abstractmethod
    def create(self, stem: Path, layout: Layout) -> ShardWriter:
        """Begin a shard. Its files, which are replaced if they exist, are ``stem`` with each suffix."""

    @abstractmethod
    def open(self, stem: Path, layout: Layout) -> Shard:
        """Open a shard for reading.

        Raises:
            CorpusError: A file is missing or damaged.
        """

    def dtype_for(self, largest_id: int) -> str:
        """Return the narrowest type that holds all ids up to ``largest_id``.

        Raises:
            OptionsError: None does.

        Example:
            >>> from wordsplit.corpus import formats
            >>> formats.get("raw").dtype_for(65_535), formats.get("raw").dtype_for(65_536)
            ('uint16', 'uint32')
        """
        for dtype in self.dtypes:
            if largest_id <= _LARGEST[dtype]:
                return dtype
        raise OptionsError(
            f"the format {self.name!r} holds ids up to {_LARGEST[self.dtypes[-1]]:,}, not {largest_id:,}"
        )


class ShardWriter(ABC):
    """Write a shard. Memory is bounded, unless the format says otherwise.

    In a ``with`` block, `close` is called at the end, or `abort` after an exception. A subclass opens the files and
    implements `_add`; it writes the end of a file in `_finish`.

    Args:
        stem: The beginning of the paths of the files.
        layout: The layout of the corpus.

    Attributes:
        stem: The beginning of the paths of the files.
        layout: The layout of the corpus.
        outputs: The files by their suffixes.
        documents: The complete documents written so far.
        tokens: The ids written so far.
    """

    def __init__(self, stem: Path, layout: Layout) -> None:
        self.stem = stem
        self.layout = layout
        self.outputs: dict[str, Output] = {}
        self.documents: int = 0
        self.tokens: int = 0
        self._is_open = self._is_finished = False
        self._open_key = b""

    def write(
        self,
        ids: hints.npt.NDArray[hints.np.uint32],
        ends: hints.npt.NDArray[hints.np.int64],
        keys: Any = None,
        *,
        open_last: bool = False,
    ) -> None:
        """Append documents.

        Args:
            ids: The ids of all documents of the batch; one-dimensional, contiguous. They are not used after the call.
            ends: Where each document ends in ``ids``. The last one is ``len(ids)``.
            keys: With ``layout.has_keys``, the key of each document: a list of strings, or a `pyarrow` array. Null is
                the empty string. A document in several pieces has the key of its first piece; those given with the
                further pieces are ignored.
            open_last: Whether the last document continues in the next batch, as its first one.

        Raises:
            InvalidTokenIdError: The type of the corpus cannot hold an id.
            CorpusError: ``ends`` do not rise to ``len(ids)``, or the keys do not fit the layout or the documents.
        """
        np = numpy()
        if not len(ends):
            if len(ids) or open_last:
                raise CorpusError("a batch of no documents has ids, or leaves a document open", file=self.stem)
            return
        if int(ends[-1]) != len(ids) or int(ends[0]) < 0 or (np.diff(ends) < 0).any():
            raise CorpusError(f"the ends of documents must rise to the {len(ids)} ids of the batch", file=self.stem)
        complete = len(ends) - open_last
        self._add(
            ids, ends[:complete].astype(np.uint64) + np.uint64(self.tokens), self._complete(keys, len(ends), open_last)
        )
        self.tokens += len(ids)
        self.documents += complete
        self._is_open = open_last

    def _complete(self, keys: Any, documents: int, open_last: bool) -> Keys | None:
        """Return the keys of the documents that end in this batch; keep that of one that does not."""
        if (keys is not None) is not self.layout.has_keys:
            what = "keys, but the corpus has none" if keys is not None else "no keys, but the corpus has them"
            raise CorpusError(f"a batch with {what}", file=self.stem)
        if keys is None:
            return None
        out = Keys.of(keys)
        if len(out.ends) != documents:
            raise CorpusError(f"a batch with {len(out.ends)} keys for {documents} documents", file=self.stem)
        if self._is_open:
            out = out.with_first(self._open_key)
        if open_last:
            out, self._open_key = out.without_last()
        return out

    @abstractmethod
    def _add(
        self, ids: hints.npt.NDArray[hints.np.uint32], ends: hints.npt.NDArray[hints.np.uint64], keys: Keys | None
    ) -> None:
        """Append ids.

        Args:
            ids: The ids. They are not used after the call.
            ends: The ends of the documents that end within these ids, from the beginning of the shard. Ids after the
                last end belong to a document that continues.
            keys: The keys of the same documents.
        """

    def close(self) -> None:
        """Write everything to the disk, and close the files.

        Raises:
            CorpusError: The last document is still open.
        """
        if self._is_open:
            raise CorpusError("the last document is open: write its end first", file=self.stem)
        if not self._is_finished:
            self._finish()
            self._is_finished = True
        for output in self.outputs.values():
            output.close()

    def _finish(self) -> None:  # noqa: B027 - most formats have nothing more to write
        """Write the data after the last document."""

    def abort(self) -> None:
        """Close the files and remove them. After `close`, only remove them."""
        for output in self.outputs.values():
            output.abort()

    @property
    def digests(self) -> dict[str, tuple[int, str]]:
        """For each suffix, the size of the file in bytes and its CRC-32 in hexadecimal; final after `close`."""
        return {suffix: output.digest for suffix, output in self.outputs.items()}

    def __enter__(self) -> hints.Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.close()
        finally:
            if kind is not None or not all(output.closed for output in self.outputs.values()):
                self.abort()


class KeysOfShard(Protocol):
    """Keys by index."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> str: ...
    def part(self, first: int, end: int, /) -> Keys:
        """Return some of the keys."""


class Shard(ABC):
    """A shard, opened for reading.

    Args:
        ids: All ids.
        keys: Opens the keys of the documents; ``None`` if they have none.
        resident: The bytes of memory that it takes, beside pages of mapped files.

    Attributes:
        ids: The ids of all documents, concatenated: read-only, mapped if the format allows it.
        resident: The bytes of memory that it takes, beside pages of mapped files.
    """

    def __init__(
        self, ids: hints.npt.NDArray[Any], keys: Callable[[], KeysOfShard] | None = None, *, resident: int = 0
    ) -> None:
        self.ids = ids
        self.resident = resident
        self._open_keys = keys

    @property
    @abstractmethod
    def documents(self) -> int:
        """The number of documents."""

    @property
    @abstractmethod
    def ends(self) -> hints.npt.NDArray[hints.np.uint64]:
        """The end of each document in `ids`."""

    @property
    def tokens(self) -> int:
        """The number of ids."""
        return len(self.ids)

    def bounds(self, at: int) -> tuple[int, int]:
        """Return where a document begins and ends in `ids`."""
        ends = self.ends
        return (int(ends[at - 1]) if at else 0), int(ends[at])

    def document(self, at: int) -> hints.npt.NDArray[Any]:
        """Return the ids of a document, as a view."""
        begin, end = self.bounds(at)
        return self.ids[begin:end]

    def key(self, at: int) -> str | None:
        """Return the key of a document, or ``None`` if the corpus has no keys."""
        return None if self._keys is None else self._keys[at]

    def keys(self, first: int, end: int) -> Keys | None:
        """Return the keys of some documents, or ``None`` if the corpus has no keys."""
        return None if self._keys is None else self._keys.part(first, end)

    @cached_property
    def _keys(self) -> KeysOfShard | None:
        return None if self._open_keys is None else self._open_keys()


class ArrayShard(Shard):
    """A shard whose ends are an array.

    Args:
        ids: All ids.
        ends: Where each document ends in ``ids``.
        keys: Opens the keys of the documents; ``None`` if they have none.
        resident: The bytes of memory that it takes, beside pages of mapped files.
    """

    def __init__(
        self,
        ids: hints.npt.NDArray[Any],
        ends: hints.npt.NDArray[hints.np.uint64],
        keys: Callable[[], KeysOfShard] | None = None,
        *,
        resident: int = 0,
    ) -> None:
        super().__init__(ids, keys, resident=resident)
        self._ends = ends

    @property
    def documents(self) -> int:
        """The number of documents."""
        return len(self._ends)

    @property
    def ends(self) -> hints.npt.NDArray[hints.np.uint64]:
        """The end of each document in `ids`."""
        return self._ends
