"""The export ``llm.c``: `train_000000.bin` and so on, as Karpathy's llm.c and its descendants read them.

A file is 256 int32 and then the ids of all documents. The first of the 256 is 20240520 for uint16 and 20240801 for
uint32 (the variant for Llama 3), the second the version, 1 or 7, the third the number of ids, and the others 0. A file
has 100 million ids. llm.c expects one file with another name for validation: rename the first. Keys are left out.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import ClassVar

from wordsplit.corpus.exports.base import Exporter, Options, Tick, unsigned
from wordsplit.corpus.exports.batches import files_of_ids
from wordsplit.corpus.formats.ids import IdOutput
from wordsplit.corpus.token_corpus import TokenCorpus
from wordsplit.errors import OptionsError

__all__ = ["LlmC", "plugin"]

_TOKENS = 10**8
_HEADER = struct.Struct("<iii1012x")
_MAGICS = {"uint16": (20240520, 1), "uint32": (20240801, 7)}


class LlmC(Exporter):
    """Files of ids with a header."""

    name: ClassVar[str] = "llm.c"
    options: ClassVar[tuple[str, ...]] = ("shard_tokens",)

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:
        """Write a corpus."""
        most = options.shard_tokens or _TOKENS
        if most >= 1 << 31:
            raise OptionsError(f"shard_tokens={most}: a file of llm.c has less than 2**31 ids")
        dtype = unsigned(corpus)
        for index, found in enumerate(files_of_ids(corpus, most)):
            with IdOutput(folder / f"train_{index:06d}.bin", dtype) as file:
                file.write(_HEADER.pack(*_MAGICS[dtype], min(most, corpus.tokens - index * most)))
                for ids in found:
                    file.put(ids)
                    tick(len(ids))


plugin: Exporter = LlmC()
