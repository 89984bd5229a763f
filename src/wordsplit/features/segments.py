"""Text from several hands: ids joined, never strings.

A prompt is made of what the program says and of what strangers say. Joined as strings, a stranger's ``<|im_end|>`` is
as good as the program's own. Here each segment is encoded on its own, and added tokens are parsed in trusted ones
alone.

What that changes: no token goes across the end of a segment, as one may in the joined string; and a vocab that puts a
space before texts puts one before each. Ids before and after a text (bos, eos) are put around the whole, once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from wordsplit.errors import InputTypeError, OptionsError
from wordsplit.text import Text, check, each

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.vocab import Vocab

T = TypeVar("T")

__all__ = ["as_text_in_untrusted", "bare", "encode_segments"]


def as_text_in_untrusted(vocab: Vocab, untrusted: str) -> frozenset[str]:
    """Contents of the added tokens that are text in what is not trusted.

    Args:
        vocab: The vocab.
        untrusted: ``"no_added"`` for all of them, ``"no_special"`` for the special ones.

    Raises:
        OptionsError: It is neither.
    """
    if untrusted == "no_added":
        return vocab.added_contents
    if untrusted == "no_special":
        return vocab.special_contents
    raise OptionsError(f"untrusted={untrusted!r}: use 'no_added' or 'no_special'")


def bare(engine: Engine, ids: list[T]) -> list[T]:
    """Ids of a text, or what there is for each of them, without those that stand before and after every text."""
    if not engine.prefix and not engine.suffix:
        return ids
    return ids[len(engine.prefix) : len(ids) - len(engine.suffix)]


def encode_segments(engine: Engine, segments: Iterable[tuple[Text, bool]], untrusted: str) -> list[int]:
    """The ids of segments, one after another.

    Args:
        engine: The engine.
        segments: (text, whether it is trusted).
        untrusted: What a segment that is not trusted cannot yield; see `as_text_in_untrusted`.
    """
    as_text = as_text_in_untrusted(engine.vocab, untrusted)
    out = list(engine.prefix)
    for segment in each(segments, "segments"):
        text, trusted = _pair(segment)
        out += bare(engine, engine.encode(check(text, engine.options.errors), () if trusted else as_text))
    out += engine.suffix
    return out


def _pair(segment: object) -> tuple[Text, bool]:
    # Nothing that merely looks true is trusted: ("text", "no") is a mistake.
    if not isinstance(segment, (tuple, list)) or len(segment) != 2 or not isinstance(segment[1], bool):
        raise InputTypeError(f"a segment is (text, trusted), such as ('Hello', False); found {segment!r:.200}")
    return segment[0], segment[1]
