"""Offsets in Python: the specification of the native code, and the implementation for all other engines.

There are two tracers:

* `Tracer`, for vocabs without normalization or with NFC, whose text is not rewritten, does as the native code. The
  position of each piece in the original is kept. Clusters that NFC changes are mapped one by one; all other text is
  copied, so boundaries in it move by a constant.
* `AlignedTracer`, for all other vocabs, and for texts with bytes that have no token, works on `AlignedText`, whose
  characters know their ranges of the original.

The tokens of byte-level BPE are the bytes that they stand for. For other models, whose unknown token may stand for any
text, the span encoder in Python reports the text of each token (`SpanEncoder.trace_span`), and also returns the ids.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator
from functools import cache, cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wordsplit import encoders, spanners
from wordsplit.encoders.base import TracedToken
from wordsplit.engine.added_tokens import AddedTokenMatcher
from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.in_core import can_preprocess_natively
from wordsplit.engine.offsets import EncodedText
from wordsplit.engine.pieces import Preprocessor, in_bytes
from wordsplit.model import ByteLevelBPE, Unigram
from wordsplit.spanners.base import checked_ends
from wordsplit.text import to_bytes
from wordsplit.unicode.nfc import nfc, nfc_clusters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wordsplit.options import EngineOptions
    from wordsplit.vocab import Vocab

__all__ = ["AlignedTracer", "Tracer", "tracer_of"]

_LONGEST_KEPT = 64  # bytes of a span
_MOST_KEPT = 1 << 14


class Encoding(Protocol):
    """The methods of an engine that a tracer needs."""

    vocab: Vocab
    options: EngineOptions
    prefix: tuple[int, ...]
    suffix: tuple[int, ...]

    def span_ends(self, data: bytes) -> Sequence[int]:
        """Return the ends of the spans."""

    def encode_spans(self, data: bytes, ends: Sequence[int]) -> list[int]:
        """Encode data whose spans are known."""


class _MissingBytesError(Exception):
    """The text has bytes without a token: tokens are not where the lengths of those before them say."""


def tracer_of(engine: Encoding) -> Tracer | AlignedTracer:
    """Return the tracer for an engine."""
    byte_level = isinstance(engine.vocab.model, ByteLevelBPE)
    return Tracer(engine) if byte_level and can_preprocess_natively(engine.vocab) else AlignedTracer(engine)


class AlignedTracer:
    """Encode with an engine, and track the position of each id in the original, through any rewriting.

    Args:
        engine: The engine.

    Raises:
        UnsupportedVocabError: A step of the vocab is not supported.
    """

    def __init__(self, engine: Encoding) -> None:
        self._engine = engine
        self._preprocessor = Preprocessor(engine.vocab, engine.options.errors)
        self._spans = _spans_of(engine)
        model = engine.vocab.model
        self._unknown_id = model.unk_id if isinstance(model, Unigram) else None

    def trace(self, text: str | bytes, as_text: Collection[str]) -> EncodedText:
        """Encode a text and locate each id in it."""
        return self.trace_matches(text, as_text)[0]

    def trace_matches(self, text: str | bytes, as_text: Collection[str]) -> tuple[EncodedText, dict[int, str]]:
        """Encode a text, locate each id in it, and return the text of some ids, by their index.

        That is the normalized text of each added token, and the unknown text of Unigram, which `tokenizers` also names.
        """
        engine = self._engine
        chars = to_bytes(text, engine.options.errors).decode("utf-8", "surrogateescape")
        begin = _begins(chars)
        found = [_Located(i, 0, 0) for i in engine.prefix]
        starts = list(range(len(found)))
        matches: dict[int, str] = {}
        for piece, token in self._preprocessor.split(AlignedText.of(chars), as_text):
            if token is not None:
                matches[len(found)] = piece.text
                starts.append(len(found))
                found.append(_Located(token.id, *_range(piece, 0, len(piece.text))))
                continue
            for span in self._encoded(piece, chars):
                starts.append(len(found))
                for each in span:
                    if each.unknown is not None:
                        matches[len(found)] = each.unknown
                    found.append(each)
        starts += range(len(found), len(found) + len(engine.suffix))
        found += [_Located(i, len(chars), len(chars)) for i in engine.suffix]
        bounds: list[int] = []
        end = 0  # of the characters of all ids so far
        for each in found:
            # Bytes that two tokens share are part of the first.
            at = begin[each.start] + each.inside if each.inside or each.start >= end else begin[end]
            bounds.append(max(at, bounds[-1]) if bounds else 0)
            end = max(end, each.end)
        encoded = EncodedText(
            [each.token_id for each in found],
            _packed([*bounds, begin[-1]]),
            _packed([each.start for each in found]),
            _packed([each.end for each in found]),
            _packed([at for at in starts if at < len(found)]),
        )
        return encoded.in_code_units_of(text) if isinstance(text, str) else encoded, matches

    def _encoded(self, piece: AlignedText, original: str) -> Iterator[list[_Located]]:
        """Yield the ids of each span."""
        data = self._preprocessor.bytes_of(piece)
        begin = range(len(data) + 1) if self._preprocessor.spells_bytes else _begins(piece.text)

        def located(token_id: int, first_byte: int, last_byte: int) -> _Located:
            first = min(bisect_right(begin, first_byte), len(piece.text)) - 1
            start, end = _range(piece, first, bisect_left(begin, last_byte))
            copied = original[slice(*_range(piece, first, first + 1))] == piece.text[first]
            inside = first_byte - begin[first] if copied else 0
            unknown = data[first_byte:last_byte].decode("utf-8", "replace") if token_id == self._unknown_id else None
            return _Located(token_id, start, end, inside, unknown)

        for span in self._spans(data):
            yield [located(*token) for token in span]


class _Located(NamedTuple):
    """An id and the characters of the original that it comes from.

    ``inside`` is how many bytes of the first one it leaves to the id before, if the character is unchanged. ``unknown``
    is the unknown text of Unigram.
    """

    token_id: int
    start: int
    end: int
    inside: int = 0
    unknown: str | None = None


def _range(piece: AlignedText, first: int, last: int) -> tuple[int, int]:
    assert piece.ranges is not None  # noqa: S101 - it was made from an original with ranges
    start = piece.ranges[first][0]
    return start, max(start, piece.ranges[last - 1][1])  # a token without characters may stand where some were removed


class Tracer:
    """Encode with an engine, and track the position of each id in the original.

    Args:
        engine: The engine. Its vocab has no normalization or NFC, and no steps that rewrite text.
    """

    def __init__(self, engine: Encoding) -> None:
        vocab = engine.vocab
        self._engine = engine
        self._nfc = vocab.normalizer == "nfc"
        normal = nfc if self._nfc else str
        self._raw = AddedTokenMatcher({t.content: t for t in vocab.added_tokens if not t.normalized})
        self._normalized = AddedTokenMatcher(
            {normal(t.content): t for t in reversed(vocab.added_tokens) if t.normalized}
        )

    def trace(self, text: str | bytes, as_text: Collection[str]) -> EncodedText:
        """Encode a text and locate each id in it."""
        try:
            return self._trace(text, as_text)
        except _MissingBytesError:
            return self._aligned.trace(text, as_text)

    @cached_property
    def _aligned(self) -> AlignedTracer:
        return AlignedTracer(self._engine)

    def _trace(self, text: str | bytes, as_text: Collection[str]) -> EncodedText:
        engine = self._engine
        chars = to_bytes(text, engine.options.errors).decode("utf-8", "surrogateescape")
        begin = _begins(chars)
        found = [(i, 0, 0, True) for i in engine.prefix]
        for start, end, token in self._raw.places(chars, as_text):
            if token is not None:
                found.append((token.id, begin[start], begin[start], True))
            else:
                found += self._stretch(chars[start:end], begin[start], as_text)
        found += [(i, begin[-1], begin[-1], True) for i in engine.suffix]
        bounds = [from_ for _, from_, _, _ in found] + [begin[-1]]
        encoded = EncodedText(
            [i for i, _, _, _ in found],
            _packed(bounds),
            _packed([bisect_right(begin, cluster) - 1 for _, _, cluster, _ in found]),
            _packed([bisect_left(begin, bound) for bound in bounds[1:]]),
            _packed([k for k, (_, _, _, starts) in enumerate(found) if starts]),
        )
        return encoded.in_code_units_of(text) if isinstance(text, str) else encoded

    def _stretch(self, raw: str, base: int, as_text: Collection[str]) -> Iterator[tuple[int, int, int, bool]]:
        """Yield (id, its boundary, the beginning of the cluster around it, whether it begins a span)."""
        origin = _Origin(raw, base) if self._nfc else None
        add_space = self._engine.vocab.add_prefix_space
        normal = nfc(raw) if self._nfc else raw
        begin = _begins(normal)
        for start, end, token in self._normalized.places(normal, as_text):
            at, data = begin[start], in_bytes(normal[start:end])
            if token is not None:
                yield token.id, *_place(origin, base, at), True
            elif add_space and not data.startswith(b" "):
                for i, pos, _, starts in _tokens(self._engine, b" " + data):
                    yield i, *_place(origin, base, at + max(pos - 1, 0)), starts
            else:
                for i, pos, _, starts in _tokens(self._engine, data):
                    yield i, *_place(origin, base, at + pos), starts


def _tokens(engine: Encoding, data: bytes) -> Iterator[tuple[int, int, int, bool]]:
    """Yield (id, its start and end in ``data``, whether it begins a span).

    Raises:
        _MissingBytesError: The data has a byte without a token.
    """
    model = engine.vocab.model
    if isinstance(model, ByteLevelBPE) and model.missing_bytes is not None and model.lacks_bytes_of(data):
        raise _MissingBytesError
    ends = engine.span_ends(data)
    begins = {0, *ends}
    pos = 0
    for i in engine.encode_spans(data, ends):
        end = pos + len(engine.vocab.tokens[i])
        yield i, pos, end, pos in begins
        pos = end


def _spans_of(engine: Encoding) -> Callable[[bytes], Iterator[Sequence[tuple[int, int, int]]]]:
    """Return the function that finds the (id, start, end) of the tokens of each span, for any model."""
    model = engine.vocab.model
    if not isinstance(model, ByteLevelBPE):
        return _SpanTracer(engine).spans
    if model.missing_bytes is None:
        return lambda data: _spans(engine, data)
    in_python = cache(lambda: _SpanTracer(engine))
    return lambda data: in_python().spans(data) if model.lacks_bytes_of(data) else _spans(engine, data)


def _spans(engine: Encoding, data: bytes) -> Iterator[Sequence[tuple[int, int, int]]]:
    span: list[tuple[int, int, int]] = []
    for token_id, start, end, starts in _tokens(engine, data):
        if starts and span:
            yield span
            span = []
        span.append((token_id, start, end))
    yield span


class _SpanTracer:
    """Find the tokens of a vocab of another model, or of missing bytes, by the vocab's span encoder in Python.

    Args:
        engine: The engine, whose spanner and encoder are used. It may run others natively.
    """

    def __init__(self, engine: Encoding) -> None:
        vocab, options = engine.vocab, engine.options
        encoder = encoders.get(options.encoder)
        if not isinstance(vocab.model, encoder.models):
            encoder = encoders.get(encoders.only_for(vocab.model) or options.encoder)
        self._spanner = spanners.get(options.spanner)(vocab)
        self._encoder = encoder(vocab)
        self._whole = vocab.ids_by_bytes if vocab.ignore_merges else {}
        self._cache: dict[bytes, list[TracedToken]] = {}

    def spans(self, data: bytes) -> Iterator[Sequence[tuple[int, int, int]]]:
        """Yield the (id, start, end) of the tokens of each span, which may be none."""
        begin = 0
        for stop in checked_ends(self._spanner, data):
            yield [(token_id, begin + start, begin + end) for token_id, start, end in self._traced(data[begin:stop])]
            begin = stop

    def _traced(self, span: bytes) -> list[TracedToken]:
        found = self._cache.get(span)
        if found is None:
            whole = self._whole.get(span)
            found = self._encoder.trace_span(span) if whole is None else [TracedToken(whole, 0, len(span))]
            if len(span) <= _LONGEST_KEPT:
                if len(self._cache) >= _MOST_KEPT:
                    self._cache = {}
                self._cache[span] = found
        return found


class _Origin:
    """Map boundaries in normalized text to the original."""

    def __init__(self, raw: str, base: int) -> None:
        self._from: list[tuple[int, int]] = []  # start and end of each changed cluster in the original
        self._to: list[tuple[int, int]] = []  # the same in the normalized text
        shift, chars, at = 0, 0, base
        for start, end, normal in nfc_clusters(raw):
            at += len(in_bytes(raw[chars:start]))
            to, chars = at - base + shift, end
            self._from.append((at, at + len(in_bytes(raw[start:end]))))
            self._to.append((to, to + len(in_bytes(normal))))
            at = self._from[-1][1]
            shift = self._to[-1][1] + base - at
        self._base = base

    def place(self, bound: int) -> tuple[int, int]:
        """Return the boundary in the original, and the beginning of the cluster around it."""
        k = bisect_right(self._to, (bound, -1)) - 1  # the last cluster that begins before it
        if k < 0:
            return self._base + bound, self._base + bound
        (start, end), to_end = self._from[k], self._to[k][1]
        if bound < to_end:
            return end, start
        return end + bound - to_end, end + bound - to_end


def _place(origin: _Origin | None, base: int, bound: int) -> tuple[int, int]:
    return (base + bound, base + bound) if origin is None else origin.place(bound)


def _begins(text: str) -> list[int]:
    """Return the byte offset of each character, and of the end."""
    return [0, *accumulate(len(in_bytes(char)) for char in text)]


def _packed(numbers: list[int]) -> bytes:
    return array("q", numbers).tobytes()
