"""Keep the candidate merges in a binary heap over a linked list of tokens.

The span's tokens form a doubly linked list. A heap holds every adjacent pair that has a rank, ordered
by (rank, position): its top is the next merge of byte-pair encoding. After a merge only the two pairs
around the new token are new; they are pushed. Entries that a merge made stale stay in the heap and are
passed over when they surface, known by the tokens they were made for.

Cost: O(n log n) time and O(n) memory for a span of n bytes, whatever the bytes. The choice for long spans.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush

from wordsplit.encoders.base import SpanEncoder

__all__ = ["HeapMerge", "merge_by_heap"]


class HeapMerge(SpanEncoder):
    """Binary heap over a linked list, O(n log n) a span.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("qwen3", encoder="heap_merge").encode("hello world")
        [14990, 1879]
    """

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        token = self.tables.ids_of_bytes(span)
        merge_by_heap(token, self.tables.merge_of.get)
        out.extend(t for t in token if t >= 0)


def merge_by_heap(
    token: list[int], merge_of: Callable[[tuple[int, int]], tuple[int, int] | None]
) -> tuple[int, int] | None:
    """Byte-pair encode ids in place: a merged id stands where its left part did, and -1 where its right one did.

    Args:
        token: The ids of the single bytes.
        merge_of: The (rank, merged id) of a pair, or ``None``.

    Returns:
        The (left, right) merged last; ``None`` if no merge was made.
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


plugin = HeapMerge
