"""The contract of a span encoder: it takes the bytes of one span and appends the ids.

Every strategy gives the same ids on every vocab that it accepts: those of the vocab's model. Byte-pair encoding merges
the adjacent pair of lowest merge rank, the leftmost on a tie, until no pair has a rank. Strategies for one model differ
only in cost, so users can choose by measuring.

A new one is a subclass of `SpanEncoder` in a separate file (or in a package of yours, named in the
entry-point group ``wordsplit.encoders``):

    >>> import wordsplit
    >>> from wordsplit.encoders import SpanEncoder
    >>> class Bytes(SpanEncoder):
    ...     '''No merges at all: one id a byte. (So it is not exact, and good for showing the contract only.)'''
    ...     def encode_span(self, span, out):
    ...         out.extend(self.tables.byte_ids[b] for b in span)
    >>> _ = wordsplit.encoders.register("bytes", Bytes)
    >>> wordsplit.load_tokenizer("qwen3", encoder="bytes").encode("hi")
    [71, 72]
    >>> wordsplit.encoders.unregister("bytes")

The tokenizer, not the encoder, does the whole-span lookup of ``ignore_merges`` and keeps the span
cache. An encoder of byte-pair encoding always merges.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import ClassVar, NamedTuple

from wordsplit.errors import UnsupportedVocabError
from wordsplit.merges import MergeTables
from wordsplit.model import ByteLevelBPE
from wordsplit.vocab import Vocab

__all__ = ["SpanEncoder", "TracedToken"]


class TracedToken(NamedTuple):
    """An id of a span, and where in the span it comes from.

    Attributes:
        token_id: The id.
        start: Its first byte. Tokens that spell one character byte by byte may share their bytes.
        end: The byte after its last one.
    """

    token_id: int
    start: int
    end: int


class SpanEncoder(ABC):
    """Turn the bytes of one span into ids.

    An encoder is built once for a vocab, is immutable, and is shared between threads.

    Args:
        vocab: The vocab to encode with.

    Raises:
        UnsupportedVocabError: The vocab does not meet the strategy's preconditions. Raised when it is
            built, never while encoding.
    """

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)
    """The types of models that the strategy is for."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    @cached_property
    def tables(self) -> MergeTables:
        """The look-up tables of a vocab of byte-level BPE."""
        return self.vocab.merge_tables

    @abstractmethod
    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``.

        Args:
            span: One span, not empty. Any bytes are allowed.
            out: The list to append to; its items are not changed.

        Raises:
            UnknownTokenError: The vocab has no token and no rule for one of the bytes.
        """

    def trace_span(self, span: bytes) -> list[TracedToken]:
        """Return each id of ``span`` with the bytes that it stands for."""
        model = self.vocab.model
        if isinstance(model, ByteLevelBPE) and model.lacks_bytes_of(span):
            return [TracedToken(*found) for found in self.tables.traced(span)]
        ids: list[int] = []
        self.encode_span(span, ids)
        out, at = [], 0
        for i in ids:
            end = at + len(self.vocab.tokens[i])
            out.append(TracedToken(i, at, end))
            at = end
        return out

    @classmethod
    def require_model(cls, name: str, vocab: Vocab) -> None:
        """Raise an error unless the strategy is for the vocab's model.

        Args:
            name: The registered name of the encoder.
            vocab: The vocab.

        Raises:
            UnsupportedVocabError: The strategy is for other models.
        """
        if not isinstance(vocab.model, cls.models):
            known = ", ".join(model.__name__ for model in cls.models) or "none"
            raise UnsupportedVocabError(
                f"encoder {name!r} is for models of type {known}, not {type(vocab.model).__name__}; use encoder='auto'",
                file=vocab.source,
                field="model",
            )
