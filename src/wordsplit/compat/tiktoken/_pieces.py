"""What tiktoken calls pieces: spans, each encoded by itself."""

from __future__ import annotations

from functools import cached_property

from wordsplit.compat.tiktoken._vocabs import without_pattern
from wordsplit.tokenizer import Tokenizer
from wordsplit.vocab import Vocab

__all__ = ["Pieces"]


class Pieces:
    """Encodes texts and single pieces of text.

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
        """The ids of a piece by merges alone."""
        return self._merger.encode(piece)

    def encode_piece(self, piece: bytes) -> list[int]:
        """The ids of a piece: its own, if it is a token, or those of its parts."""
        whole = self.vocab.ids_by_bytes.get(piece)
        return self.merge(piece) if whole is None else [whole]

    def last_length(self, text: str) -> int:
        """How many ids the last span of a text has; 0 if it has no span."""
        spans = self.tokenizer.spans(text)
        return len(self.encode_piece(spans[-1].encode())) if spans else 0
