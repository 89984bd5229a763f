"""All of a vocab but its tokens and merges, as JSON: how the compiled cache keeps it."""

from __future__ import annotations

from dataclasses import asdict, fields
from operator import attrgetter
from typing import Any

from wordsplit.rules import AddedToken, Normalize, Split
from wordsplit.vocab import Vocab

__all__ = ["described", "undescribed"]

_row = attrgetter(*(field.name for field in fields(AddedToken)))  # there may be 400,000: astuple() takes 2 seconds


def described(vocab: Vocab) -> dict[str, Any]:
    """Plain values that JSON can say."""
    rest = vocab.rest()
    normalizer = rest["normalizer"]
    return rest | {
        "pre_tokenizer": [asdict(step) for step in rest["pre_tokenizer"]],
        "added_tokens": list(map(_row, rest["added_tokens"])),
        "normalizer": [asdict(step) for step in normalizer] if isinstance(normalizer, tuple) else normalizer,
        "literal_ids": sorted(rest["literal_ids"]),
    }


def undescribed(values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `Vocab` that were described."""
    normalizer = values["normalizer"]
    return values | {
        "pre_tokenizer": [Split(**step) for step in values["pre_tokenizer"]],
        "added_tokens": [AddedToken(*token) for token in values["added_tokens"]],
        "normalizer": [Normalize(**step) for step in normalizer] if isinstance(normalizer, list) else normalizer,
    }
