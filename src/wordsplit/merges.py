"""Byte-pair merging by its definition: look-up tables, and merges derived from mergeable ranks."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from wordsplit.byte_level import to_byte_level
from wordsplit.errors import UnknownTokenError, VocabFormatError
from wordsplit.missing_bytes import MissingBytes, fallback_ids
from wordsplit.tables import MergeList, TokenTable

__all__ = [
    "MergeTables",
    "Symbol",
    "derive_merges",
    "derive_merges_in_python",
    "last_merge",
    "merge_by_heap",
    "merged",
    "symbols",
]

_LONG = 64  # longer tokens are merged with a heap: with a sweep per merge, a few thousand bytes take seconds


class Symbol(NamedTuple):
    """An initial symbol of a span: a character or byte, before any merge.

    Attributes:
        size: How many bytes it has.
        token_id: The id of its token, if it has one.
        fallback: The ids that spell it in byte fallback, if any.
    """

    size: int
    token_id: int | None
    fallback: Sequence[int] | None


def symbols(found: Iterable[Symbol], unk_id: int | None, *, fuse_unk: bool) -> list[tuple[int, int]]:
    """Return the ids before any merge, and how many bytes each stands for.

    Args:
        found: The symbols of a span.
        unk_id: The id for unknown symbols; without one, they are omitted.
        fuse_unk: Whether a run of unknown ones gives one id.
    """
    out: list[tuple[int, int]] = []
    unknown: list[tuple[int, int]] = []  # one that is still held back
    for size, token_id, fallback in found:
        if token_id is not None:
            out += [*unknown, (token_id, size)]
            unknown.clear()
        elif fallback is not None:  # before an unknown symbol that is held back, as in `tokenizers`
            out += [(i, 1) for i in fallback]
        elif unk_id is not None:
            if unknown and fuse_unk:
                unknown = [(unk_id, unknown[0][1] + size)]
            else:
                out += unknown
                unknown = [(unk_id, size)]
    return out + unknown


def merged(
    parts: Sequence[tuple[int, int]], merge_of: Callable[[tuple[int, int]], tuple[int, int] | None]
) -> Iterator[tuple[int, int, int]]:
    """Merge what `symbols` returned, and yield the id, start and end of each token.

    As in `tokenizers`, these follow each other without gaps: symbols that give no id are not counted.
    """
    ids = [token_id for token_id, _ in parts]
    merge_by_heap(ids, merge_of)
    ends = list(accumulate(size for _, size in parts))
    start = 0
    begins = [at for at, i in enumerate(ids) if i >= 0]
    for at, following in zip(begins, [*begins, len(ids)][1:], strict=True):
        end = ends[following - 1]
        yield ids[at], start, end
        start = end


class MergeTables:
    """Look-up tables of an encoder, as plain dicts.

    Args:
        tokens: The base tokens: id -> bytes.
        merges: (left id, right id) in order of rank.
        ids: The ids of the base tokens that text can produce: bytes -> id.
        name: The vocab's name, for messages.
        missing_bytes: How bytes without a token are encoded; ``None`` for an error.

    Attributes:
        byte_ids: The id of each single byte; -1 where the vocab has no token for it.
        merge_of: (left id, right id) -> (rank, merged id). If a pair is listed twice, the later rank
            counts, as in `tokenizers`.

    Raises:
        VocabFormatError: A merge names an id that is not a token, or produces bytes that are not a token.
    """

    def __init__(
        self,
        tokens: Mapping[int, bytes],
        merges: Sequence[tuple[int, int]],
        ids: Mapping[bytes, int],
        name: str,
        missing_bytes: MissingBytes | None = None,
    ) -> None:
        tokens = dict(tokens)
        self.name = name
        self._missing = missing_bytes
        self._symbols: list[Symbol] = []
        if missing_bytes is not None:
            fallback = fallback_ids(tokens) if missing_bytes.byte_fallback else {}
            for byte in range(256):
                char = to_byte_level(bytes([byte])).encode()
                self._symbols.append(Symbol(len(char), ids.get(bytes([byte])), fallback.get(byte)))
        self.byte_ids: list[int] = [ids.get(bytes([b]), -1) for b in range(256)]
        self.merge_of: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, (left, right) in enumerate(merges):
            try:
                merged = ids[tokens[left] + tokens[right]]
            except KeyError:
                raise VocabFormatError(
                    f"({left}, {right}) names an unknown token, or makes none", field=f"merges[{rank}]"
                ) from None
            self.merge_of[left, right] = rank, merged

    def ids_of_bytes(self, span: bytes) -> list[int]:
        """Return the ids of the single bytes of ``span``, with the vocab's ids for bytes without a token.

        Raises:
            UnknownTokenError: The vocab has no token and no rule for one of them.
        """
        byte_ids = self.byte_ids
        out = [byte_ids[b] for b in span]
        if -1 not in out:
            return out
        if self._missing is None:
            raise UnknownTokenError(f"{self.name} has no token for byte 0x{span[out.index(-1)]:02X} (in {span[:40]!r})")
        return [token_id for token_id, _ in self._parts(span, self._missing)]

    def traced(self, span: bytes) -> list[tuple[int, int, int]]:
        """Return the id of each token of a span that may have bytes without a token, and its first and last bytes.

        As in `tokenizers`, the tokens follow each other in the span's spelling in the byte-level alphabet.
        """
        if self._missing is None:
            parts = [(token_id, 1) for token_id in self.ids_of_bytes(span)]
            return list(merged(parts, self.merge_of.get))
        begin = [0, *accumulate(self._symbols[byte].size for byte in span)]
        return [
            (token_id, bisect_right(begin, start) - 1, bisect_left(begin, end))
            for token_id, start, end in merged(self._parts(span, self._missing), self.merge_of.get)
        ]

    def _parts(self, span: bytes, missing: MissingBytes) -> list[tuple[int, int]]:
        return symbols(map(self._symbols.__getitem__, span), missing.unk_id, fuse_unk=missing.fuse_unk)

    def live_merges(self, tokens: Mapping[bytes, int]) -> list[tuple[int, int]]:
        """Return the merges that encoding can use, in order of rank: for each token the one that produces it.

        Args:
            tokens: The base tokens that text can produce.
        """
        live = []
        for token in tokens:
            if all(self.byte_ids[byte] >= 0 for byte in token):
                last = last_merge(self.ids_of_bytes(token), lambda *pair: self.merge_of.get(pair))
                if last is not None:
                    live.append(last)
        return sorted(live, key=lambda pair: self.merge_of[pair])


def derive_merges(tokens: TokenTable, unreachable_ids: Iterable[int] = ()) -> MergeList:
    """Derive the merges of mergeable ranks: for each token the last merge of its own encoding.

    With mergeable ranks, two adjacent tokens merge if their concatenation is a token T, at the rank of T. The merges
    inside the bytes of T are always the same as when T is encoded alone, because byte-pair encoding looks at nothing
    outside the pair. So of all the pairs that produce T, at most one is ever used: the last merge in T's own encoding.
    If the encoding of a token does not end in that token, encoding never produces it, and it has no merge.

    Args:
        tokens: The base tokens.
        unreachable_ids: Those that no text can produce.
    """
    unreachable = array("I", sorted(unreachable_ids))
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return derive_merges_in_python(tokens, unreachable)
    return MergeList(array("I", _native.derive_merges(tokens.blob, tokens.ends, tokens.ids, unreachable)))


def derive_merges_in_python(tokens: Mapping[int, bytes], unreachable_ids: Collection[int]) -> MergeList:
    """Derive merges by their definition. The native module takes a hundredth of the time."""
    tokens = dict(tokens)
    skip = set(unreachable_ids)
    ids = {token: i for i, token in tokens.items() if i not in skip}

    def merge(left: int, right: int) -> tuple[int, int] | None:
        merged = ids.get(tokens[left] + tokens[right])
        return None if merged is None else (merged, merged)

    flat = array("I")
    for token, _ in sorted(ids.items(), key=itemgetter(1)):
        try:
            flat.extend(last_merge([ids[token[i : i + 1]] for i in range(len(token))], merge) or ())
        except KeyError:
            continue  # one of its bytes has no token, so no text can produce it
    return MergeList(flat)


def last_merge(buffer: list[int], merge: Callable[[int, int], tuple[int, int] | None]) -> tuple[int, int] | None:
    """Return the last merge of byte-pair encoding, if the result is one token.

    Args:
        buffer: The ids of the bytes of a token; modified in place.
        merge: The (rank, merged id) of a pair, or ``None``.

    Returns:
        The (left, right) pair merged last; ``None`` if no merge was made or more than one token is left.
    """
    if len(buffer) > _LONG:
        last = merge_by_heap(buffer, lambda pair: merge(*pair))
        return last if sum(token >= 0 for token in buffer) == 1 else None
    last = None
    while len(buffer) > 1:
        best = None
        for i in range(len(buffer) - 1):
            found = merge(buffer[i], buffer[i + 1])
            if found is not None and (best is None or found < best):
                best, at = found, i
        if best is None:
            return None
        last = buffer[at], buffer[at + 1]
        buffer[at : at + 2] = [best[1]]
    return last


def merge_by_heap(
    token: list[int], merge_of: Callable[[tuple[int, int]], tuple[int, int] | None]
) -> tuple[int, int] | None:
    """Byte-pair encode ids in place. A merged id replaces its left part; -1 replaces its right part.

    Args:
        token: The ids of the single bytes.
        merge_of: The (rank, merged id) of a pair, or ``None``.

    Returns:
        The (left, right) pair merged last; ``None`` if no merge was made.
    """
    n = len(token)
    after = list(range(1, n + 1))  # index of the next token; n at the end
    before = list(range(-1, n - 1))
    heap = []
    for i in range(n - 1):
        merge = merge_of((token[i], token[i + 1]))
        if merge is not None:
            heap.append((merge[0], i, token[i], token[i + 1], merge[1]))
    heapify(heap)
    last = None
    while heap:
        _, i, left, right, merged = heappop(heap)
        j = after[i]
        if j == n or token[i] != left or token[j] != right:
            continue  # one of the two has been merged since
        last = left, right
        token[i], token[j] = merged, -1
        k = after[i] = after[j]
        if k < n:
            before[k] = i
            merge = merge_of((merged, token[k]))
            if merge is not None:
                heappush(heap, (merge[0], i, merged, token[k], merge[1]))
        h = before[i]
        if h >= 0:
            merge = merge_of((token[h], merged))
            if merge is not None:
                heappush(heap, (merge[0], h, token[h], merged, merge[1]))
    return last
