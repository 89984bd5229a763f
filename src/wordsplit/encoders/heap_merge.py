"""Keep the candidate merges in a binary heap over a linked list of tokens.

The span's tokens form a doubly linked list. A heap holds every adjacent pair that has a rank, ordered
by (rank, position): its top is the next merge of byte-pair encoding. After a merge only the two pairs
around the new token are new; they are pushed. Stale entries stay in the heap and are skipped when they
reach the top; they are recognized by the tokens that they were made for.

Cost: O(n log n) time and O(n) memory for a span of n bytes, whatever the bytes. The choice for long spans.
"""

from __future__ import annotations

from typing import ClassVar

from wordsplit.encoders.base import SpanEncoder
from wordsplit.merges import merge_by_heap
from wordsplit.model import ByteLevelBPE

__all__ = ["HeapMerge"]


class HeapMerge(SpanEncoder):
    """Binary heap over a linked list, O(n log n) per span.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("qwen3", encoder="heap_merge").encode("hello world")
        [14990, 1879]
    """

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        token = self.tables.ids_of_bytes(span)
        merge_by_heap(token, self.tables.merge_of.get)
        out.extend(t for t in token if t >= 0)


plugin = HeapMerge
