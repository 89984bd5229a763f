"""Packed tables of tokens and merges. A vocabulary has hundreds of thousands of each.

The words are in an ``array``, or in a view of a mapped file. Copies and pickles always use arrays.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, chain, compress
from operator import sub
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["MAX_ID", "MergeList", "TokenTable", "Words", "made_by_merges", "owned"]

MAX_ID = (1 << 24) - 1
"""The largest id allowed, so that a damaged file cannot cause a table of billions of entries."""

_FEW = 32  # look-ups

if TYPE_CHECKING:
    Words: TypeAlias = array[int] | memoryview
else:
    Words = array | memoryview  # array[int] is Python 3.12's
"""32-bit words."""


class TokenTable(Mapping[int, bytes]):
    """Token bytes by id, packed into one blob, one array of ends and one of ids, ordered by id.

    Packed because a vocab has hundreds of thousands of tokens and the native core needs no Python
    object for any of them; a `Mapping` because all other code looks tokens up as ``table[id]``.
    """

    __slots__ = ("_by_bytes", "_dense", "_index", "_searched", "blob", "ends", "ids")

    def __init__(self, blob: bytes | memoryview, ends: Words, ids: Words) -> None:
        self.blob: bytes | memoryview = blob
        self.ends: Words = ends
        self.ids: Words = ids
        self._dense = len(ids) > 0 and ids[0] == 0 and ids[-1] == len(ids) - 1
        self._index: dict[int, int] | None = None  # created on first use
        self._by_bytes: dict[bytes, int] | None = None
        self._searched = 0

    @classmethod
    def pack(cls, tokens: Mapping[int, bytes]) -> TokenTable:
        """Pack a mapping of ids to bytes."""
        if isinstance(tokens, TokenTable):
            return tokens
        order = sorted(tokens)
        parts = list(map(tokens.__getitem__, order))
        return cls(b"".join(parts), array("I", accumulate(map(len, parts))), array("I", order))

    @classmethod
    def of_bytes(cls, blob: bytes, ends: bytes, ids: bytes) -> TokenTable:
        """Return the table of a blob and of words that are bytes, as functions of the native core return them."""
        return cls(blob, array("I", ends), array("I", ids))

    def __getitem__(self, token_id: int) -> bytes:
        at = token_id
        if not self._dense:
            if self._index is None:
                self._index = dict(zip(self.ids, range(len(self.ids)), strict=True))
            at = self._index[token_id]
        if not 0 <= at < len(self.ids):
            raise KeyError(token_id)
        return bytes(self.blob[self.ends[at - 1] if at else 0 : self.ends[at]])

    def __contains__(self, token_id: object) -> bool:
        if not isinstance(token_id, int):
            return False
        at = bisect_left(self.ids, token_id)
        return at < len(self.ids) and self.ids[at] == token_id

    def ids_by_bytes(self) -> dict[bytes, int]:
        """Return the id of each token by its bytes; of two with the same bytes, the last. Created on first use."""
        if self._by_bytes is None:
            try:
                from wordsplit._native import ids_by_bytes  # noqa: PLC0415 - pure-Python builds lack it
            except ImportError:
                self._by_bytes = dict(zip(self.each(), self.ids, strict=True))
            else:
                self._by_bytes = ids_by_bytes(self.blob, self.ends, self.ids)
        return self._by_bytes

    def id_of(self, token: bytes) -> int | None:
        """Return the id of the token with these bytes, of two the last; ``None`` if there is none.

        The first calls search the table: building `ids_by_bytes` takes as long as dozens of searches, and most programs
        look up two or three tokens.
        """
        if self._by_bytes is None and self._searched < _FEW:
            try:
                from wordsplit._native import find_token  # noqa: PLC0415 - as above
            except ImportError:
                pass
            else:
                self._searched += 1
                return find_token(self.blob, self.ends, self.ids, token)
        return self.ids_by_bytes().get(token)

    def each(self) -> Iterator[bytes]:
        """Return an iterator over the bytes of all tokens, in order of ids: much faster than one by one."""
        blob, starts = bytes(self.blob), chain((0,), self.ends)
        return map(blob.__getitem__, map(slice, starts, self.ends))

    def replace(self, text: bytes, by: bytes) -> TokenTable:
        """Return the table with a text in its tokens replaced."""
        try:
            from wordsplit._native import replaced_in_tokens  # noqa: PLC0415 - as above
        except ImportError:
            return TokenTable.pack({i: token.replace(text, by) for i, token in self.items()})
        blob, ends = replaced_in_tokens(self.blob, self.ends, text, by)
        return TokenTable(blob, array("I", ends), self.ids)

    def changed(self, tokens: Mapping[int, bytes]) -> TokenTable:
        """Return the table with some tokens changed or added."""
        blob, ends, ids = bytearray(), array("I"), array("I")

        def copy(first: int, last: int) -> None:
            begin = self.ends[first - 1] if first else 0
            ends.extend(map((len(blob) - begin).__add__, self.ends[first:last]))
            ids.extend(self.ids[first:last])
            blob.extend(self.blob[begin : self.ends[last - 1]] if last > first else b"")

        first = 0
        for token_id in sorted(tokens):
            last = bisect_left(self.ids, token_id)
            copy(first, last)
            blob += tokens[token_id]
            ends.append(len(blob))
            ids.append(token_id)
            first = last + (token_id in self)
        copy(first, len(self.ids))
        return TokenTable(bytes(blob), ends, ids)

    def has_inside(self, text: bytes) -> bool:
        """Return whether a text is in a token, not at its beginning."""
        try:
            from wordsplit._native import is_inside_token  # noqa: PLC0415 - as above
        except ImportError:
            return any(token.rfind(text) > 0 for token in self.each())
        return is_inside_token(self.blob, self.ends, text)

    def items(self) -> ItemsView[int, bytes]:
        """Return a view of the ids and the bytes of all tokens, in order of ids."""
        return _Items(self)

    @property
    def longest(self) -> int:
        """The number of bytes of the longest token; 0 if there is none."""
        try:
            from wordsplit._native import longest_token  # noqa: PLC0415 - pure-Python builds lack it
        except ImportError:
            return max(map(sub, self.ends, chain((0,), self.ends)), default=0)
        return longest_token(self.ends)

    def single_bytes(self) -> Iterator[tuple[int, int]]:
        """Return an iterator over the id and the byte of each token of one byte."""
        sizes = map(sub, self.ends, chain((0,), self.ends))
        places = compress(range(len(self.ends)), map((1).__eq__, sizes))
        return ((self.ids[at], self.blob[self.ends[at] - 1]) for at in places)

    def __iter__(self) -> Iterator[int]:
        return iter(self.ids)

    def __len__(self) -> int:
        return len(self.ids)

    def __reduce__(self) -> tuple[object, ...]:
        return TokenTable, (bytes(self.blob), owned(self.ends), owned(self.ids))


class _Items(ItemsView[int, bytes]):
    """The items of a table, without a look-up for each."""

    _mapping: TokenTable

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        return zip(self._mapping.ids, self._mapping.each(), strict=True)


class MergeList(Sequence[tuple[int, int]]):
    """Merges by rank: entry ``r`` is the (left id, right id) of the merge of rank ``r``."""

    __slots__ = ("flat",)

    def __init__(self, flat: Words) -> None:
        self.flat: Words = flat

    @classmethod
    def pack(cls, merges: Iterable[tuple[int, int]]) -> MergeList:
        """Pack an iterable of pairs."""
        if isinstance(merges, MergeList):
            return merges
        return cls(array("I", [i for pair in merges for i in pair]))

    def parts_among(self, ids: AbstractSet[int]) -> set[int]:
        """Return those of some ids that are parts of merges."""
        if not ids:
            return set()
        try:
            from wordsplit._native import words_among  # noqa: PLC0415 - pure-Python builds lack it
        except ImportError:
            return set(ids).intersection(self.flat)
        return set(array("I", words_among(self.flat, array("I", ids))))

    def without(self, ids: AbstractSet[int]) -> MergeList:
        """Return the merges in which none of some ids is a part."""
        found = self.parts_among(ids)
        return MergeList.pack(pair for pair in self if found.isdisjoint(pair)) if found else self

    def __getitem__(self, rank: Any) -> Any:
        if isinstance(rank, slice):
            return [self[i] for i in range(*rank.indices(len(self)))]
        if rank < 0:
            rank += len(self)
        if not 0 <= rank < len(self):
            raise IndexError(rank)
        return self.flat[2 * rank], self.flat[2 * rank + 1]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.flat[::2], self.flat[1::2], strict=True)

    def __len__(self) -> int:
        return len(self.flat) // 2

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MergeList):
            return len(self) == len(other) and bytes(self.flat) == bytes(other.flat)
        return isinstance(other, (tuple, list)) and len(self) == len(other) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))  # that of an equal tuple

    def __reduce__(self) -> tuple[object, ...]:
        return MergeList, (owned(self.flat),)


def made_by_merges(wanted: AbstractSet[bytes], tokens: TokenTable, merges: MergeList) -> set[bytes]:
    """Return those of some texts that a merge makes."""
    known = tokens.ids_by_bytes()
    cuts = [
        (data, left, right)
        for data in wanted
        for cut in range(1, len(data))
        if (left := data[:cut]) in known and (right := data[cut:]) in known
    ]
    if not cuts:
        return set()
    halves = {half for _, *pair in cuts for half in pair}
    ids: defaultdict[bytes, list[int]] = defaultdict(list)  # several tokens may have the same bytes
    for token_id, data in tokens.items():
        if data in halves:
            ids[data].append(token_id)
    makers = {(a, b): data for data, left, right in cuts for a in ids[left] for b in ids[right]}
    return {makers[pair] for pair in merges if pair in makers}


def owned(words: Words) -> array[int]:
    """Copy words into a new array."""
    return words if isinstance(words, array) else array("I", words.tobytes())
