"""Encode trusted and untrusted segments separately.

A prompt has text from the program and text from untrusted sources. If these are joined as strings, an untrusted
``<|im_end|>`` cannot be distinguished from the program's own. Here each segment is encoded separately, and added tokens
are parsed only in trusted segments.

This differs from encoding the joined string in two ways: no token crosses the end of a segment, and a vocab that
prepends a space to texts prepends one to each segment. Ids before and after a text (bos, eos) are added once, around
the whole.
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
    """Return the contents of the added tokens that remain text in untrusted segments.

    Args:
        vocab: The vocab.
        untrusted: ``"no_added"`` for all added tokens, ``"no_special"`` for special tokens.

    Raises:
        OptionsError: ``untrusted`` is neither.
    """
    if untrusted == "no_added":
        return vocab.added_contents
    if untrusted == "no_special":
        return vocab.special_contents
    raise OptionsError(f"untrusted={untrusted!r}: use 'no_added' or 'no_special'")


def bare(engine: Engine, ids: list[T]) -> list[T]:
    """Return ids, or values for each id, without the prefix and suffix of every text."""
    if not engine.prefix and not engine.suffix:
        return ids
    return ids[len(engine.prefix) : len(ids) - len(engine.suffix)]


def encode_segments(engine: Engine, segments: Iterable[tuple[Text, bool]], untrusted: str) -> list[int]:
    """Encode segments and join their ids.

    Args:
        engine: The engine.
        segments: (text, whether it is trusted) pairs.
        untrusted: Which tokens an untrusted segment cannot produce; see `as_text_in_untrusted`.
    """
    as_text = as_text_in_untrusted(engine.vocab, untrusted)
    out = list(engine.prefix)
    for segment in each(segments, "segments"):
        text, trusted = _pair(segment)
        out += bare(engine, engine.encode(check(text, engine.options.errors), () if trusted else as_text))
    out += engine.suffix
    return out


def _pair(segment: object) -> tuple[Text, bool]:
    # Accept only a bool, not any truthy value: ("text", "no") is a mistake.
    if not isinstance(segment, (tuple, list)) or len(segment) != 2 or not isinstance(segment[1], bool):
        raise InputTypeError(f"a segment is (text, trusted), such as ('Hello', False); found {segment!r:.200}")
    return segment[0], segment[1]
