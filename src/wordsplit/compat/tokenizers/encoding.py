"""`Encoding`: the ids of a text, with tokens, offsets and masks."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from wordsplit.compat.ids import checked_index
from wordsplit.compat.missing_names import Explained, explain_missing_names
from wordsplit.compat.tokenizers._columns import Span
from wordsplit.compat.tokenizers._draft import Draft
from wordsplit.compat.tokenizers._rows import Rows, merged
from wordsplit.lengths import Padding

__all__ = ["Encoding"]

explain_missing_names(__name__)


class Encoding(Explained):
    """The result of `Tokenizer.encode`. Tokens, words and offsets are computed on first use.

    Example:
        >>> from wordsplit.compat.tokenizers import Tokenizer
        >>> found = Tokenizer.from_pretrained("qwen3").encode("Hello world", "Bye")
        >>> found.ids, found.type_ids
        ([9707, 1879, 1359, 68], [0, 0, 1, 1])
        >>> found.token_to_chars(1), found.char_to_token(1, 1)
        ((5, 11), 2)
        >>> len(found), found.n_sequences
        (4, 2)
    """

    __slots__ = ("rows",)

    def __init__(self, rows: Rows | Draft | None = None) -> None:
        self.rows: Rows | Draft = merged((), growing=False) if rows is None else rows

    # One item per token; each access returns a new list.

    @property
    def ids(self) -> list[int]:
        """The ids."""
        return list(self.rows.ids)

    @property
    def type_ids(self) -> list[int]:
        """The type id of each: the text of a pair that it belongs to, as numbered in the template."""
        return list(self.rows.type_ids)

    @property
    def tokens(self) -> list[str]:
        """The spelling of each in the tokenizer.json, such as ``Ġworld``."""
        return list(self.rows.columns().tokens)

    @property
    def word_ids(self) -> list[int | None]:
        """The span that each belongs to; ``None`` for tokens of the template and padding."""
        return list(self.rows.columns().placed().words)

    @property
    def words(self) -> list[int | None]:
        """An old name of `word_ids`."""
        warnings.warn("Encoding.words is the old name of Encoding.word_ids", DeprecationWarning, stacklevel=2)
        return self.word_ids

    @property
    def offsets(self) -> list[Span]:
        """The characters that each covers: start and end."""
        return list(self.rows.offsets)

    @property
    def attention_mask(self) -> list[int]:
        """0 for padding, 1 for all other tokens."""
        return list(self.rows.attention)

    @property
    def special_tokens_mask(self) -> list[int]:
        """1 for tokens of the template and padding, 0 for tokens of the text."""
        return list(self.rows.special)

    @property
    def overflowing(self) -> list[Encoding]:
        """The tokens cut off by truncation, in pieces of the same length."""
        return [Encoding(rows) for rows in self.rows.overflowing]

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.rows.ids)

    def _repr_html_(self) -> str:
        from wordsplit.palette import (  # noqa: PLC0415 - most programs display nothing
            NOTEBOOK_TOKENS,
            chip,
            colour_of,
            shortened,
            tokens_fragment,
            visible,
        )

        columns, special = self.rows.columns(), self.rows.special
        tokens = list(columns.tokens)[:NOTEBOOK_TOKENS]
        out, word, number = [], None, -1
        for token, token_id, of_word, marked in zip(tokens, self.rows.ids, columns.words, special, strict=False):
            number += of_word is None or of_word != word
            word = of_word
            text = shortened(visible(token.encode("utf-8", "replace")), 200)
            out.append(chip(text, str(token_id), colour_of(number, bool(marked))))
        return tokens_fragment(out, len(self))

    def __repr__(self) -> str:
        return (
            f"Encoding(num_tokens={len(self)}, attributes=[ids, type_ids, tokens, offsets, attention_mask, "
            "special_tokens_mask, overflowing])"
        )

    # Changes in place.

    def set_sequence_id(self, sequence_id: int) -> None:
        """Mark all tokens as belonging to one text of a pair."""
        self.rows = self.rows.settled().as_sequence(sequence_id)

    def truncate(self, max_length: int, stride: int = 0, direction: str = "right") -> None:
        """Keep the first tokens (``direction="left"``: the last), and put the others into `overflowing`.

        Args:
            max_length: The number of tokens to keep.
            stride: How many tokens each piece shares with the one before.
            direction: ``"right"`` or ``"left"``: the side to cut off.

        Raises:
            OptionsError: ``stride`` is not less than ``max_length``, or the direction is neither. (A `ValueError`.)
        """
        self.rows = self.rows.settled().truncated(max_length, stride, direction)

    def pad(
        self,
        length: int,
        direction: str = "right",
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",  # noqa: S107 - a token of text
    ) -> None:
        """Pad to a length, including the overflowing pieces.

        Args:
            length: The number of tokens to pad to; if there are as many or more, nothing is done.
            direction: The side to pad, ``"right"`` or ``"left"``.
            pad_id: The id of padding.
            pad_type_id: Its type id.
            pad_token: Its spelling.

        Raises:
            OptionsError: The direction is neither. (A `ValueError`.)
        """
        how = Padding(None, None, pad_id, pad_token, pad_type_id, direction)
        self.rows = self.rows.padded(length, how)

    @staticmethod
    def merge(encodings: Sequence[Encoding], growing_offsets: bool = True) -> Encoding:
        """Concatenate several encodings.

        Args:
            encodings: The encodings.
            growing_offsets: Whether offsets continue from the encoding before, as in one text, or start at 0 again.
        """
        return Encoding(merged([each.rows.settled() for each in encodings], growing=growing_offsets))

    # Look-ups between characters, tokens and words. Each returns ``None`` if there is no result, and raises a
    # `TypeError` or an `OverflowError` for an index that is not an unsigned integer.

    @property
    def n_sequences(self) -> int:
        """The number of texts: 1, or 2 for a pair."""
        return self.rows.n_texts

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
        token_index = checked_index(token_index)
        if token_index > len(self.rows.ids):
            return None
        if not self.rows.ranges:
            return 0
        return next((i for i, (start, end) in self.rows.ranges.items() if start <= token_index < end), None)

    def token_to_chars(self, token_index: int) -> Span | None:
        """Return the characters that a token covers."""
        token_index = checked_index(token_index)
        offsets = self.rows.columns().placed().offsets
        inside = self.token_to_sequence(token_index) is not None and token_index < len(offsets)
        return offsets[token_index] if inside else None

    def token_to_word(self, token_index: int) -> int | None:
        """Return the word that a token belongs to."""
        token_index = checked_index(token_index)
        words = self.rows.columns().placed().words
        inside = self.token_to_sequence(token_index) is not None and token_index < len(words)
        return words[token_index] if inside else None

    def char_to_token(self, char_pos: int, sequence_index: int = 0) -> int | None:
        """Return the first token that covers a character."""
        char_pos = checked_index(char_pos)
        start, end = self._range(sequence_index)
        spans = self.rows.columns().placed().offsets[start:end]
        return next((start + at for at, (left, right) in enumerate(spans) if left <= char_pos < right), None)

    def char_to_word(self, char_pos: int, sequence_index: int = 0) -> int | None:
        """Return the word that contains a character."""
        token = self.char_to_token(char_pos, sequence_index)
        return None if token is None else self.token_to_word(token)

    def word_to_tokens(self, word_index: int, sequence_index: int = 0) -> Span | None:
        """Return the range of the tokens of a word, end exclusive."""
        word_index = checked_index(word_index, 32)
        start, end = self._range(sequence_index)
        found = []
        for at, word in enumerate(self.rows.columns().placed().words[start:end], start):
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
        offsets = self.rows.columns().placed().offsets
        return offsets[tokens[0]][0], offsets[tokens[1] - 1][1]

    def _range(self, sequence: int) -> Span:
        return self.rows.ranges.get(checked_index(sequence), (0, len(self.rows.ids)))
