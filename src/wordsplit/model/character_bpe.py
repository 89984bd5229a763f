"""Byte-pair encoding of characters, as SentencePiece has it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wordsplit.byte_fallback import complete_ids, ids_of_bytes
from wordsplit.errors import VocabFormatError
from wordsplit.fields import Converted
from wordsplit.model.base import Model
from wordsplit.model.ended_words import EndedWords, ended_words
from wordsplit.tables import MergeList, TokenTable

__all__ = ["CharacterBPE"]


def _ranks(values: Sequence[int] | None) -> array[int] | None:
    return None if values is None else array("I", values)


@dataclass(frozen=True, kw_only=True, eq=False)
class CharacterBPE(Model):
    """Byte-pair encoding that begins with the characters of a span.

    A character that is not a token is spelled in tokens of its bytes (``byte_fallback``), or is unknown. Each unknown
    character gives ``unk_id``, or each run of them (``fuse_unk``), or nothing if there is no ``unk_id``.

    Attributes:
        tokens: The base tokens: a read-only mapping of id to their text in UTF-8, in order of ids.
        explicit_merges: (left id, right id) in order of rank. If a pair is listed twice, the later rank counts.
        unk_id: The id for unknown characters.
        fuse_unk: Whether a run of unknown characters gives one id.
        byte_fallback: Whether the tokens ``<0x00>`` to ``<0xFF>`` spell characters that are not tokens.
        continuing_subword_prefix: The prefix of each character of a span except the first, in the spelling of tokens.
        end_of_word_suffix: The suffix of the last character of a span, in the spelling of tokens.
        ignore_merges: Whether a span that is a token as a whole gets that id without any merging.
        unreachable_ids: Tokens that no text produces, such as control tokens in SentencePiece files.
        ranks: The rank of each merge, where merges share one: of these the leftmost comes first. ``None`` if the rank
            of each is its place.

    Raises:
        VocabFormatError: A merge names an id that is not a token, or produces text that is not a token.

    Example:
        >>> model = CharacterBPE(tokens={0: b"<unk>", 1: b"h", 2: b"i", 3: b"hi"}, explicit_merges=[(1, 2)], unk_id=0)
        >>> model.merge_of
        {(1, 2): (0, 3)}
    """

    tokens: Converted[Mapping[int, bytes], TokenTable] = Converted(TokenTable.pack)
    explicit_merges: Converted[Sequence[tuple[int, int]], MergeList] = Converted(MergeList.pack, ())
    unk_id: int | None = None
    fuse_unk: bool = False
    byte_fallback: bool = False
    continuing_subword_prefix: str = ""
    end_of_word_suffix: str = ""
    ignore_merges: bool = False
    unreachable_ids: Converted[Iterable[int], frozenset[int]] = Converted(frozenset, ())
    ranks: Converted[Sequence[int] | None, array[int] | None] = Converted(_ranks, None)

    def __post_init__(self) -> None:
        if self.ranks is not None and len(self.ranks) != len(self.merges):
            raise VocabFormatError(f"{len(self.ranks):,} ranks for {len(self.merges):,} merges", field="ranks")

    @property
    def merges(self) -> MergeList:
        """(left id, right id) of each merge, in order of rank."""
        return self.explicit_merges

    @property
    def ends_words(self) -> bool:
        """See `Model`."""
        return bool(self.end_of_word_suffix)

    @cached_property
    def tiles_text(self) -> bool:
        """See `Model`.

        With a byte token for some bytes only, an unknown token can come after byte tokens of the text after it.
        """
        fallback = complete_ids(self.byte_ids, self.ids_by_bytes)
        return fallback is not None and (bool(fallback) or self.unk_id is not None)

    @property
    def drops_characters(self) -> bool:
        """Whether characters that are not tokens give no ids, so that their neighbours may merge."""
        return self.unk_id is None and not any(i is not None for i in self.byte_ids)

    @cached_property
    def merge_of(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The (rank, merged id) of each pair of ids."""
        tokens, ids = dict(self.tokens), self.ids_by_bytes
        skip = len(self.continuing_subword_prefix.encode())
        out: dict[tuple[int, int], tuple[int, int]] = {}
        for at, (left, right) in enumerate(self.explicit_merges):
            rank = at if self.ranks is None else self.ranks[at]
            try:
                out[left, right] = rank, ids[tokens[left] + tokens[right][skip:]]
            except KeyError:
                raise VocabFormatError(
                    f"({left}, {right}) names an unknown token, or makes none", field=f"merges[{at}]"
                ) from None
        return out

    @cached_property
    def ended_words(self) -> EndedWords | None:
        """The texts of the tokens of a model with a suffix.

        ``None`` if it has no suffix, if it has byte tokens, and where that is unclear (`wordsplit.model.ended_words`).
        """
        if not self.ends_words or self.byte_fallback:
            return None
        return ended_words(self.ids_by_bytes, self.merge_of, self.end_of_word_suffix, self.unk_id)

    @cached_property
    def byte_ids(self) -> tuple[int | None, ...]:
        """The id of the token for each byte in byte fallback; ``None`` where there is none."""
        return ids_of_bytes(self.tokens) if self.byte_fallback else (None,) * 256

    @property
    def rules(self) -> tuple[Any, ...]:
        """The rules that determine ids, other than tokens and merges."""
        affixes = self.continuing_subword_prefix, self.end_of_word_suffix
        shared = () if self.ranks is None else (self.ranks.tobytes(),)
        return "character BPE", self.unk_id, self.fuse_unk, self.byte_fallback, *affixes, *shared
