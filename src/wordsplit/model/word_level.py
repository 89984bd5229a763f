"""A token for each word, without any division."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordsplit.fields import Converted
from wordsplit.model.base import Model
from wordsplit.tables import TokenTable

__all__ = ["WordLevel"]


@dataclass(frozen=True, kw_only=True, eq=False)
class WordLevel(Model):
    """A span is a token as a whole, or unknown.

    Attributes:
        tokens: The base tokens: a read-only mapping of id to their text in UTF-8, in order of ids.
        unk_id: The id of unknown spans. Without one, they raise an error.

    Example:
        >>> WordLevel(tokens={0: b"[UNK]", 1: b"hello"}, unk_id=0).ids_by_bytes[b"hello"]
        1
    """

    tokens: Converted[Mapping[int, bytes], TokenTable] = Converted(TokenTable.pack)
    unk_id: int | None = None

    @property
    def has_whole_words(self) -> bool:
        """A span that is a token has its id."""
        return True

    @property
    def rules(self) -> tuple[Any, ...]:
        """What decides ids besides tokens and merges."""
        return "word level", self.unk_id
