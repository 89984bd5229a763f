"""Map between characters, tokens and words in an encoding."""

from __future__ import annotations

from wordsplit.compat.tokenizers._columns import Span
from wordsplit.compat.tokenizers._rows import Rows

__all__ = ["Looks"]


class Looks:
    """The look-ups of an `Encoding`. Each returns ``None`` if there is no result."""

    __slots__ = ()

    rows: Rows

    @property
    def n_sequences(self) -> int:
        """The number of texts: 1, or 2 for a pair."""
        return len(self.rows.ranges) or 1

    @property
    def sequence_ids(self) -> list[int | None]:
        """For each token the text that it belongs to: 0 or 1."""
        out: list[int | None] = [None] * len(self.rows.ids)
        for sequence in range(self.n_sequences):
            start, end = self._range(sequence)
            out[start:end] = [sequence] * (end - start)
        return out

    def token_to_sequence(self, token_index: int) -> int | None:
        """Return the text that a token belongs to."""
        if token_index > len(self.rows.ids):
            return None
        if not self.rows.ranges:
            return 0
        return next((i for i, (start, end) in self.rows.ranges.items() if start <= token_index < end), None)

    def token_to_chars(self, token_index: int) -> Span | None:
        """Return the characters that a token covers."""
        offsets = self.rows.columns().offsets
        inside = self.token_to_sequence(token_index) is not None and token_index < len(offsets)
        return offsets[token_index] if inside else None

    def token_to_word(self, token_index: int) -> int | None:
        """Return the word that a token belongs to."""
        words = self.rows.columns().words
        inside = self.token_to_sequence(token_index) is not None and token_index < len(words)
        return words[token_index] if inside else None

    def char_to_token(self, char_pos: int, sequence_index: int = 0) -> int | None:
        """Return the first token that covers a character."""
        start, end = self._range(sequence_index)
        spans = self.rows.columns().offsets[start:end]
        return next((start + at for at, (left, right) in enumerate(spans) if left <= char_pos < right), None)

    def char_to_word(self, char_pos: int, sequence_index: int = 0) -> int | None:
        """Return the word that contains a character."""
        token = self.char_to_token(char_pos, sequence_index)
        return None if token is None else self.token_to_word(token)

    def word_to_tokens(self, word_index: int, sequence_index: int = 0) -> Span | None:
        """Return the range of the tokens of a word, end exclusive."""
        start, end = self._range(sequence_index)
        found = []
        for at, word in enumerate(self.rows.columns().words[start:end], start):
            if word is not None and word > word_index:
                break
            if word == word_index:
                found.append(at)
        return (found[0], found[-1] + 1) if found else None

    def word_to_chars(self, word_index: int, sequence_index: int = 0) -> Span | None:
        """Return the characters of a word."""
        tokens = self.word_to_tokens(word_index, sequence_index)
        if tokens is None:
            return None
        offsets = self.rows.columns().offsets
        return offsets[tokens[0]][0], offsets[tokens[1] - 1][1]

    def _range(self, sequence: int) -> Span:
        return self.rows.ranges.get(sequence, (0, len(self.rows.ids)))
