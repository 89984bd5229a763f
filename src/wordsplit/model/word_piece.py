"""WordPiece, as BERT has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wordsplit.fields import Converted
from wordsplit.model.base import Model
from wordsplit.tables import TokenTable

__all__ = ["WordPiece"]


@dataclass(frozen=True, kw_only=True, eq=False)
class WordPiece(Model):
    """The longest token at each position of a word, from the left.

    A word of which some part is not a token gives ``unk_id`` as a whole, and so does one that is too long.

    Attributes:
        tokens: The base tokens: a read-only mapping of id to their text in UTF-8, in order of ids.
        unk_id: The id of unknown words.
        continuing_subword_prefix: The prefix, in their spelling, of tokens that do not begin a word.
        max_input_chars_per_word: How many characters a word may have.

    Example:
        >>> model = WordPiece(tokens={0: b"[UNK]", 1: b"un", 2: b"##do"}, unk_id=0)
        >>> model.ids_by_bytes[b"##do"]
        2
    """

    tokens: Converted[Mapping[int, bytes], TokenTable] = Converted(TokenTable.pack)
    unk_id: int | None = None
    continuing_subword_prefix: str = "##"
    max_input_chars_per_word: int = 100

    @cached_property
    def has_whole_words(self) -> bool:
        """A word that is a token has its id, unless it is too long a word."""
        return self.token_table.longest <= self.max_input_chars_per_word

    @property
    def rules(self) -> tuple[Any, ...]:
        """The rules that determine ids, other than tokens and merges."""
        return "word piece", self.unk_id, self.continuing_subword_prefix, self.max_input_chars_per_word
