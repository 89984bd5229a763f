"""A span encoder: take the lowest rank in the span, and merge it wherever it stands."""

from __future__ import annotations

from itertools import pairwise

from wordsplit.encoders import SpanEncoder


class LowestFirst(SpanEncoder):
    """One pass over the span for each rank that occurs in it, lowest first: O(n²), and two loops long."""

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        merge_of = self.tables.merge_of
        ids = self.tables.ids_of_bytes(span)
        while found := [merge_of[pair] for pair in pairwise(ids) if pair in merge_of]:
            lowest = min(found)
            at = 0
            while at < len(ids) - 1:
                if merge_of.get((ids[at], ids[at + 1])) == lowest:
                    ids[at : at + 2] = [lowest[1]]
                    around = pairwise(ids[max(at - 1, 0) : at + 2])
                    if any(merge_of.get(pair, lowest) < lowest for pair in around):
                        break  # what this merge has made possible comes before the rest of the pass
                at += 1
        out += ids
