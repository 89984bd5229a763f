"""Offsets in Python: the specification of the native code, and the implementation for all other engines.

The text is split as by `wordsplit.engine.pieces.Preprocessor`, and the position of each piece in the original is kept.
Clusters that NFC changes are mapped one by one; all other text is copied, so boundaries in it move by a constant.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from wordsplit.engine.added_tokens import AddedTokenMatcher
from wordsplit.engine.offsets import EncodedText
from wordsplit.errors import UnsupportedVocabError
from wordsplit.rules import rewriting_steps
from wordsplit.text import to_bytes
from wordsplit.unicode.nfc import nfc, nfc_clusters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wordsplit.options import EngineOptions
    from wordsplit.vocab import Vocab

__all__ = ["Tracer"]


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


class Tracer:
    """Encode with an engine, and track the position of each id in the original.

    Args:
        engine: The engine.

    Raises:
        UnsupportedVocabError: The vocab has a normalization other than NFC, or removes text.
    """

    def __init__(self, engine: Encoding) -> None:
        vocab = engine.vocab
        if vocab.normalizer not in (None, "nfc") or rewriting_steps(vocab.pre_tokenizer):
            raise UnsupportedVocabError(
                "offsets need a vocab with no normalization or NFC that removes no text; use encode()",
                file=vocab.source,
                field="normalizer" if vocab.normalizer not in (None, "nfc") else "pre_tokenizer",
            )
        self._engine = engine
        self._nfc = vocab.normalizer == "nfc"
        normal = nfc if self._nfc else str
        self._raw = AddedTokenMatcher({t.content: t for t in vocab.added_tokens if not t.normalized})
        self._normalized = AddedTokenMatcher(
            {normal(t.content): t for t in reversed(vocab.added_tokens) if t.normalized}
        )

    def trace(self, text: str | bytes, as_text: Collection[str]) -> EncodedText:
        """Encode a text and locate each id in it."""
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
            at, data = begin[start], _bytes(normal[start:end])
            if token is not None:
                yield token.id, *_place(origin, base, at), True
            elif add_space and not data.startswith(b" "):
                for i, pos, starts in self._encoded(b" " + data):
                    yield i, *_place(origin, base, at + max(pos - 1, 0)), starts
            else:
                for i, pos, starts in self._encoded(data):
                    yield i, *_place(origin, base, at + pos), starts

    def _encoded(self, data: bytes) -> Iterator[tuple[int, int, bool]]:
        """Yield (id, its offset, whether it begins a span)."""
        ends = self._engine.span_ends(data)
        begins = {0, *ends}
        pos = 0
        for i in self._engine.encode_spans(data, ends):
            yield i, pos, pos in begins
            pos += len(self._engine.vocab.tokens[i])


class _Origin:
    """Map boundaries in normalized text to the original."""

    def __init__(self, raw: str, base: int) -> None:
        self._from: list[tuple[int, int]] = []  # start and end of each changed cluster in the original
        self._to: list[tuple[int, int]] = []  # the same in the normalized text
        shift, chars, at = 0, 0, base
        for start, end, normal in nfc_clusters(raw):
            at += len(_bytes(raw[chars:start]))
            to, chars = at - base + shift, end
            self._from.append((at, at + len(_bytes(raw[start:end]))))
            self._to.append((to, to + len(_bytes(normal))))
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
    return [0, *accumulate(len(_bytes(char)) for char in text)]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _packed(numbers: list[int]) -> bytes:
    return array("q", numbers).tobytes()
