"""All of a vocab but its tokens, merges and added tokens, as JSON: how the compiled cache keeps it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wordsplit.rules import Normalize, Split
from wordsplit.vocab import Vocab

__all__ = ["described", "undescribed"]


def described(vocab: Vocab) -> dict[str, Any]:
    """Plain values that JSON can say."""
    rest = vocab.rest()
    del rest["added_tokens"]
    normalizer = rest["normalizer"]
    return rest | {
        "pre_tokenizer": [asdict(step) for step in rest["pre_tokenizer"]],
        "normalizer": [asdict(step) for step in normalizer] if isinstance(normalizer, tuple) else normalizer,
        "literal_ids": sorted(rest["literal_ids"]),
    }


def undescribed(values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `Vocab` that were described."""
    normalizer = values["normalizer"]
    return values | {
        "pre_tokenizer": [Split(**step) for step in values["pre_tokenizer"]],
        "normalizer": [Normalize(**step) for step in normalizer] if isinstance(normalizer, list) else normalizer,
    }
