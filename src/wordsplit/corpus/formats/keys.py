"""Keys of documents: strings in one buffer, with the end of each; and the two files that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wordsplit.arrays import numpy
from wordsplit.corpus.formats.output import Output, mapped, with_suffix
from wordsplit.errors import CorpusError, InvalidTextError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["KEY_SUFFIXES", "KeyFiles", "Keys", "MappedKeys"]

KEY_SUFFIXES = (".keys", ".key_ends")


class Keys(NamedTuple):
    """Concatenated keys.

    Attributes:
        data: Their UTF-8 bytes; uint8.
        ends: Where each ends in ``data``; int64.
    """

    data: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]

    @classmethod
    def of(cls, keys: Any) -> Keys:
        """Return keys in one buffer.

        Args:
            keys: Keys; a list of strings; or a `pyarrow` array of strings or of values that can be cast to them. Null
                is the empty string, and bytes that are not UTF-8 become U+FFFD.

        Raises:
            InvalidTextError: A string has a lone surrogate.

        Example:
            >>> keys = Keys.of(["a", None, "é"])
            >>> bytes(keys.data).decode(), keys.ends.tolist()
            ('aé', [1, 1, 3])
        """
        if isinstance(keys, cls):
            return keys
        if isinstance(keys, (list, tuple)):
            return cls._of_strings(keys)
        return cls._of_arrow(keys)

    @classmethod
    def _of_strings(cls, keys: Sequence[str | None]) -> Keys:
        np = numpy()
        try:
            encoded = [(key or "").encode() for key in keys]
        except UnicodeEncodeError as error:
            raise InvalidTextError(f"the key {error.object!r} of a document has a lone surrogate") from error
        data = np.frombuffer(b"".join(encoded), np.uint8)
        return cls(data, np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), dtype=np.int64))

    @classmethod
    def _of_arrow(cls, keys: Any) -> Keys:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

        np = numpy()
        if isinstance(keys, pa.ChunkedArray):
            keys = keys.combine_chunks()
            if isinstance(keys, pa.ChunkedArray):  # without chunks, in some versions
                keys = pa.concat_arrays(keys.chunks) if keys.num_chunks else pa.array([], pa.large_string())
        keys = keys.cast(pa.large_string(), safe=False)  # not checked to be UTF-8
        if keys.null_count:
            keys = keys.fill_null("")
        if not len(keys):
            return cls(np.empty(0, np.uint8), np.empty(0, np.int64))
        _, offsets, data = keys.buffers()
        bounds = np.frombuffer(offsets, np.int64, len(keys) + 1, keys.offset * 8)
        held = np.frombuffer(data, np.uint8) if data else np.empty(0, np.uint8)
        return cls(held[bounds[0] : bounds[-1]], bounds[1:] - bounds[0]).in_utf8()

    def in_utf8(self) -> Keys:
        r"""Return the keys with U+FFFD for bytes that are not UTF-8.

        Example:
            >>> np = numpy()
            >>> Keys(np.frombuffer(b"a\xff", np.uint8), np.array([1, 2])).in_utf8().strings()
            ['a', '\ufffd']
        """
        np = numpy()
        data = bytes(self.data)
        begins = np.concatenate([np.zeros(1, np.int64), self.ends[:-1]])[: len(self.ends)]
        first = self.data[begins[begins < self.ends]]
        try:
            data.decode()
        except UnicodeDecodeError:
            pass
        else:
            if not ((first & 0xC0) == 0x80).any():  # no character is in two keys
                return self
        ends = self.ends.tolist()
        return self._of_strings(
            [data[a:b].decode("utf-8", "replace") for a, b in zip(begins.tolist(), ends, strict=True)]
        )

    def strings(self) -> list[str]:
        """Return the keys as strings."""
        data, ends = bytes(self.data), self.ends.tolist()
        return [data[begin:end].decode() for begin, end in zip([0, *ends], ends, strict=False)]

    def part(self, first: int, end: int) -> Keys:
        """Return some of the keys, in the same buffer."""
        begin = int(self.ends[first - 1]) if first else 0
        return Keys(self.data[begin : int(self.ends[end - 1]) if end else 0], self.ends[first:end] - begin)

    def joined(self, others: Keys) -> Keys:
        """Return these keys and others."""
        np = numpy()
        return Keys(np.concatenate([self.data, others.data]), np.concatenate([self.ends, others.ends + len(self.data)]))

    def without(self, rows: Sequence[int]) -> Keys:
        """Return the keys except those of some rows.

        Example:
            >>> kept = Keys.of(["a", "bc", "d"]).without([1])
            >>> bytes(kept.data), kept.ends.tolist()
            (b'ad', [1, 2])
        """
        np = numpy()
        lengths = np.diff(self.ends, prepend=0)
        keeps = np.ones(len(lengths), bool)
        keeps[list(rows)] = False
        return Keys(self.data[np.repeat(keeps, lengths)], np.cumsum(lengths[keeps], dtype=np.int64))

    def with_first(self, key: bytes) -> Keys:
        """Return the keys with the first one replaced."""
        np = numpy()
        end = int(self.ends[0])
        return Keys(np.concatenate([np.frombuffer(key, np.uint8), self.data[end:]]), self.ends - end + len(key))

    def without_last(self) -> tuple[Keys, bytes]:
        """Return all keys except the last one, and the last one."""
        begin = int(self.ends[-2]) if len(self.ends) > 1 else 0
        return Keys(self.data[:begin], self.ends[:-1]), bytes(self.data[begin : int(self.ends[-1])])


class KeyFiles:
    """The two files of the keys of a shard: their bytes, and where each ends as a little-endian uint64."""

    def __init__(self, stem: Path) -> None:
        self.outputs: dict[str, Output] = {suffix: Output(with_suffix(stem, suffix)) for suffix in KEY_SUFFIXES}
        self._end = 0

    def put(self, keys: Keys) -> None:
        """Append keys."""
        data, ends = self.outputs.values()
        data.write(keys.data)
        ends.write((keys.ends + self._end).astype("<u8"))
        self._end = data.bytes


class MappedKeys:
    """The keys of a shard, read from its two files when they are used.

    Args:
        stem: The beginning of the paths of the files.
    """

    def __init__(self, stem: Path) -> None:
        data, ends = KEY_SUFFIXES
        self._data = mapped(with_suffix(stem, data), "u1")
        self._ends = mapped(with_suffix(stem, ends), "<u8")
        if (int(self._ends[-1]) if len(self._ends) else 0) != len(self._data):
            raise CorpusError("the last key does not end at the end of the file", file=with_suffix(stem, ends))

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, at: int) -> str:
        begin = int(self._ends[at - 1]) if at else 0
        return bytes(self._data[begin : int(self._ends[at])]).decode()

    def part(self, first: int, end: int) -> Keys:
        """Return some of the keys."""
        return Keys(self._data, self._ends.view("<i8")).part(first, end)
