"""The contract of a span encoder: it takes the bytes of one span and appends the ids.

Every strategy gives the same ids on every vocab that it accepts: those of byte-pair encoding, which
merges the adjacent pair of lowest merge rank, the leftmost on a tie, until no pair has a rank. They
differ only in cost, so users can choose by measuring.

A new one is a subclass of `SpanEncoder` in a file of its own (or in a package of yours, named in the
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
cache. An encoder always merges.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from wordsplit.errors import UnsupportedVocabError
from wordsplit.model import ByteLevelBPE

if TYPE_CHECKING:
    from wordsplit.merges import MergeTables
    from wordsplit.vocab import Vocab

__all__ = ["SpanEncoder"]


class SpanEncoder(ABC):
    """Merge the bytes of one span into ids.

    An encoder is built once for a vocab, is immutable, and is shared between threads.

    Args:
        vocab: The vocab to encode with.

    Raises:
        UnsupportedVocabError: The vocab does not meet the strategy's preconditions. Raised when it is
            built, never while encoding.
    """

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)
    """The types of models that the strategy is for."""

    tables: MergeTables

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        self.tables = vocab.merge_tables

    @abstractmethod
    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``.

        Args:
            span: One span, not empty. Any bytes are allowed.
            out: The list to append to; its items are not changed.

        Raises:
            UnknownTokenError: The vocab has no token for one of the bytes.
        """

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
