"""Split text into pieces: find added tokens, normalize the rest, and apply steps that rewrite text.

The native core does this itself for vocabs that have no normalization or NFC, and whose pre-tokenizer
removes no text. This module does it for every vocab.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from wordsplit.engine.added_tokens import AddedTokenMatcher
from wordsplit.engine.base import Piece
from wordsplit.engine.normalization import normalizer_of
from wordsplit.errors import UnsupportedVocabError
from wordsplit.rules import rewriting_steps
from wordsplit.text import to_bytes
from wordsplit.vocab import Vocab

__all__ = ["Preprocessor", "can_preprocess_natively"]


def can_preprocess_natively(vocab: Vocab) -> bool:
    """Return whether the native core can do what `Preprocessor` does for a vocab."""
    return vocab.normalizer in (None, "nfc") and not rewriting_steps(vocab.pre_tokenizer)


class Preprocessor:
    """Split texts into pieces.

    Args:
        vocab: The vocab, whose added tokens, normalizer and first pre-tokenization steps are applied.
        errors: What to do with lone surrogates.

    Raises:
        UnsupportedVocabError: A step is not supported.
    """

    def __init__(self, vocab: Vocab, errors: str) -> None:
        self._errors = errors
        self._normalize = normalizer_of(vocab.normalizer, vocab.source)
        self._add_prefix_space = vocab.add_prefix_space
        count = rewriting_steps(vocab.pre_tokenizer)
        self._steps = None
        if count:
            from wordsplit.patterns.steps import Steps  # noqa: PLC0415 - few vocabs need the regex package here

            self._steps = Steps(vocab.pre_tokenizer[:count], vocab.source)
        raw = {t.content: t for t in vocab.added_tokens if not t.normalized}
        # If two are equal after normalization, the first is found.
        normalized = {self._normalize(t.content): t for t in reversed(vocab.added_tokens) if t.normalized}
        if "" in normalized:
            raise UnsupportedVocabError(
                f"added token {normalized[''].content!r} is empty when normalized",
                file=vocab.source,
                field="added_tokens",
            )
        self._raw, self._normalized = AddedTokenMatcher(raw), AddedTokenMatcher(normalized)

    def pieces(self, text: str | bytes, as_text: Collection[str]) -> Iterator[Piece]:
        """See `Engine.pieces`."""
        text = to_bytes(text, self._errors).decode("utf-8", "surrogateescape")
        for raw, token in self._raw.split(text, as_text):
            if token is not None:
                yield Piece(_bytes(raw), token.id, token.special)
                continue
            for piece, inner in self._normalized.split(self._normalize(raw), as_text):
                if inner is not None:
                    yield Piece(_bytes(piece), inner.id, inner.special)
                else:
                    for data in self._rewritten(piece):
                        yield Piece(data, None, special=False)

    def _rewritten(self, piece: str) -> list[bytes]:
        if self._add_prefix_space and not piece.startswith(" "):
            piece = " " + piece
        data = _bytes(piece)
        return [data] if self._steps is None else self._steps.rewrite(data)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
