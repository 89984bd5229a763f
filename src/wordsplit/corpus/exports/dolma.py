"""The export ``dolma``: the files of ``dolma tokens``, for OLMo: `part-00000.npy` and `part-00000.csv.gz`.

Despite its name, `.npy` has only ids and no header: little-endian uint16 or uint32, for `numpy.memmap`. The
`.csv.gz` has a row for each document: where it begins and ends in the ids, its key, an empty field (a path in dolma),
and its index in the corpus. Documents are not split between files, which have about 537 million ids.
"""

from __future__ import annotations

import csv
import gzip
import io
from itertools import count, repeat
from pathlib import Path
from typing import ClassVar

from wordsplit.corpus.exports.base import Exporter, Options, Tick, unsigned
from wordsplit.corpus.exports.batches import files_of_documents
from wordsplit.corpus.formats.ids import IdOutput
from wordsplit.corpus.formats.output import Output
from wordsplit.corpus.token_corpus import TokenCorpus

__all__ = ["Dolma", "plugin"]

_TOKENS = 1 << 29


class Dolma(Exporter):
    """Files of ids with tables of documents."""

    name: ClassVar[str] = "dolma"
    options: ClassVar[tuple[str, ...]] = ("shard_tokens",)

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:
        """Write a corpus."""
        document = 0
        for index, found in enumerate(files_of_documents(corpus, options.shard_tokens or _TOKENS)):
            stem = folder / f"part-{index:05d}"
            written = 0
            with (
                IdOutput(stem.with_suffix(".npy"), unsigned(corpus)) as file,
                Output(stem.with_suffix(".csv.gz")) as compressed,
                # Without a name and a time, the same documents give the same bytes.
                gzip.GzipFile("", "wb", 6, compressed, mtime=0) as zipped,
                io.TextIOWrapper(zipped, "utf-8", newline="") as text,
            ):
                rows = csv.writer(text)
                for batch in found:
                    file.put(batch.ids)
                    bounds = [written, *(batch.ends + written).tolist()]
                    keys = batch.keys.strings() if batch.keys is not None else repeat("")
                    rows.writerows(zip(bounds, bounds[1:], keys, repeat(""), count(document), strict=False))
                    written, document = bounds[-1], document + len(batch.ends)
                    tick(len(batch.ids))


plugin: Exporter = Dolma()
