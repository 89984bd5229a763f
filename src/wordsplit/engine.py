"""The Python engine: one way through, from text to ids. The executable specification of the native one.

    text -> added tokens split off -> normalize -> span -> (whole-span look-up) -> span-encode -> ids
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from wordsplit import encoders, spanners
from wordsplit.added_tokens import AddedTokenMatcher
from wordsplit.errors import SpannerError
from wordsplit.nfc import nfc

if TYPE_CHECKING:
    from wordsplit.options import TokenizerOptions
    from wordsplit.spanners import Spanner
    from wordsplit.vocab import Vocab

__all__ = ["PythonEngine"]

Piece = tuple[str, int | None]


class PythonEngine:
    """Encodes with spanners and encoders written in Python.

    Attributes:
        options: The options, with every ``"auto"`` resolved.
    """

    def __init__(self, vocab: Vocab, options: TokenizerOptions) -> None:
        self.vocab = vocab
        self.options = _resolve(options)
        self._spanner = spanners.get(self.options.spanner)(vocab)
        self._encoder = encoders.get(self.options.encoder)(vocab)
        self._long_encoder = (
            self._encoder
            if self.options.long_encoder == self.options.encoder
            else encoders.get(self.options.long_encoder)(vocab)
        )
        normalize = nfc if vocab.normalizer == "nfc" else str
        self._normalize = normalize
        raw = {t.content: t for t in vocab.added_tokens if not t.normalized}
        normalized = {normalize(t.content): t for t in vocab.added_tokens if t.normalized}
        self._raw, self._normalized = AddedTokenMatcher(raw), AddedTokenMatcher(normalized)
        self._cache: dict[bytes, list[int]] = {}
        self._cached_bytes = 0
        self._lock = threading.Lock()

    def encode(self, text: str, as_text: Collection[str]) -> list[int]:
        """The ids of ``text``. Added tokens whose content is in ``as_text`` are left as text."""
        out: list[int] = []
        for piece, token_id in self.pieces(text, as_text):
            if token_id is not None:
                out.append(token_id)
            else:
                data = piece.encode("utf-8", "surrogateescape")
                start = 0
                for end in tiled(self._spanner, data):
                    self._encode_span(data[start:end], out)
                    start = end
        return out

    def spans(self, text: str, as_text: Collection[str]) -> list[bytes]:
        """The spans of ``text``, normalized, each added token a span of its own."""
        out: list[bytes] = []
        for piece, token_id in self.pieces(text, as_text):
            data = piece.encode("utf-8", "surrogateescape")
            ends = [len(data)] if token_id is not None else tiled(self._spanner, data)
            starts = [0, *ends[:-1]]
            out.extend(data[start:end] for start, end in zip(starts, ends, strict=True))
        return out

    def pieces(self, text: str, as_text: Collection[str]) -> Iterator[Piece]:
        """(normalized piece, id of the added token that it is, or ``None``)."""
        for raw, token in self._raw.split(text, as_text):
            if token is not None:
                yield raw, token.id
                continue
            for piece, inner in self._normalized.split(self._normalize(raw), as_text):
                if inner is not None:
                    yield piece, inner.id
                elif self.vocab.add_prefix_space and not piece.startswith(" "):
                    yield " " + piece, None
                else:
                    yield piece, None

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
        cost = 200 + len(span) + 8 * len(ids)  # about what a dict entry, a bytes and a list take
        if cost > self.options.cache_bytes:
            return
        with self._lock:
            if self._cached_bytes + cost > self.options.cache_bytes:
                self._cache = {}
                self._cached_bytes = 0
            self._cache[span] = ids
            self._cached_bytes += cost

    def cache_clear(self) -> None:
        """Forget every cached span."""
        with self._lock:
            self._cache, self._cached_bytes = {}, 0

    def cache_info(self) -> dict[str, int]:
        """Entries, bytes in use (an estimate), and the bound."""
        return {
            "entries": len(self._cache),
            "bytes": self._cached_bytes,
            "max_bytes": self.options.cache_bytes,
        }


def tiled(spanner: Spanner, data: bytes) -> list[int]:
    """The ends of the spans of ``data``.

    Raises:
        SpannerError: They do not tile it.
    """
    ends = list(spanner.ends(data)) if data else []
    last = 0
    for end in ends:
        if end <= last:
            raise SpannerError(f"{type(spanner).__name__} gave a span that ends at {end} after one at {last}")
        last = end
    if last != len(data):
        raise SpannerError(f"{type(spanner).__name__} ended its last span at {last} of {len(data)} bytes")
    return ends


def _resolve(options: TokenizerOptions) -> TokenizerOptions:
    auto = options.encoder == "auto"
    encoder = "buffer_sweep" if auto else options.encoder
    long_encoder = options.long_encoder
    if long_encoder == "auto":
        long_encoder = "heap_merge" if auto else encoder
    spanner = "regex" if options.spanner == "auto" else options.spanner
    return replace(options, encoder=encoder, long_encoder=long_encoder, spanner=spanner)
