"""Look words up as a whole, for vocabs in which each word is one token. Cost: one look-up per word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from wordsplit.encoders._characters import CharacterEncoder, bytes_known, text_of
from wordsplit.encoders.base import TracedToken
from wordsplit.model import WordLevel
from wordsplit.vocab import Vocab

__all__ = ["WholeSpan"]


class WholeSpan(CharacterEncoder):
    """One look-up per word."""

    models: ClassVar[tuple[type, ...]] = (WordLevel,)

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab)
        self._model: WordLevel = vocab.model  # type: ignore[assignment]  # CharacterEncoder has checked it

    def trace_span(self, span: bytes) -> list[TracedToken]:
        """Return each id of ``span`` with the bytes that it stands for."""
        model = self._model
        out: list[TracedToken] = []
        unknown_from: int | None = None  # where a run of unknown words begins
        for start, end in self._words(span):
            word = span[start:end]
            known = model.ids_by_bytes.get(word)
            if known is not None:
                out.append(TracedToken(known, start, end))
                unknown_from = None
                continue
            fallback = bytes_known(word, model.byte_ids) if model.byte_fallback else None
            if fallback is not None:
                out += [TracedToken(i, start, end) for i in fallback]
                continue
            if unknown_from is None:
                unknown_from = start
            else:
                out.pop()
            out.append(TracedToken(self.unknown(model.unk_id, text_of(word)), unknown_from, end))
        return out

    def _words(self, span: bytes) -> Iterator[tuple[int, int]]:
        """Yield the bounds of the words of a span."""
        mark = self._model.word_start.encode()
        start = 0
        while start < len(span):
            found = span.find(mark, start + 1) if mark else -1
            end = len(span) if found < 0 else found
            yield start, end
            start = end


plugin = WholeSpan
