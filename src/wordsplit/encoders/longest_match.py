"""Take the longest token at each position of a word, as WordPiece does.

Cost: O(n m) look-ups for a word of n characters and tokens of up to m.

Source: Schuster and Nakajima, *Japanese and Korean Voice Search* (2012); BERT's ``WordpieceTokenizer``.
"""

from __future__ import annotations

from typing import ClassVar

from wordsplit.encoders._characters import CharacterEncoder, encoded, text_of
from wordsplit.encoders.base import TracedToken
from wordsplit.model import WordPiece
from wordsplit.vocab import Vocab

__all__ = ["LongestMatch"]


class LongestMatch(CharacterEncoder):
    """Greedy longest match from the left, O(n m) look-ups per word."""

    models: ClassVar[tuple[type, ...]] = (WordPiece,)

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab)
        self._model: WordPiece = vocab.model  # type: ignore[assignment]  # CharacterEncoder has checked it
        self._most = max(map(len, vocab.model.ids_by_bytes), default=0)

    def trace_span(self, span: bytes) -> list[TracedToken]:
        """Return each id of ``span`` with the bytes that it stands for."""
        model = self._model
        text = text_of(span)
        unknown = [TracedToken(-1, 0, len(span))]
        found = unknown if len(text) > model.max_input_chars_per_word else self._matches(text) or unknown
        if found is unknown:
            return [unknown[0]._replace(token_id=self.unknown(model.unk_id, text))]
        return found

    def _matches(self, text: str) -> list[TracedToken] | None:
        """Return the longest token at each position; ``None`` where there is none."""
        ids, prefix = self._model.ids_by_bytes, b""
        out: list[TracedToken] = []
        start = begin = 0  # in characters, and in bytes
        while start < len(text):
            for end in range(min(len(text), start + self._most), start, -1):
                data = encoded(text[start:end])
                found = ids.get(prefix + data)
                if found is not None:
                    out.append(TracedToken(found, begin, begin + len(data)))
                    start, begin = end, begin + len(data)
                    break
            else:
                return None
            prefix = self._model.continuing_subword_prefix.encode()
        return out


plugin = LongestMatch
