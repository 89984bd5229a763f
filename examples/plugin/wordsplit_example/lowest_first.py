"""A span encoder: take the ranks in order, and merge each wherever it stands."""

from __future__ import annotations

from itertools import pairwise

from wordsplit.encoders import SpanEncoder


class LowestFirst(SpanEncoder):
    """One pass over the span for each rank that occurs in it, lowest first: O(n²), and two loops long."""

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        merge_of = self.tables.merge_of
        ids = self.tables.ids_of_bytes(span)
        while True:
            found = [merge_of[pair] for pair in pairwise(ids) if pair in merge_of]
            if not found:
                break
            lowest = min(found)
            at = 0
            while at < len(ids) - 1:
                if merge_of.get((ids[at], ids[at + 1])) == lowest:
                    ids[at : at + 2] = [lowest[1]]
                at += 1
        out.extend(ids)
