"""Split text into pieces: find added tokens, normalize the rest, and apply steps that rewrite text.

The native core does this itself for vocabs that have no normalization or NFC, and whose pre-tokenizer
removes no text. This module does it for every vocab.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from wordsplit.byte_level import from_byte_level
from wordsplit.engine.added_tokens import AddedTokenMatcher
from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.normalization import normalizer_of
from wordsplit.engine.piece import Piece
from wordsplit.errors import UnsupportedVocabError
from wordsplit.rules import AddedToken, finds_as_spelled, rewriting_steps
from wordsplit.text import to_bytes
from wordsplit.vocab import Vocab

__all__ = ["Preprocessor", "in_bytes"]


class Preprocessor:
    """Split texts into pieces.

    Args:
        vocab: The vocab, whose added tokens, normalizer and first pre-tokenization steps are applied.
        errors: What to do with lone surrogates.

    Attributes:
        spells_bytes: Whether the pieces of text are in the byte-level alphabet, one character per byte.

    Raises:
        UnsupportedVocabError: A step is not supported.
    """

    def __init__(self, vocab: Vocab, errors: str) -> None:
        self._errors = errors
        self._normalize = normalizer_of(vocab.normalizer, vocab.source)
        self._add_prefix_space = vocab.add_prefix_space
        steps = vocab.pre_tokenizer[: rewriting_steps(vocab.pre_tokenizer)]
        self._rewriting = None
        if steps:
            from wordsplit.engine.rewriting import Rewriting  # noqa: PLC0415 - few vocabs need the regex package here

            self._rewriting = Rewriting(steps, vocab.source)
        self.spells_bytes: bool = self._rewriting is not None and self._rewriting.spells_bytes
        raw = {t.content: t for t in vocab.added_tokens if not t.normalized}
        # If two are equal after normalization, the first is found.
        spelled = finds_as_spelled(vocab.normalizer)
        normalized = {
            t.content if spelled else self._normalize(AlignedText(t.content)).text: t
            for t in reversed(vocab.added_tokens)
            if t.normalized
        }
        if "" in normalized:
            raise UnsupportedVocabError(
                "not supported: is empty when normalized. `tokenizers` then splits every text between all bytes, and "
                "fails within characters of several bytes; make its flag normalized false, or remove the token",
                file=vocab.source,
                field=f"added_tokens[{normalized[''].content!r:.80}]",
            )
        self._raw, self._normalized = AddedTokenMatcher(raw), AddedTokenMatcher(normalized)

    def pieces(self, text: str | bytes, as_text: Collection[str]) -> Iterator[Piece]:
        """See `Engine.pieces`."""
        chars = to_bytes(text, self._errors).decode("utf-8", "surrogateescape")
        needs_ranges = self._rewriting is not None and self._rewriting.needs_ranges
        for piece, token in self.split(AlignedText.of(chars) if needs_ranges else AlignedText(chars), as_text):
            if token is not None:
                yield Piece(in_bytes(piece.text), token.id, token.special)
            else:
                yield Piece(self.bytes_of(piece), None, special=False)

    def split(self, text: AlignedText, as_text: Collection[str]) -> Iterator[tuple[AlignedText, AddedToken | None]]:
        """Yield the added tokens of a text, with their text, and the rewritten text between them."""
        for start, end, token in self._raw.places(text.text, as_text):
            if token is not None:
                yield text.part(start, end), token
                continue
            normal = self._normalize(text.part(start, end))
            for first, last, inner in self._normalized.places(normal.text, as_text):
                piece = normal.part(first, last)
                if inner is not None:
                    yield piece, inner
                else:
                    for rewritten in self._rewritten(piece):
                        yield rewritten, None

    def bytes_of(self, piece: AlignedText) -> bytes:
        """Return the bytes of a piece of text."""
        data = from_byte_level(piece.text) if self.spells_bytes else None
        return in_bytes(piece.text) if data is None else data

    def _rewritten(self, piece: AlignedText) -> list[AlignedText]:
        if self._add_prefix_space and not piece.text.startswith(" "):
            piece = piece.prepended(" ")
        return [piece] if self._rewriting is None else self._rewriting.pieces(piece)


def in_bytes(text: str) -> bytes:
    """Return the bytes of a text in which bytes that are not UTF-8 are surrogates."""
    return text.encode("utf-8", "surrogateescape")
