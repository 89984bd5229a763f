"""The export ``npy``: `ids.npy` with all ids, and `ends.npy` with the end of each document in them, as uint64.

`numpy.load` maps both with ``mmap_mode="r"``. Keys are left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from wordsplit.arrays import numpy
from wordsplit.corpus.exports.base import Exporter, Options, Tick, unsigned
from wordsplit.corpus.exports.batches import batches
from wordsplit.corpus.formats.ids import IdOutput
from wordsplit.corpus.formats.output import Output
from wordsplit.corpus.token_corpus import TokenCorpus

__all__ = ["Npy", "plugin"]


class Npy(Exporter):
    """Two arrays."""

    name: ClassVar[str] = "npy"

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:  # noqa: ARG002 - it has none
        """Write a corpus."""
        np = numpy()
        dtype = unsigned(corpus)
        with IdOutput(folder / "ids.npy", dtype) as ids, Output(folder / "ends.npy") as ends:
            _begin(ids, f"<u{np.dtype(dtype).itemsize}", corpus.tokens)
            _begin(ends, "<u8", len(corpus))
            before = 0
            for shard in corpus.shards():
                for batch in batches(shard):
                    ids.put(batch.ids)
                    ends.write((batch.ends + before).astype("<u8"))
                    before += len(batch.ids)
                    tick(len(batch.ids))


def _begin(output: Output, dtype: str, length: int) -> None:
    numpy().lib.format.write_array_header_1_0(output, {"descr": dtype, "fortran_order": False, "shape": (length,)})


plugin: Exporter = Npy()
