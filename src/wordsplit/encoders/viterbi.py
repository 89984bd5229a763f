"""Find the tokens of a Unigram model whose scores have the greatest sum, by dynamic programming.

From left to right, the best way to each position is the best way to some earlier position and the token between; on a
tie the earlier one of the two. A character that is not a token is a separate step, whose score is below all others. At
the end the way is followed back.

Cost: O(n m) look-ups for a span of n characters and tokens of up to m.

Source: Kudo, *Subword Regularization* (2018); `sentencepiece` and `tokenizers`, whose order of additions and
comparisons decides between sums that are equal except for rounding. `sentencepiece` keeps sums of 32 bits small: where
the one at a character is beyond 100,000, it is subtracted from all that begin there or later.
"""

from __future__ import annotations

from typing import ClassVar

from wordsplit.encoders._characters import CharacterEncoder, bytes_known, encoded, text_of
from wordsplit.encoders.base import TracedToken
from wordsplit.model import Unigram
from wordsplit.vocab import Vocab

__all__ = ["Viterbi"]


class Viterbi(CharacterEncoder):
    """The best path through all tokens of a span, O(n m) look-ups."""

    models: ClassVar[tuple[type, ...]] = (Unigram,)

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab)
        self._model: Unigram = vocab.model  # type: ignore[assignment]  # CharacterEncoder has checked it
        ids = {token.decode("utf-8", "surrogateescape"): i for token, i in vocab.model.ids_by_bytes.items()}
        self._ids = ids
        self._most = max(map(len, ids), default=0)
        self._beginnings = {token[:n] for token in ids for n in range(1, len(token) + 1)}

    def trace_span(self, span: bytes) -> list[TracedToken]:
        """Return each id of ``span`` with the bytes that it stands for."""
        text = text_of(span)
        model = self._model
        out: list[TracedToken] = []
        end = 0
        for piece in self._pieces(text):
            data = encoded(piece)
            start, end = end, end + len(data)
            known = self._ids.get(piece)
            if known is not None:
                out.append(TracedToken(known, start, end))
                continue
            fallback = bytes_known(data, model.byte_ids) if model.byte_fallback else None
            if fallback is not None:
                out += [TracedToken(i, start, end) for i in fallback]
            else:
                out.append(TracedToken(self.unknown(model.unk_id, piece), start, end))
        return out

    def _pieces(self, text: str) -> list[str]:
        """Return the texts of the tokens; a run of unknown characters is one of them."""
        starts, ids = self._best_path(text)
        out: list[str] = []
        unknown = ""
        end = len(text)
        while end:
            start = starts[end]
            if ids[end] == self._model.unk_id:
                unknown = text[start:end] + unknown
            else:
                if unknown:
                    out.append(unknown)
                    unknown = ""
                out.append(text[start:end])
            end = start
        if unknown:
            out.append(unknown)
        return out[::-1]

    def _best_path(self, text: str) -> tuple[list[int], list[int | None]]:
        """Return, for each position, where the last token of the best way to it begins, and which it is."""
        model = self._model
        score_of = model.path_scores
        size = len(text)
        scores = [0.0] * (size + 1)
        starts = [-1] * (size + 1)
        ids: list[int | None] = [None] * (size + 1)

        def offer(start: int, end: int, token_id: int | None, score: float) -> None:
            sum_ = model.rounded(score + scores[start])
            if starts[end] < 0 or sum_ > scores[end]:
                scores[end], starts[end], ids[end] = sum_, start, token_id

        for start in range(size):
            if model.is_beyond(scores[start]):
                self._begin_anew(start, starts, scores)
            alone = False
            for end in range(start + 1, min(start + self._most, size) + 1):
                token = text[start:end]
                if token not in self._beginnings:
                    break
                token_id = self._ids.get(token)
                if token_id is not None:
                    offer(start, end, token_id, score_of[token_id])
                    alone |= end == start + 1
            if not alone:
                offer(start, start + 1, self.unknown(model.unk_id, text[start]), model.unknown_score)
        return starts, ids

    def _begin_anew(self, start: int, starts: list[int], scores: list[float]) -> None:
        """Subtract the sum at a position from all sums from there on, which tokens from before it have reached."""
        offset = scores[start]
        scores[start] = 0.0
        for end in range(start + 1, min(start + self._most, len(scores))):
            if starts[end] >= 0:
                scores[end] = self._model.rounded(scores[end] - offset)


plugin = Viterbi
