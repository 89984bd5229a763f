"""Encode pieces, as tiktoken calls spans."""

from __future__ import annotations

from functools import cached_property

from wordsplit.compat.tiktoken._vocabs import without_pattern
from wordsplit.tokenizer import Tokenizer
from wordsplit.vocab import Vocab

__all__ = ["Pieces"]


class Pieces:
    """Encode texts and single pieces of text.

    Args:
        vocab: The vocab, without added tokens.
    """

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        self.tokenizer = Tokenizer(vocab)

    @cached_property
    def sorted_tokens(self) -> list[bytes]:
        """The bytes of all tokens, sorted."""
        return sorted(self.vocab.ids_by_bytes)

    @cached_property
    def _merger(self) -> Tokenizer:
        return Tokenizer(without_pattern(self.vocab))

    def merge(self, piece: bytes) -> list[int]:
        """Encode a piece by merges alone."""
        return self._merger.encode(piece)

    def encode_piece(self, piece: bytes) -> list[int]:
        """Encode a piece: its own id if it is a token, else the ids of its parts."""
        whole = self.vocab.ids_by_bytes.get(piece)
        return self.merge(piece) if whole is None else [whole]

    def last_length(self, text: str) -> int:
        """Return how many ids the last span of a text has; 0 if there is no span."""
        spans = self.tokenizer.spans(text)
        return len(self.encode_piece(spans[-1].encode())) if spans else 0
