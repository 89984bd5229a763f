"""Sweep in place at the tail of the output, without scratch memory.

The ids of the span's bytes are appended to the output, and merged there: find the adjacent pair with the lowest
merge rank in the tail, merge it, close the gap, and repeat.

Cost: O(n²) for a span of n bytes, as for `buffer_sweep`, but without its buffer and copy.
"""

from __future__ import annotations

from typing import ClassVar

from wordsplit.encoders.base import SpanEncoder
from wordsplit.model import ByteLevelBPE

__all__ = ["TailSweep"]


class TailSweep(SpanEncoder):
    """A sweep at the tail of the output, O(n²) per span.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("qwen3", encoder="tail_sweep").encode("hello")
        [14990]
    """

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        merge_of, start = self.tables.merge_of, len(out)
        out += self.tables.ids_of_bytes(span)
        while True:
            found = [
                (*merge, i)
                for i in range(start, len(out) - 1)
                if (merge := merge_of.get((out[i], out[i + 1]))) is not None
            ]
            if not found:
                break
            _, merged, at = min(found)
            out[at : at + 2] = [merged]


plugin = TailSweep
