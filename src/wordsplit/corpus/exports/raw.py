"""The export ``raw``: a corpus in the format ``raw``, of the same shards, for `wordsplit.corpus.open`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from wordsplit.corpus import formats, manifest
from wordsplit.corpus.exports.base import Exporter, Options, Tick, unsigned
from wordsplit.corpus.exports.batches import batches
from wordsplit.corpus.token_corpus import TokenCorpus

__all__ = ["RawCorpus", "plugin"]


class RawCorpus(Exporter):
    """A corpus in the format ``raw``."""

    name: ClassVar[str] = "raw"

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:  # noqa: ARG002 - it has none
        """Write a corpus."""
        raw = formats.get("raw")
        layout = replace(corpus.layout, dtype=unsigned(corpus))
        entries = []
        (folder / "shards").mkdir()
        for index, shard in enumerate(corpus.shards()):
            name = f"{index:06d}"
            with raw.create(folder / "shards" / name, layout) as writer:
                for batch in batches(shard):
                    writer.write(batch.ids, batch.ends, batch.keys)
                    tick(len(batch.ids))
            entries.append(manifest.entry(name, writer))
        manifest.write(folder, raw.name, layout, corpus.n_vocab, entries)


plugin: Exporter = RawCorpus()
