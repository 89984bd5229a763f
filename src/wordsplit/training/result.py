"""From merges to a vocab."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from wordsplit.byte_level import to_byte_level
from wordsplit.training.settings import Settings
from wordsplit.vocab import AddedToken, MergeList, Vocab

__all__ = ["Merge", "base_bytes", "vocab_of"]

END_OF_TEXT = "<|endoftext|>"


class Merge(NamedTuple):
    """A merge as it was made.

    Attributes:
        left: The bytes of the left token.
        right: The bytes of the right one.
        frequency: How often the pair stood in the counted texts then.
    """

    left: bytes
    right: bytes
    frequency: int


def base_bytes(settings: Settings) -> list[bytes]:
    """The single bytes in the order of their ids: as they come, or, as `tokenizers` has it, as their characters do."""
    order = sorted(range(256), key=lambda byte: to_byte_level(bytes([byte]))) if settings.compat else range(256)
    return [bytes([byte]) for byte in order]


def vocab_of(settings: Settings, symbols: Sequence[tuple[int, int]]) -> Vocab:
    """The trained vocab.

    Args:
        settings: What it was trained by.
        symbols: (left, right) of each merge: 0 to 255 are the base bytes, 256 what the first merge makes.
    """
    tokens = base_bytes(settings)
    for left, right in symbols:
        tokens.append(tokens[left] + tokens[right])
    first = len(settings.special_tokens) if settings.compat else 0
    flat = array("I", [symbol + first for pair in symbols for symbol in pair])
    added = [
        AddedToken(literal, at if settings.compat else len(tokens) + at)
        for at, literal in enumerate(settings.special_tokens)
    ]
    return Vocab(
        name=settings.name,
        tokens=dict(enumerate(tokens, first)),
        merges=MergeList(flat),
        pre_tokenizer=settings.steps,
        normalizer=settings.normalizer,
        added_tokens=added,
        eos_token_id=next((token.id for token in added if token.content == END_OF_TEXT), None),
        source="trained",
        merges_are_live=True,
    )
