"""The Python engine: the executable specification of the native one.

    text -> added tokens split off -> normalize -> span -> (whole-span look-up) -> span-encode -> ids

It also runs plug-in encoders written in Python, with native spans if the vocab's pattern has a scanner.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from wordsplit.engine.base import Engine, Piece
from wordsplit.engine.pieces import Preprocessor
from wordsplit.spanners.base import checked_ends

if TYPE_CHECKING:
    from wordsplit.encoders import SpanEncoder
    from wordsplit.encoders.base import TracedToken
    from wordsplit.options import EngineOptions
    from wordsplit.spanners import Spanner
    from wordsplit.vocab import Vocab

__all__ = ["PythonEngine"]


class PythonEngine(Engine):
    """Encode span by span, with any spanner and any encoders."""

    def __init__(
        self,
        vocab: Vocab,
        options: EngineOptions,
        spanner: Spanner,
        encoder: SpanEncoder,
        long_encoder: SpanEncoder,
    ) -> None:
        super().__init__(vocab, options)
        self._spanner, self._encoder, self._long_encoder = spanner, encoder, long_encoder
        self._preprocessor = Preprocessor(vocab, options.errors)
        self._cache: dict[bytes, list[int]] = {}
        self._cached_bytes = 0
        self._lock = threading.Lock()

    @property
    def in_python(self) -> PythonEngine:
        """See `Engine.in_python`."""
        return self

    def trace_span(self, span: bytes) -> list[TracedToken]:
        """See `Engine.trace_span`."""
        return self._encoder.trace_span(span)

    def encode_spans(self, data: bytes, ends: Sequence[int]) -> list[int]:
        """Encode data whose spans are known."""
        out: list[int] = []
        start = 0
        for end in ends:
            self._encode_span(data[start:end], out)
            start = end
        return out

    def pieces(self, text: str | bytes, as_text: Collection[str]) -> Iterator[Piece]:
        """See `Engine.pieces`."""
        return self._preprocessor.pieces(text, as_text)

    def span_ends(self, data: bytes) -> Sequence[int]:
        """See `Engine.span_ends`."""
        return checked_ends(self._spanner, data)

    def _encode_span(self, span: bytes, out: list[int]) -> None:
        known = self._cache.get(span)
        if known is not None:
            out.extend(known)
            return
        start = len(out)
        whole = self.vocab.ids_by_bytes.get(span) if self.vocab.ignore_merges else None
        if whole is not None:
            out.append(whole)
        elif len(span) > self.options.long_span:
            self._long_encoder.encode_span(span, out)
            return
        else:
            self._encoder.encode_span(span, out)
        self._remember(span, out[start:])

    def _remember(self, span: bytes, ids: list[int]) -> None:
        cost = 200 + len(span) + 8 * len(ids)  # about the size of a dict entry, a bytes object and a list
        if cost > self.options.cache_bytes:
            return
        with self._lock:
            if self._cached_bytes + cost > self.options.cache_bytes:
                self._cache = {}
                self._cached_bytes = 0
            self._cache[span] = ids
            self._cached_bytes += cost

    def cache_clear(self) -> None:
        """Clear the span cache."""
        with self._lock:
            self._cache, self._cached_bytes = {}, 0

    def cache_info(self) -> dict[str, int]:
        """Return the entries, the bytes in use (an estimate) and the size limit of the span cache."""
        return {
            "entries": len(self._cache),
            "bytes": self._cached_bytes,
            "max_bytes": self.options.cache_bytes,
        }
