"""Models, which turn the bytes of a span into tokens. A model is a value in a `Vocab`.

Each span encoder and each vocab loader states which models it is for. There is one kind today.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial

from wordsplit.fields import Converted
from wordsplit.merges import derive_merges
from wordsplit.tables import MergeList, TokenTable

__all__ = ["ByteLevelBPE"]


def _packed(merges: Sequence[tuple[int, int]] | None) -> MergeList | None:
    return None if merges is None else MergeList.pack(merges)


@dataclass(frozen=True, kw_only=True, eq=False)
class ByteLevelBPE:
    """Byte-pair encoding of raw bytes.

    Attributes:
        tokens: The base tokens: a read-only mapping of id to bytes, in order of ids.
        explicit_merges: (left id, right id) in order of rank. ``None`` for mergeable ranks, as in a .tiktoken
            file: a pair merges when its concatenation is a token, lowest id first.
        ignore_merges: Whether a span that is a token as a whole gets that id without any merging.
        unreachable_ids: Base tokens that no text can produce, because their name is not in the byte-level alphabet.
        merges_are_live: A promise that each merge is the last one in the encoding of the token that it makes, as with
            mergeable ranks. It saves the native core a check of each merge.

    Example:
        >>> model = ByteLevelBPE(tokens={0: b"a", 1: b"b", 2: b"ab"}, explicit_merges=[(0, 1)])
        >>> model.ids_by_bytes[b"ab"], list(model.merges)
        (2, [(0, 1)])
    """

    tokens: Converted[Mapping[int, bytes], TokenTable] = Converted(TokenTable.pack)
    explicit_merges: Converted[Sequence[tuple[int, int]] | None, MergeList | None] = Converted(_packed, None)
    ignore_merges: bool = False
    unreachable_ids: Converted[Iterable[int], frozenset[int]] = Converted(frozenset, ())
    merges_are_live: bool = False

    @cached_property
    def merges(self) -> MergeList:
        """(left id, right id) of each merge, in order of rank.

        For mergeable ranks they are derived: at most one merge for each token, the last one of its own encoding. They
        give the same ids as the ranks.
        """
        if self.explicit_merges is not None:
            return self.explicit_merges
        return derive_merges(self.tokens, self.ids_by_bytes)

    @cached_property
    def ids_by_bytes(self) -> Mapping[bytes, int]:
        """The ids of the base tokens that text can produce: bytes -> id."""
        skip = self.unreachable_ids
        return {token: i for i, token in self.tokens.items() if i not in skip}

    def __reduce__(self) -> tuple[object, ...]:
        return partial(ByteLevelBPE, **{field.name: getattr(self, field.name) for field in fields(self)}), ()
