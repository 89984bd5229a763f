"""Sweep a scratch buffer for the lowest-ranked pair, merge it, and sweep again.

This is byte-pair encoding as it is defined, and therefore the reference for all others: keep the
span's tokens in a buffer; find the adjacent pair with the lowest merge rank, the leftmost of equals;
replace it with the merged token; repeat until no pair has a rank.

Cost: O(n²) for a span of n bytes (at most n merges, each after a sweep of the buffer), no memory except
the buffer. The fastest in practice for spans of a few bytes, which most are.

Source: Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016.
"""

from __future__ import annotations

from typing import ClassVar

from wordsplit.encoders.base import SpanEncoder
from wordsplit.model import ByteLevelBPE

__all__ = ["BufferSweep"]


class BufferSweep(SpanEncoder):
    """The reference strategy, O(n²) per span.

    Example:
        >>> import wordsplit
        >>> encoder = wordsplit.encoders.get("buffer_sweep")(wordsplit.load_vocab("qwen3"))
        >>> out = []
        >>> encoder.encode_span(b"hello", out)
        >>> out
        [14990]
    """

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        merge_of = self.tables.merge_of
        buffer = self.tables.ids_of_bytes(span)
        while len(buffer) > 1:
            best = None
            for i in range(len(buffer) - 1):
                merge = merge_of.get((buffer[i], buffer[i + 1]))
                if merge is not None and (best is None or merge < best):
                    best, at = merge, i
            if best is None:
                break
            buffer[at : at + 2] = [best[1]]
        out.extend(buffer)


plugin = BufferSweep
