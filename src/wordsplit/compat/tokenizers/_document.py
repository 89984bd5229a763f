"""A tokenizer.json: what is read beside its vocab, and how it is written."""

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
    """What a tokenizer.json holds that is no part of a `Vocab`.

    Attributes:
        processing: The post-processor, if there is one.
        truncation: How it truncates.
        padding: How it pads.
        has_decoder: Whether it has a decoder; without one, texts are spellings with spaces between.
        doubled: Added tokens that are listed among the base tokens as well, where the vocab has them not.
    """

    processing: Processing | None
    truncation: Truncation | None
    padding: Padding | None
    has_decoder: bool
    doubled: dict[str, int]


def read_parts(data: bytes, vocab: Vocab) -> Parts:
    """The parts of a file that the vocab was loaded from without an error.

    Raises:
        NotSupportedError: A post-processor or decoder that is not supported.
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
    """The tokenizer.json of a vocab and the parts beside it.

    Raises:
        UnsupportedVocabError: The format cannot say it.
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
