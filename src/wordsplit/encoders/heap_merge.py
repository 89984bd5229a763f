"""Keep the candidate merges in a binary heap over a linked list of tokens.

The span's tokens form a doubly linked list. A heap holds every adjacent pair that has a rank, ordered
by (rank, position): its top is the next merge of byte-pair encoding. After a merge only the two pairs
around the new token are new; they are pushed. Entries that a merge made stale stay in the heap and are
passed over when they surface, known by the tokens they were made for.

Cost: O(n log n) time and O(n) memory for a span of n bytes, whatever the bytes. The choice for long spans.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from wordsplit.encoders.base import SpanEncoder

__all__ = ["HeapMerge"]


class HeapMerge(SpanEncoder):
    """Binary heap over a linked list, O(n log n) a span.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("qwen3", encoder="heap_merge").encode("hello world")
        [14990, 1879]
    """

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        merge_of = self.tables.merge_of
        token = self.tables.ids_of_bytes(span)
        n = len(token)
        after = list(range(1, n + 1))  # index of the next token; n at the end
        before = list(range(-1, n - 1))
        heap = []
        for i in range(n - 1):
            merge = merge_of.get((token[i], token[i + 1]))
            if merge is not None:
                heap.append((merge[0], i, token[i], token[i + 1], merge[1]))
        heapify(heap)
        while heap:
            _, i, left, right, merged = heappop(heap)
            j = after[i]
            if j == n or token[i] != left or token[j] != right:
                continue  # one of the two has been merged since
            token[i], token[j] = merged, -1
            k = after[i] = after[j]
            if k < n:
                before[k] = i
                merge = merge_of.get((merged, token[k]))
                if merge is not None:
                    heappush(heap, (merge[0], i, merged, token[k], merge[1]))
            h = before[i]
            if h >= 0:
                merge = merge_of.get((token[h], merged))
                if merge is not None:
                    heappush(heap, (merge[0], h, token[h], merged, merge[1]))
        out.extend(t for t in token if t >= 0)


plugin = HeapMerge
