"""Keep each pair's merge rank next to its token, and find the lowest rank in that flat array.

A sweep looks up every pair again after each merge, but only the two pairs at the merged token have changed. So
the rank of each pair is kept in an array parallel to the tokens: a round finds its minimum, merges, and looks up two
pairs.

Cost: O(n) look-ups and O(n²) comparisons for a span of n bytes. Look-ups dominate the cost, and the array of a
short span is in the first-level cache: the fastest for spans of ordinary length.
"""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from wordsplit.encoders.base import SpanEncoder
from wordsplit.model import ByteLevelBPE

__all__ = ["PriorityMerge"]

NEVER = (1 << 32, -1)  # ranks after every merge


class PriorityMerge(SpanEncoder):
    """Flat array of merges, O(n) look-ups and O(n²) comparisons per span.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("qwen3", encoder="priority_merge").encode("hello")
        [14990]
    """

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        merge_of = self.tables.merge_of
        ids = self.tables.ids_of_bytes(span)
        merges = [merge_of.get(pair, NEVER) for pair in pairwise(ids)]
        while merges:
            best = min(merges)
            if best is NEVER:
                break
            at = merges.index(best)
            ids[at : at + 2] = [best[1]]
            del merges[at]
            if at < len(merges):
                merges[at] = merge_of.get((ids[at], ids[at + 1]), NEVER)
            if at:
                merges[at - 1] = merge_of.get((ids[at - 1], ids[at]), NEVER)
        out += ids


plugin = PriorityMerge
