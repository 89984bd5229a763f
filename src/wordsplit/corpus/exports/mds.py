"""The export ``mds``: a dataset of MosaicML's ``streaming``: `shard.00000.mds` and so on, and `index.json`.

A sample is a document, with the column ``tokens`` in the encoding ``ndarray:uint16`` or ``ndarray:uint32`` and, with
keys, ``id`` of ``str``. With ``length``, a sample is a window of that many ids over all documents, in the encoding
``ndarray:uint16:2048``; ids at the end that do not fill one, and keys, are left out. A file has about 16 Mi ids.

A file is a uint32 with the number of samples; where each of them begins and the last ends, as uint32; its configuration
as JSON; and the samples. In a sample, the sizes of the columns that have no fixed one come first, as uint32. A document
is preceded by its shape: a byte for one dimension and the type of its length, and the length. The SHA-256 of each file
is in the index: ``validate_hash="sha256"`` checks it.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from wordsplit.arrays import numpy
from wordsplit.corpus.exports.base import Exporter, Options, Tick, unsigned
from wordsplit.corpus.formats.output import Output
from wordsplit.corpus.token_corpus import TokenCorpus
from wordsplit.errors import CorpusError, OptionsError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Mds", "plugin"]

_TOKENS = 1 << 24
_SAMPLES = 1 << 18
_MOST_BYTES = (1 << 32) - 1


class Mds(Exporter):
    """A dataset of MosaicML's streaming."""

    name: ClassVar[str] = "mds"
    options: ClassVar[tuple[str, ...]] = ("shard_tokens", "length")

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:
        """Write a corpus."""
        columns = _columns(corpus, options.length)
        most = options.shard_tokens or _TOKENS
        if most * 4 > _MOST_BYTES:
            raise OptionsError(f"shard_tokens={most}: a file of mds has less than 4 GiB")
        samples = _windows(corpus, options.length) if options.length else _documents(corpus)
        shards: list[dict[str, Any]] = []
        while (shard := _Shard(samples, most)).samples:
            shards.append(shard.write(folder / f"shard.{len(shards):05d}.mds", columns))
            tick(shard.tokens)
        with Output(folder / "index.json") as index:
            index.write(json.dumps({"shards": shards, "version": 2}, sort_keys=True).encode())


def _columns(corpus: TokenCorpus, length: int | None) -> dict[str, Any]:
    """Return the configuration of a file; the names of columns are sorted."""
    names, encodings, sizes = ["tokens"], [f"ndarray:{unsigned(corpus)}"], [None]
    if length:
        encodings, sizes = [f"{encodings[0]}:{length}"], [length * numpy().dtype(unsigned(corpus)).itemsize]
    elif corpus.has_keys:
        names, encodings, sizes = ["id", *names], ["str", *encodings], [None, None]
    return {
        "column_encodings": encodings,
        "column_names": names,
        "column_sizes": sizes,
        "compression": None,
        "format": "mds",
        "hashes": ["sha256"],
        "size_limit": None,
        "version": 2,
    }


def _documents(corpus: TokenCorpus) -> Iterator[tuple[bytes, npt.NDArray[Any]]]:
    """Yield the documents: the bytes before the ids, and the ids."""
    for shard in corpus.shards():
        for at in range(shard.documents):
            ids = shard.document(at)
            # The count of dimensions, 1, times 4, and the type of the length: 0 for uint8 to 2 for uint32.
            code, kind = (0, "B") if len(ids) < 1 << 8 else (1, "H") if len(ids) < 1 << 16 else (2, "I")
            shape = struct.pack(f"<B{kind}", 4 + code, len(ids))
            size = len(shape) + ids.nbytes
            if size > _MOST_BYTES:
                raise CorpusError(
                    f"a document of {len(ids):,} ids; a file of mds has less than 4 GiB", file=corpus.path
                )
            key = shard.key(at)
            if key is None:
                yield struct.pack("<I", size) + shape, ids
            else:
                encoded = key.encode()
                yield struct.pack("<II", len(encoded), size) + encoded + shape, ids


def _windows(corpus: TokenCorpus, length: int) -> Iterator[tuple[bytes, npt.NDArray[Any]]]:
    """Yield windows, which have no bytes before the ids."""
    for window in corpus.windows(length):
        yield b"", window


class _Shard:
    """The samples of a file: views of the shards of the corpus, until they are written.

    Args:
        samples: The bytes before the ids of each sample, and its ids. As many as fit are consumed.
        most: The approximate number of ids per file.
    """

    def __init__(self, samples: Iterator[tuple[bytes, npt.NDArray[Any]]], most: int) -> None:
        self.samples: list[tuple[bytes, npt.NDArray[Any]]] = []
        self.tokens = 0
        while self.tokens < most and len(self.samples) < _SAMPLES and (sample := next(samples, None)):
            self.samples.append(sample)
            self.tokens += len(sample[1])

    def write(self, path: Path, columns: dict[str, Any]) -> dict[str, Any]:
        """Write the file, and return its entry in the index."""
        np = numpy()
        config = json.dumps(columns, sort_keys=True).encode()
        offsets = np.zeros(len(self.samples) + 1, np.int64)
        np.cumsum([len(before) + ids.nbytes for before, ids in self.samples], out=offsets[1:])
        offsets += 4 + 4 * len(offsets) + len(config)
        if offsets[-1] > _MOST_BYTES:
            raise CorpusError("more than 4 GiB, which mds cannot hold; use a smaller shard_tokens", file=path)
        parts = chain((struct.pack("<I", len(self.samples)), offsets.astype("<u4"), config), *self.samples)
        hashed = hashlib.sha256()
        with Output(path) as file:
            for part in parts:
                hashed.update(part)
                file.write(part)
        data = {"basename": path.name, "bytes": file.bytes, "hashes": {"sha256": hashed.hexdigest()}}
        return {"raw_data": data, "samples": len(self.samples), "zip_data": None, **columns}


plugin: Exporter = Mds()
