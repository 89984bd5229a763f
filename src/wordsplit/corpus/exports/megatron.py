"""The export ``megatron``: all shards in one indexed dataset; `wordsplit.corpus.formats.megatron` describes it.

``out`` is the prefix that Megatron's ``--data-path`` takes. Keys go to `.keys` and `.key_ends`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from wordsplit.corpus import formats
from wordsplit.corpus.exports.base import Exporter, Options, Tick, ticking
from wordsplit.corpus.exports.batches import batches
from wordsplit.corpus.formats.output import with_suffix
from wordsplit.corpus.output_folder import sync_folder, writing_to
from wordsplit.corpus.place import draft, sync
from wordsplit.corpus.token_corpus import TokenCorpus
from wordsplit.errors import CorpusError

__all__ = ["MegatronCorpus", "plugin"]

_STEM = "all"


class MegatronCorpus(Exporter):
    """One indexed dataset."""

    name: ClassVar[str] = "megatron"

    def export(
        self,
        corpus: TokenCorpus,
        out: Path,
        options: Options = Options(),  # noqa: B008 - immutable
        progress: Callable[[int, int], object] | None = None,
    ) -> list[Path]:
        """Write a corpus. The index, without which the other files are not read, is renamed last."""
        self.check(options)
        suffixes = formats.get(self.name).suffixes(corpus.layout)
        if with_suffix(out, suffixes[-1]).exists():
            raise CorpusError("exists already; remove it, or choose another name", file=with_suffix(out, suffixes[-1]))
        with writing_to(out), draft(out) as folder:
            self.write(corpus, folder, options, ticking(corpus, progress))
            sync(folder)
            for suffix in suffixes:
                with_suffix(folder / _STEM, suffix).replace(with_suffix(out, suffix))
            sync_folder(out.parent)
        return sorted(with_suffix(out, suffix) for suffix in suffixes)

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:  # noqa: ARG002 - it has none
        """Write a corpus."""
        layout = replace(corpus.layout, dtype="uint16" if corpus.layout.dtype == "uint16" else "int32")
        with formats.get(self.name).create(folder / _STEM, layout) as writer:
            for shard in corpus.shards():
                for batch in batches(shard):
                    writer.write(batch.ids, batch.ends, batch.keys)
                    tick(len(batch.ids))


plugin: Exporter = MegatronCorpus()
