"""The export ``datatrove``: files as of datatrove's ``DocumentTokenizer``, for ``DatatroveFolderDataset`` and nanotron.

`00000_unshuffled.ds` has ids, little-endian uint16 or uint32, of all documents; `.ds.index` has where each
ends, as uint64; and `.ds.metadata` has the vocab and the number of bytes of an id, the number of ids, and the same in
readable form. A file has about 268 million ids. Keys are left out, and so are empty documents, which would make
datatrove's positions wrong.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from wordsplit.arrays import numpy
from wordsplit.corpus.exports.base import Exporter, Options, Tick, unsigned
from wordsplit.corpus.exports.batches import files_of_documents
from wordsplit.corpus.formats.ids import IdOutput
from wordsplit.corpus.formats.output import Output
from wordsplit.corpus.token_corpus import TokenCorpus

__all__ = ["Datatrove", "plugin"]

_TOKENS = 1 << 28


class Datatrove(Exporter):
    """Files of ids with indexes."""

    name: ClassVar[str] = "datatrove"
    options: ClassVar[tuple[str, ...]] = ("shard_tokens",)

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:
        """Write a corpus."""
        np = numpy()
        dtype = unsigned(corpus)
        for index, found in enumerate(files_of_documents(corpus, options.shard_tokens or _TOKENS)):
            name = f"{index:05d}_unshuffled.ds"
            written = 0
            with IdOutput(folder / name, dtype) as file, Output(folder / f"{name}.index") as ends:
                for batch in found:
                    file.put(batch.ids)
                    has_ids = np.diff(batch.ends, prepend=0) > 0
                    ends.write((batch.ends[has_ids] + written).astype("<u8"))
                    written += len(batch.ids)
                    tick(len(batch.ids))
            with Output(folder / f"{name}.metadata") as metadata:
                size = 2 if dtype == "uint16" else 4
                metadata.write(f"{corpus.vocab or 'unknown'}|{size}\n{written}\n{_metric(written)}".encode())


def _metric(count: int) -> str:
    """Return a number of ids with three digits and a metric prefix.

    Example:
        >>> _metric(95), _metric(12_345), _metric(268_435_456)
        ('95.0 T', '12.3 kT', '268 MT')
    """
    value, prefixes = float(count), iter(["", *"kMGTPE"])
    prefix = next(prefixes)
    while value >= 999.5:
        value, prefix = value / 1000, next(prefixes)
    return f"{value:.{2 - (value >= 9.995) - (value >= 99.95)}f} {prefix}T"


plugin: Exporter = Datatrove()
