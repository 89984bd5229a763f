"""Unigram language models, as SentencePiece has them."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wordsplit.byte_fallback import ids_of_bytes
from wordsplit.errors import VocabFormatError
from wordsplit.fields import Converted
from wordsplit.model.base import Model
from wordsplit.tables import TokenTable

__all__ = ["UNK_PENALTY", "Unigram"]

UNK_PENALTY = 10.0
"""The distance of an unknown character's score below the least of all scores."""
GREATEST_SUM = 100_000.0
"""Beyond this, `sentencepiece` takes its sums of 32 bits back to zero."""


_SINGLE = struct.Struct("f")
_BONUS = 0.1  # of a user-defined token, for each byte after the first, in `sentencepiece`


def _scores(values: Sequence[float]) -> array[float]:
    return array("d", values)


@dataclass(frozen=True, kw_only=True, eq=False)
class Unigram(Model):
    """A score for each token: a span gets the tokens whose scores have the greatest sum.

    A character that is not a token counts as one with a score of ``UNK_PENALTY`` below the least, and is unknown if it
    is chosen. A run of unknown characters is spelled in tokens of its bytes (``byte_fallback``), or else gives
    ``unk_id`` once.

    Attributes:
        tokens: The base tokens: a read-only mapping of id to their text in UTF-8, in order of ids.
        scores: The score of each token, in order of ids.
        unk_id: The id for unknown characters.
        byte_fallback: Whether the tokens ``<0x00>`` to ``<0xFF>`` spell unknown characters.
        user_defined_ids: Tokens that are always preferred, the longest first. Only SentencePiece files have them.
        unreachable_ids: Tokens that no text produces, such as control tokens in SentencePiece files.
        single_precision: Whether scores are added with 32 bits, as `sentencepiece` does, and not with 64, as
            `tokenizers` does. It decides between almost equal sums.

    Raises:
        VocabFormatError: The numbers of tokens and of scores differ.

    Example:
        >>> model = Unigram(tokens={0: b"<unk>", 1: b"a", 2: b"ab"}, scores=[0.0, -1.5, -2.0], unk_id=0)
        >>> model.least_score
        -2.0
    """

    tokens: Converted[Mapping[int, bytes], TokenTable] = Converted(TokenTable.pack)
    scores: Converted[Sequence[float], array[float]] = Converted(_scores)
    unk_id: int | None = None
    byte_fallback: bool = False
    user_defined_ids: Converted[Iterable[int], frozenset[int]] = Converted(frozenset, ())
    unreachable_ids: Converted[Iterable[int], frozenset[int]] = Converted(frozenset, ())
    single_precision: bool = False

    def __post_init__(self) -> None:
        if len(self.scores) != len(self.tokens):
            raise VocabFormatError(f"{len(self.scores):,} scores for {len(self.tokens):,} tokens", field="scores")

    @cached_property
    def score_of(self) -> dict[int, float]:
        """The score of each token, by id."""
        return dict(zip(self.tokens.ids, self.scores, strict=True))

    @cached_property
    def least_score(self) -> float:
        """The least score; in SentencePiece files, of the normal tokens."""
        others = self.unreachable_ids | self.user_defined_ids
        return min((score for i, score in self.score_of.items() if i not in others), default=0.0)

    @cached_property
    def path_scores(self) -> dict[int, float]:
        """The score of each token on a path, by id: user-defined tokens get one that makes them win."""
        preferred = {i: self.rounded(_BONUS * (len(self.tokens[i]) - 1)) for i in self.user_defined_ids}
        return self.score_of | preferred

    @cached_property
    def unknown_score(self) -> float:
        """The score of an unknown character on a path."""
        return self.rounded(self.rounded(self.least_score) - UNK_PENALTY)

    def rounded(self, value: float) -> float:
        """Round a sum to the precision of the model."""
        return float(_SINGLE.unpack(_SINGLE.pack(value))[0]) if self.single_precision else value

    def is_beyond(self, value: float) -> bool:
        """Whether a sum of 32 bits is taken back to zero, as `sentencepiece` does."""
        return self.single_precision and abs(value) > GREATEST_SUM

    @cached_property
    def byte_ids(self) -> tuple[int | None, ...]:
        """The id of the token for each byte in byte fallback; ``None`` where there is none."""
        return ids_of_bytes(self.tokens) if self.byte_fallback else (None,) * 256

    @property
    def rules(self) -> tuple[Any, ...]:
        """The rules that determine ids, other than tokens and merges."""
        preferred = sorted(self.user_defined_ids)
        return "unigram", self.unk_id, self.byte_fallback, preferred, self.single_precision, self.scores.tobytes()
