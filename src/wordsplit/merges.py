"""Byte-pair merging by its definition: look-up tables, and merges derived from mergeable ranks."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from wordsplit.errors import UnknownTokenError, VocabFormatError
from wordsplit.tables import MergeList

__all__ = ["MergeTables", "derive_merges", "last_merge", "merge_by_heap"]

_LONG = 64  # longer tokens are merged with a heap: with a sweep per merge, some thousand bytes take seconds


class MergeTables:
    """Look-up tables of an encoder, as plain dicts.

    Args:
        tokens: The base tokens: id -> bytes.
        merges: (left id, right id) in order of rank.
        ids: The ids of the base tokens that text can produce: bytes -> id.
        name: The vocab's name, for messages.

    Attributes:
        byte_ids: The id of each single byte; -1 where the vocab has no token for it.
        merge_of: (left id, right id) -> (rank, merged id). If a pair is listed twice, the later rank
            counts, as in `tokenizers`.

    Raises:
        VocabFormatError: A merge names an id that is not a token, or makes bytes that are not a token.
    """

    def __init__(
        self, tokens: Mapping[int, bytes], merges: Sequence[tuple[int, int]], ids: Mapping[bytes, int], name: str
    ) -> None:
        tokens = dict(tokens)
        self.name = name
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
        """Return the ids of the single bytes of ``span``.

        Raises:
            UnknownTokenError: The vocab has no token for one of them.
        """
        byte_ids = self.byte_ids
        out = [byte_ids[b] for b in span]
        if -1 in out:
            raise UnknownTokenError(f"{self.name} has no token for byte 0x{span[out.index(-1)]:02X} (in {span[:40]!r})")
        return out

    def live_merges(self, tokens: Mapping[bytes, int]) -> list[tuple[int, int]]:
        """Return the merges that encoding can use, in order of rank: for each token the one that makes it.

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


def derive_merges(tokens: Mapping[int, bytes], ids: Mapping[bytes, int]) -> MergeList:
    """Derive the merges of mergeable ranks: for each token the last merge of its own encoding.

    With mergeable ranks, two adjacent tokens merge if their concatenation is a token T, at the rank of T. The merges
    inside the bytes of T are always the same as when T is encoded alone, because byte-pair encoding looks at nothing
    outside the pair. So of all the pairs that make T, at most one is ever used: the last merge in T's own encoding. If
    the encoding of a token does not end in that token, encoding never makes it, and it has no merge.

    Args:
        tokens: The base tokens: id -> bytes.
        ids: The ids of those that text can produce: bytes -> id.
    """
    tokens = dict(tokens)

    def merge(left: int, right: int) -> tuple[int, int] | None:
        merged = ids.get(tokens[left] + tokens[right])
        return None if merged is None else (merged, merged)

    flat = array("I")
    for token_id in sorted(ids.values()):
        token = tokens[token_id]
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
