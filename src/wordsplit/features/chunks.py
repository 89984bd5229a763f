"""Split a text into chunks that fit a budget, for example for retrieval.

A chunk ends at the end of a span (such as a word or a line), or before white space, if one of them is within the
budget. Otherwise it ends between tokens and between characters. The overlap with the previous chunk also begins at such
places. A chunk alone may have different ids than within the text, because its right context is missing. So each chunk
is encoded separately, and ends earlier if it has too many ids.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from wordsplit.errors import InputTypeError, OptionsError
from wordsplit.features.budgets import size_of
from wordsplit.text import Special

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.engine.inputs import Inputs
    from wordsplit.engine.offsets import EncodedText

__all__ = ["Chunk", "split"]


class Chunk(NamedTuple):
    """A chunk of a text.

    Attributes:
        text: The chunk, ``whole[start:end]``.
        start: Where it begins in the whole text, in characters.
        end: Where it ends.
        ids: Its ids when encoded alone.
    """

    text: str
    start: int
    end: int
    ids: list[int]


def split(engine: Engine, inputs: Inputs, text: str, max_tokens: int, overlap: int, special: Special) -> list[Chunk]:
    """See `Tokenizer.split`."""
    max_tokens, overlap = size_of("max_tokens", max_tokens, 1), size_of("overlap", overlap)
    if overlap >= max_tokens:
        raise OptionsError(f"overlap={overlap}: it must be less than max_tokens={max_tokens}")
    if not isinstance(text, str):
        raise InputTypeError(f"split takes str, not {type(text).__name__}: decode it first")
    as_text = inputs.as_text(special)
    found = engine.encode_with_offsets(inputs.checked(text, special), as_text)
    around = len(engine.prefix) + len(engine.suffix)
    if text and not found.ids:  # normalization removes all of it
        return [Chunk(text, 0, len(text), [])]
    splitter = _Splitter(text, found, lambda part: engine.encode(part, as_text), around, max_tokens)
    return list(splitter.chunks(overlap))


class _Cuts(NamedTuple):
    """The places where a text can be cut: before these ids, at these places in the text; the last one is its end."""

    ids: list[int]
    places: list[int]

    def first(self, k: int, beyond: int) -> int:
        """Return the first place after ``beyond`` that has the id ``k``, or a later one, after it."""
        return self.places[max(bisect_left(self.ids, k), bisect_right(self.places, beyond))]


class _Splitter:
    """Find the chunks of a text.

    Args:
        text: The text.
        found: Its ids and their offsets.
        encode: Encodes to ids, including those that the vocab adds to every text.
        around: The number of ids that the vocab adds to every text.
        max_tokens: The largest number of ids in a chunk.
    """

    def __init__(
        self, text: str, found: EncodedText, encode: Callable[[str], list[int]], around: int, max_tokens: int
    ) -> None:
        self._text, self._encode, self._max_tokens = text, encode, max_tokens
        self._room = max(1, max_tokens - around)
        self._tokens, self._words = _cuts(text, found)

    def chunks(self, overlap: int) -> Iterator[Chunk]:
        """Yield the chunks. Each repeats at most ``overlap`` ids of the previous one."""
        start = end = 0
        while end < len(self._text):
            chunk = self._next(start, end)
            yield chunk
            start = end = chunk.end
            if overlap:
                first = self._first_id(end) - overlap
                repeated = (cuts.first(first, chunk.start) for cuts in (self._words, self._tokens))
                start = next((place for place in repeated if place < end), end)

    def _next(self, start: int, end: int) -> Chunk:
        """Return a chunk that ends after ``end``, and begins there or at most as far before it as ``start``."""
        place = start
        while (chunk := self._longest(place, self._words, end)) is None and place < end:
            place = min(end, self._tokens.first(0, place))
        return (
            chunk
            or self._longest(start, self._tokens, end)
            or self._longest(end, self._tokens, end)
            or self._character(end)
        )

    def _longest(self, start: int, cuts: _Cuts, beyond: int) -> Chunk | None:
        """Return the longest chunk from ``start`` that ends at a cut after ``beyond`` and fits."""
        for at in range(bisect_right(cuts.ids, self._first_id(start) + self._room) - 1, -1, -1):
            end = cuts.places[at]
            if end <= beyond:
                break
            chunk = self._chunk(start, end)
            if len(chunk.ids) <= self._max_tokens:
                return chunk
        return None

    def _character(self, start: int) -> Chunk:
        chunk = self._chunk(start, start + 1)
        if len(chunk.ids) > self._max_tokens:
            found = f"{chunk.text!r} at character {start} takes {len(chunk.ids)} tokens on its own"
            raise OptionsError(f"max_tokens={self._max_tokens}: {found}")
        return chunk

    def _chunk(self, start: int, end: int) -> Chunk:
        text = self._text[start:end]
        return Chunk(text, start, end, self._encode(text))

    def _first_id(self, place: int) -> int:
        """Return the index of the id at a place in the text."""
        return self._tokens.ids[max(0, bisect_right(self._tokens.places, place) - 1)]


def _cuts(text: str, found: EncodedText) -> tuple[_Cuts, _Cuts]:
    """Return the cuts between tokens that split no character, and those of them at which a span or a word ends.

    If the vocab has no pattern, a span can be many words, or the whole text. In that case words end before white space.
    """
    chars, begins = found.char_spans, set(found.span_starts)
    tokens, words = _Cuts([], []), _Cuts([], [])
    for k, (place, _) in enumerate(chars):
        if k > 0 and place < chars[k - 1][1]:
            continue
        is_word = k in begins or (text[place : place + 1].isspace() and not text[place - 1 : place].isspace())
        for cuts in (tokens, words) if place and is_word else (tokens,):
            cuts.ids.append(k)
            cuts.places.append(place)
    for cuts in tokens, words:
        cuts.ids.append(len(chars))
        cuts.places.append(len(text))
    return tokens, words
