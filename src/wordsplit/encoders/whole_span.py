"""Look a span up as a whole, for vocabs in which each word is one token. Cost: one look-up."""

from __future__ import annotations

from typing import ClassVar

from wordsplit.encoders._characters import CharacterEncoder, text_of
from wordsplit.encoders.base import TracedToken
from wordsplit.model import WordLevel
from wordsplit.vocab import Vocab

__all__ = ["WholeSpan"]


class WholeSpan(CharacterEncoder):
    """One look-up per span."""

    models: ClassVar[tuple[type, ...]] = (WordLevel,)

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab)
        self._model: WordLevel = vocab.model  # type: ignore[assignment]  # CharacterEncoder has checked it

    def trace_span(self, span: bytes) -> list[TracedToken]:
        """Return each id of ``span`` with the bytes that it stands for."""
        found = self._model.ids_by_bytes.get(span)
        return [TracedToken(self.unknown(self._model.unk_id, text_of(span)) if found is None else found, 0, len(span))]


plugin = WholeSpan
