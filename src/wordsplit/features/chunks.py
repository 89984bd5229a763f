"""Split a text into chunks that fit a budget, for example for retrieval.

A chunk ends at the end of a span (such as a word or a line) if one ends within the budget. Otherwise the span is split
between tokens and between characters. A chunk on its own may have other ids than within the text, because its right
context is gone; so each chunk is encoded on its own, and ends earlier if it has too many ids.
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
        ids: Its ids when encoded on its own.
    """

    text: str
    start: int
    end: int
    ids: list[int]


def split(engine: Engine, inputs: Inputs, text: str, max_tokens: int, overlap: int, special: Special) -> list[Chunk]:
    """See `Tokenizer.split`."""
    size_of("max_tokens", max_tokens, 1)
    if size_of("overlap", overlap) >= max_tokens:
        raise OptionsError(f"overlap={overlap}: it must be less than max_tokens={max_tokens}")
    if not isinstance(text, str):
        raise InputTypeError(f"split takes str, not {type(text).__name__}: decode it first")
    as_text = inputs.as_text(special)
    found = engine.encode_with_offsets(inputs.checked(text, special), as_text)
    around = len(engine.prefix) + len(engine.suffix)
    if text and not found.ids:  # all of it is removed
        return [Chunk(text, 0, len(text), [])]
    return list(_chunks(text, found, lambda part: engine.encode(part, as_text), around, max_tokens, overlap))


def _chunks(
    text: str, found: EncodedText, encode: Callable[[str], list[int]], around: int, max_tokens: int, overlap: int
) -> Iterator[Chunk]:
    """Yield the chunks of a text.

    Args:
        text: The text.
        found: Its ids and their offsets.
        encode: Encodes to ids, including those that the vocab adds to every text.
        around: The number of ids that the vocab adds to every text.
        max_tokens: The largest number of ids in a chunk.
        overlap: The largest number of ids that a chunk repeats from the one before.
    """
    chars = found.char_spans
    # Cuts that split no character: the index of the id after the cut, and the position in the text.
    ids = [k for k in range(len(chars)) if k == 0 or chars[k][0] >= chars[k - 1][1]]
    places = [chars[k][0] for k in ids]
    begins = set(found.span_starts)
    ends = [(k, place) for k, place in zip(ids, places, strict=True) if k in begins and place]
    ends.append((len(chars), len(text)))
    spans_at, spans_k = [place for _, place in ends], [k for k, _ in ends]
    room = max(1, max_tokens - around)

    def first_id(place: int) -> int:
        return ids[max(0, bisect_right(places, place) - 1)]

    def longest(start: int, beyond: int) -> Chunk | None:
        """Return the longest chunk from ``start`` that ends after ``beyond`` and fits."""
        last = first_id(start) + room
        for end in _descending(spans_at, bisect_right(spans_k, last), beyond):
            alone = encode(text[start:end])
            if len(alone) <= max_tokens:
                return Chunk(text[start:end], start, end, alone)
        return None

    def within(start: int) -> Chunk:
        """Return the beginning of a span that does not fit into one chunk."""
        last = bisect_right(ids, first_id(start) + room)
        for end in [*_descending(places, last, start), start + 1]:
            alone = encode(text[start:end])
            if len(alone) <= max_tokens:
                return Chunk(text[start:end], start, end, alone)
        raise OptionsError(
            f"max_tokens={max_tokens}: {text[start]!r} at character {start} takes {len(alone)} tokens on its own"
        )

    start = end = 0
    while end < len(text):
        chunk = longest(start, end) or (within(start) if start == end else None)
        if chunk is None:  # the overlap leaves no room for more
            start = _after(places, start, end)
            continue
        yield chunk
        end = chunk.end
        start = min(end, _overlapping(places, ids, chunk, first_id(end), overlap)) if overlap else end


def _descending(places: list[int], stop: int, beyond: int) -> Iterator[int]:
    for at in range(stop - 1, -1, -1):
        if places[at] <= beyond:
            return
        yield places[at]


def _after(places: list[int], start: int, end: int) -> int:
    """Return the next place, up to the end."""
    at = bisect_right(places, start)
    return min(end, places[at]) if at < len(places) else end


def _overlapping(places: list[int], ids: list[int], chunk: Chunk, last: int, overlap: int) -> int:
    """Return the first place within a chunk that has at most ``overlap`` ids after it."""
    at = max(bisect_left(ids, last - overlap), bisect_right(places, chunk.start))
    return places[at] if at < len(places) else chunk.end
