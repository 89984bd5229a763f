"""Byte-pair encoding of raw bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Any

from wordsplit.errors import VocabFormatError
from wordsplit.fields import Converted
from wordsplit.merges import derive_merges
from wordsplit.missing_bytes import MissingBytes
from wordsplit.model.base import Model, packed
from wordsplit.tables import MergeList, TokenTable

__all__ = ["ByteLevelBPE"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ByteLevelBPE(Model):
    """Byte-pair encoding of raw bytes.

    Attributes:
        tokens: The base tokens: a read-only mapping of id to bytes, in order of ids.
        explicit_merges: (left id, right id) in order of rank. ``None`` for mergeable ranks, as in a .tiktoken
            file: a pair merges when its concatenation is a token, lowest id first.
        ignore_merges: Whether a span that is a token as a whole gets that id without any merging.
        unreachable_ids: Base tokens that no text can produce, because their name is not in the byte-level alphabet.
        merges_are_live: A promise that each merge is the last one in the encoding of the token that it makes, as with
            mergeable ranks. It saves the native core a check of each merge.
        missing_bytes: How bytes without a token are encoded; ``None`` for an error.

    Raises:
        VocabFormatError: ``missing_bytes`` names an id that is not a token.

    Example:
        >>> model = ByteLevelBPE(tokens={0: b"a", 1: b"b", 2: b"ab"}, explicit_merges=[(0, 1)])
        >>> model.ids_by_bytes[b"ab"], list(model.merges)
        (2, [(0, 1)])
    """

    tokens: Converted[Mapping[int, bytes], TokenTable] = Converted(TokenTable.pack)
    explicit_merges: Converted[Sequence[tuple[int, int]] | None, MergeList | None] = Converted(packed, None)
    ignore_merges: bool = False
    unreachable_ids: Converted[Iterable[int], frozenset[int]] = Converted(frozenset, ())
    merges_are_live: bool = False
    missing_bytes: MissingBytes | None = None

    def __post_init__(self) -> None:
        unk_id = None if self.missing_bytes is None else self.missing_bytes.unk_id
        if unk_id is not None and unk_id not in self.tokens:
            raise VocabFormatError(f"names id {unk_id!r}, which no token has", field="missing_bytes.unk_id")

    @cached_property
    def merges(self) -> MergeList:
        """(left id, right id) of each merge that text can lead to, in order of rank.

        For mergeable ranks they are derived: at most one merge for each token, the last one of its own encoding. They
        give the same ids as the ranks.
        """
        if self.explicit_merges is not None:
            return self.explicit_merges.without(self.unreachable_ids)
        return derive_merges(self.tokens, self.unreachable_ids)

    @cached_property
    def known_bytes(self) -> bytes:
        """The bytes that have a token."""
        found: set[int] = set()
        for i, byte in self.tokens.single_bytes():
            if i not in self.unreachable_ids:
                found.add(byte)
                if len(found) == 256:  # most vocabs begin with them
                    break
        return bytes(sorted(found))

    def id_of(self, token: bytes) -> int | None:
        """See `Model.id_of`."""
        tables = self.native_tables.get("")  # most programs ask for tokens that they are about to add
        is_known = tables is None or not token or tables.has(token)  # the tables have no empty token
        return super().id_of(token) if is_known else None

    @property
    def lacking_bytes(self) -> frozenset[int]:
        """The bytes that have none."""
        return frozenset(range(256)).difference(self.known_bytes)

    def lacks_bytes_of(self, data: bytes) -> bool:
        """Return whether any of the bytes has no token."""
        return bool(data.translate(None, self.known_bytes))

    @property
    def tiles_text(self) -> bool:
        """See `Model`."""
        missing = self.missing_bytes
        return missing is None or (missing.unk_id is not None and not missing.byte_fallback)

    @property
    def rules(self) -> tuple[Any, ...]:
        """The treatment of bytes without a token. The vocab's fingerprint has always held the rest."""
        missing = self.missing_bytes
        return () if missing is None else ("missing bytes", *astuple(missing))
