"""A token for each word, without any division."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wordsplit.byte_fallback import ids_of_bytes
from wordsplit.fields import Converted
from wordsplit.model.base import Model
from wordsplit.tables import TokenTable

__all__ = ["WordLevel"]


@dataclass(frozen=True, kw_only=True, eq=False)
class WordLevel(Model):
    """A word is a token as a whole, or unknown.

    A span is one word, or several, of which each begins with ``word_start``, as in SentencePiece. Then a run of unknown
    words gives ``unk_id`` once, or the tokens of its bytes (``byte_fallback``).

    Attributes:
        tokens: The base tokens: a read-only mapping of id to their text in UTF-8, in order of ids.
        unk_id: The id of unknown words. Without one, they raise an error.
        word_start: The character with which words begin; ``""`` if a span is one word.
        byte_fallback: Whether the tokens ``<0x00>`` to ``<0xFF>`` spell unknown words.
        unreachable_ids: Tokens that no text produces, such as control tokens in SentencePiece files.

    Example:
        >>> WordLevel(tokens={0: b"[UNK]", 1: b"hello"}, unk_id=0).ids_by_bytes[b"hello"]
        1
    """

    tokens: Converted[Mapping[int, bytes], TokenTable] = Converted(TokenTable.pack)
    unk_id: int | None = None
    word_start: str = ""
    byte_fallback: bool = False
    unreachable_ids: Converted[Iterable[int], frozenset[int]] = Converted(frozenset, ())

    @property
    def has_whole_words(self) -> bool:
        """A span that is a token has its id."""
        return True

    @cached_property
    def byte_ids(self) -> tuple[int | None, ...]:
        """The id of the token for each byte in byte fallback; ``None`` where there is none."""
        return ids_of_bytes(self.tokens) if self.byte_fallback else (None,) * 256

    @property
    def rules(self) -> tuple[Any, ...]:
        """The rules that determine ids, other than tokens and merges."""
        several = (self.word_start, self.byte_fallback) if self.word_start or self.byte_fallback else ()
        return "word level", self.unk_id, *several
