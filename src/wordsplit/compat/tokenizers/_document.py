"""Read the parts of a tokenizer.json other than its vocab, and write it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.tokenizers._settings import Padding, Truncation
from wordsplit.compat.tokenizers.processors import Processing, read_processing
from wordsplit.vocab import Vocab

__all__ = ["Parts", "document", "read_parts"]


class Parts(NamedTuple):
    """The parts of a tokenizer.json that are not in a `Vocab`.

    Attributes:
        processing: The post-processor, if there is one.
        truncation: The truncation settings.
        padding: The padding settings.
        has_decoder: Whether it has a decoder; without one, decoding joins spellings with spaces.
        doubled: Added tokens that the file also lists among the base tokens, while the vocab does not.
    """

    processing: Processing | None
    truncation: Truncation | None
    padding: Padding | None
    has_decoder: bool
    doubled: dict[str, int]


def read_parts(data: bytes, vocab: Vocab) -> Parts:
    """Read the parts of a file from which the vocab was loaded.

    Raises:
        NotSupportedError: The post-processor or decoder is not supported.
    """
    root = json.loads(data)
    decoder, processor = root.get("decoder"), root.get("post_processor")
    kinds = [part["type"] for part in (decoder or {}).get("decoders", [decoder])] if decoder else []
    if kinds and "ByteLevel" not in kinds:
        raise NotSupportedError(f"decoder {', '.join(kinds)}: byte-level BPE has ByteLevel")
    tokens = vocab.tokens
    return Parts(
        None if processor is None else read_processing(processor),
        Truncation.read(root.get("truncation")),
        Padding.read(root.get("padding")),
        decoder is not None,
        {name: i for name, i in root["model"]["vocab"].items() if i not in tokens},
    )


def document(vocab: Vocab, parts: Parts) -> dict[str, Any]:
    """Return the tokenizer.json of a vocab and its other parts.

    Raises:
        UnsupportedVocabError: The format cannot express it.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        vocab.save_tokenizer_json(path)
        out: dict[str, Any] = json.loads(path.read_bytes())
    out["truncation"] = parts.truncation and parts.truncation.to_json()
    out["padding"] = parts.padding and parts.padding.to_json()
    out["post_processor"] = parts.processing and parts.processing.to_json()
    out["model"]["vocab"] |= parts.doubled
    if not parts.has_decoder:
        out["decoder"] = None
    return out
