"""The format ``raw``: flat arrays, which `numpy.memmap` and any language can map, and a sidecar in JSON.

| file | content |
|---|---|
| `.tokens` | all ids, little-endian |
| `.ends` | for each document, where it ends in the ids: little-endian uint64 |
| `.keys` | the keys of the documents, if the corpus has them: UTF-8, concatenated |
| `.key_ends` | for each document, where its key ends in `.keys`: little-endian uint64 |
| `.json` | the types and lengths of the other files, the vocab and the added ids |
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from wordsplit.corpus.formats.base import ArrayShard, Layout, Shard, ShardFormat, ShardWriter
from wordsplit.corpus.formats.ids import IdOutput
from wordsplit.corpus.formats.keys import KEY_SUFFIXES, KeyFiles, Keys, MappedKeys
from wordsplit.corpus.formats.output import Output, mapped, with_suffix
from wordsplit.errors import CorpusError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Raw", "plugin"]

_IDS, _ENDS, _SIDECAR = ".tokens", ".ends", ".json"


class Raw(ShardFormat):
    """Flat files and a sidecar."""

    name: ClassVar[str] = "raw"
    dtypes: ClassVar[tuple[str, ...]] = ("uint16", "uint32")

    def suffixes(self, layout: Layout) -> tuple[str, ...]:
        """Return the suffixes; that of the sidecar is the last one."""
        return (_IDS, _ENDS, *(KEY_SUFFIXES if layout.has_keys else ()), _SIDECAR)

    def create(self, stem: Path, layout: Layout) -> ShardWriter:
        """Begin a shard."""
        return _Writer(stem, layout)

    def open(self, stem: Path, layout: Layout) -> Shard:
        """Map a shard."""
        ids = mapped(with_suffix(stem, _IDS), f"<u{2 if layout.dtype == 'uint16' else 4}")
        ends = mapped(with_suffix(stem, _ENDS), "<u8")
        if (int(ends[-1]) if len(ends) else 0) != len(ids):
            raise CorpusError(
                f"the last document does not end at the last of {len(ids):,} ids", file=with_suffix(stem, _ENDS)
            )
        return ArrayShard(ids, ends, (lambda: MappedKeys(stem)) if layout.has_keys else None)


class _Writer(ShardWriter):
    def __init__(self, stem: Path, layout: Layout) -> None:
        super().__init__(stem, layout)
        self._ids = self.outputs[_IDS] = IdOutput(with_suffix(stem, _IDS), layout.dtype)
        self._ends = self.outputs[_ENDS] = Output(with_suffix(stem, _ENDS))
        self._keys = KeyFiles(stem) if layout.has_keys else None
        if self._keys is not None:
            self.outputs |= self._keys.outputs
        self._sidecar = self.outputs[_SIDECAR] = Output(with_suffix(stem, _SIDECAR))

    def _add(self, ids: npt.NDArray[np.uint32], ends: npt.NDArray[np.uint64], keys: Keys | None) -> None:
        self._ids.put(ids)
        self._ends.write(ends.astype("<u8", copy=False))
        if self._keys is not None and keys is not None:
            self._keys.put(keys)

    def _finish(self) -> None:
        content = {"format": "wordsplit.raw", "version": 1, **self.layout.described()}
        content["ids"] = _described(_IDS, self.layout.dtype, self.tokens)
        content["ends"] = _described(_ENDS, "uint64", self.documents)
        if self._keys is not None:
            data, ends = KEY_SUFFIXES
            content["keys"] = _described(data, "uint8", self.outputs[data].bytes)
            content["key_ends"] = _described(ends, "uint64", self.documents)
        self._sidecar.write(json.dumps(content, indent=1, sort_keys=True).encode() + b"\n")


def _described(suffix: str, dtype: str, count: int) -> dict[str, Any]:
    return {"byte_order": "little", "count": count, "dtype": dtype, "suffix": suffix}


plugin: ShardFormat = Raw()
