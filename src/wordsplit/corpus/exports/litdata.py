"""The export ``litdata``: chunks of ids for LitData's ``StreamingDataset`` with an ``item_loader=TokensLoader(n)``.

All documents are concatenated. A chunk `chunk-0-I.bin` is a uint32 with the number of items, which is 1; two uint32
with the start and end of the item in the file; and its ids. By default a chunk has 16 Mi ids. A block of ``n`` ids
never crosses chunks: the ids that remain at the end of one are not used. With ``length=n``, chunks are multiples of a
block, and only the end of the last one is not used. Ids are uint16, or int32, because LitData has no uint32. Keys are
left out.
"""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import Any, ClassVar

from wordsplit.corpus.exports.base import Exporter, Options, Tick
from wordsplit.corpus.exports.batches import files_of_ids
from wordsplit.corpus.formats.ids import IdOutput
from wordsplit.corpus.formats.output import Output
from wordsplit.corpus.token_corpus import TokenCorpus
from wordsplit.errors import OptionsError

__all__ = ["LitData", "plugin"]

_TOKENS = 1 << 24
_HEADER = struct.Struct("<III")
_FORMATS = {"uint16": "no_header_tensor:20", "int32": "no_header_tensor:16"}
_LEAF = json.dumps([1, {"type": None, "context": None, "children_spec": []}])
"""The structure of an item that is one tensor, as PyTorch writes it."""


class LitData(Exporter):
    """Chunks of ids."""

    name: ClassVar[str] = "litdata"
    options: ClassVar[tuple[str, ...]] = ("shard_tokens", "length")

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:
        """Write a corpus."""
        dtype = "uint16" if corpus.layout.dtype == "uint16" else "int32"
        size = 2 if dtype == "uint16" else 4
        length = options.length or 1
        most = max((options.shard_tokens or _TOKENS) // length, 1) * length
        if _HEADER.size + most * size >= 1 << 32:
            raise OptionsError(f"{most} ids: a chunk of litdata is smaller than 4 GiB")
        chunks: list[dict[str, Any]] = []
        hashed = hashlib.sha256()
        for index, found in enumerate(files_of_ids(corpus, most)):
            count = min(most, corpus.tokens - index * most)
            with IdOutput(folder / f"chunk-0-{index}.bin", dtype) as chunk:
                chunk.write(_HEADER.pack(1, _HEADER.size, _HEADER.size + count * size))
                for ids in found:
                    chunk.put(ids)
                    tick(len(ids))
            hashed.update(chunk.digest[1].encode())
            chunks.append({"chunk_bytes": chunk.bytes, "chunk_size": 1, "dim": count, "filename": chunk.path.name})
        config = {
            "chunk_bytes": most * size,
            "chunk_size": None,
            "compression": None,
            "data_format": [_FORMATS[dtype]],
            "data_spec": _LEAF,
            "encryption": None,
            "item_loader": "TokensLoader",
        }
        # A cache of chunks is valid as long as this string: a time in litdata, the content here.
        content = {"chunks": chunks, "config": config, "updated_at": hashed.hexdigest()[:16]}
        with Output(folder / "index.json") as index_file:
            index_file.write(json.dumps(content, sort_keys=True).encode())


plugin: Exporter = LitData()
