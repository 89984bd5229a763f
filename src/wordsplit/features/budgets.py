"""Count up to a limit, and truncate, without encoding more text than needed.

The text is encoded in parts between cuts (`wordsplit.features.cuts`), from the side that is kept, until there are more
ids than requested. Offsets are computed only for the part in which the budget ends. A text without cuts is encoded as a
whole.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wordsplit.arguments import whole_number
from wordsplit.errors import OptionsError
from wordsplit.features.cuts import Cuts
from wordsplit.features.segments import bare

if TYPE_CHECKING:
    from wordsplit.engine import Engine

__all__ = ["Truncated", "TruncatedBytes", "boundary", "count_up_to", "size_of", "truncate"]

_CHARS_A_TOKEN = 5  # more than most text has, so that one part is usually enough


class Truncated(NamedTuple):
    """A text cut to a budget.

    Attributes:
        text: The remaining text.
        ids: Its ids, which are the first or the last of the whole text's ids.
        was_truncated: Whether the whole text has more ids.
    """

    text: str
    ids: list[int]
    was_truncated: bool


class TruncatedBytes(NamedTuple):
    """The same as `Truncated`, for a text given as bytes.

    Attributes:
        text: The remaining text.
        ids: As in `Truncated`.
        was_truncated: As in `Truncated`.
    """

    text: bytes
    ids: list[int]
    was_truncated: bool


def size_of(name: str, value: Any, least: int = 0, of: str = "tokens") -> int:
    """Check a number of tokens, or of something else.

    Raises:
        OptionsError: It is not an integer, or too small.
    """
    return whole_number(name, value, least, what=f"a number of {of}")


def count_up_to(engine: Engine, cuts: Cuts, text: str | bytes, as_text: Collection[str], limit: int) -> int:
    """Count the ids of a text; return ``limit + 1`` if there are more than ``limit``.

    Raises:
        OptionsError: ``limit`` is not a number of tokens.
    """
    limit = size_of("limit", limit)
    around = len(engine.prefix) + len(engine.suffix)
    found = around
    for start, end in cuts.forward(text, _CHARS_A_TOKEN * limit + 64):
        if found > limit:
            break
        found += engine.count(text[cuts.begin(start) : end], as_text) - around
    return min(found, limit + 1)


def truncate(
    engine: Engine,
    cuts: Cuts,
    text: str | bytes,
    as_text: Collection[str],
    max_tokens: int,
    side: Literal["right", "left"],
) -> Truncated | TruncatedBytes:
    """Return the longest part of a text that has whole characters and at most ``max_tokens`` ids.

    Raises:
        OptionsError: ``max_tokens`` is not a number of tokens, or ``side`` not a side.
    """
    max_tokens = size_of("max_tokens", max_tokens)
    if side == "right":
        parts = cuts.forward(text, _CHARS_A_TOKEN * max_tokens + 64)
    elif side == "left":
        parts = cuts.backward(text, _CHARS_A_TOKEN * max_tokens + 64)
    else:
        raise OptionsError(f"side={side!r}: use 'right' to cut off the end, 'left' to cut off the beginning")
    right = side == "right"
    near, far = (engine.prefix, engine.suffix) if right else (engine.suffix, engine.prefix)
    if len(near) > max_tokens:
        kept = list(near[:max_tokens] if right else near[len(near) - max_tokens :])
        return _truncated(text[:0], kept, was_truncated=True)
    done: list[list[int]] = [list(near)]
    room = max_tokens - len(near)
    edge = 0 if right else len(text)
    whole = False
    for start, end in parts:
        begin = cuts.begin(start)
        ids = bare(engine, engine.encode(text[begin:end], as_text))
        if len(ids) > room:
            count, at = boundary(engine, text[begin:end], as_text, room, right=right)
            done.append(ids[:count] if right else ids[len(ids) - count :])
            edge = begin + at if at else start
            break
        done.append(ids)
        room -= len(ids)
        edge = end if right else start
    else:
        done.append(list(far[:room] if right else far[max(0, len(far) - room) :]))
        whole = len(far) <= room
    kept = list(chain.from_iterable(done if right else reversed(done)))
    return _truncated(text[:edge] if right else text[edge:], kept, was_truncated=not whole)


def _truncated(text: str | bytes, ids: list[int], *, was_truncated: bool) -> Truncated | TruncatedBytes:
    if isinstance(text, str):
        return Truncated(text, ids, was_truncated)
    return TruncatedBytes(text, ids, was_truncated)


def _joins(char: str) -> bool:
    """Return whether a character is a mark, or a part of a Korean syllable after the first one."""
    return unicodedata.category(char)[0] == "M" or "\u1161" <= char <= "\u11c2"


def boundary(engine: Engine, text: str | bytes, as_text: Collection[str], room: int, *, right: bool) -> tuple[int, int]:
    """Return how many ids, up to ``room``, cover whole characters, and where in the text they end (or begin).

    Precondition: there are more ids than ``room``, without those that the vocab adds to every text.
    """
    found = engine.encode_with_offsets(text, as_text)
    first, last = len(engine.prefix), len(found.ids) - len(engine.suffix)
    spans = found.char_spans
    k = first + room if right else last - room
    while first < k < last and spans[k][0] < spans[k - 1][1]:
        k += -1 if right else 1
    places = spans if isinstance(text, str) else found.byte_spans
    at = 0 if k == first else places[k - 1][1]
    if isinstance(text, str) and k > first:  # marks composed into a character stay with it
        end = places[k][0] if k < last else len(text)
        while at < end and _joins(text[at]):
            at += 1
    # The text before `at` decides for both sides: a part from within a text may get a space before it.
    is_moved = (
        not engine.vocab.model.tiles_text
        and first < k < last
        and bare(engine, engine.encode(text[:at], as_text)) != found.ids[first:k]
    )
    if is_moved:  # no token begins where a span begins
        starts = [first, *(at for at in found.span_starts if first < at < last), last]
        k = starts[bisect_right(starts, k) - 1] if right else starts[bisect_left(starts, k)]
        at = 0 if k <= first else places[k][0] if k < len(places) else len(text)
    return (k - first if right else last - k), at
