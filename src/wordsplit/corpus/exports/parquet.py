"""The export ``parquet``: files of the format ``parquet``, with names from which `datasets` infers the split.

`train-00000-of-00012.parquet` and so on; ``datasets.load_dataset("parquet", data_dir=out)`` reads them. A file has
about 268 million ids. Keys are in the column ``id``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import ClassVar

from wordsplit.corpus import formats
from wordsplit.corpus.exports.base import Exporter, Options, Tick, unsigned
from wordsplit.corpus.exports.batches import Batch, files_of_documents
from wordsplit.corpus.token_corpus import TokenCorpus

__all__ = ["ParquetFiles", "plugin"]

_TOKENS = 1 << 28


class ParquetFiles(Exporter):
    """Parquet files for `datasets`."""

    name: ClassVar[str] = "parquet"
    options: ClassVar[tuple[str, ...]] = ("shard_tokens",)

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:
        """Write a corpus."""
        plugin = formats.get(self.name)
        layout = replace(corpus.layout, dtype=unsigned(corpus))
        made: list[Path] = []
        for found in chain(files_of_documents(corpus, options.shard_tokens or _TOKENS), _one_if(not len(corpus))):
            with plugin.create(folder / f"{len(made)}", layout) as writer:
                for batch in found:
                    writer.write(batch.ids, batch.ends, batch.keys)
                    tick(len(batch.ids))
            made.append(folder / f"{len(made)}.parquet")
        for index, path in enumerate(made):
            path.rename(folder / f"train-{index:05d}-of-{len(made):05d}.parquet")


def _one_if(empty: bool) -> Iterator[Iterator[Batch]]:
    """Yield one file without documents for an empty corpus: a folder without files has no columns."""
    if empty:
        yield iter(())


plugin: Exporter = ParquetFiles()
