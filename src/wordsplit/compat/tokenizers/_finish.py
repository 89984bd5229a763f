"""Finish the encodings of texts: truncation and post-processor."""

from __future__ import annotations

from wordsplit.compat.tokenizers._processing import Processing
from wordsplit.compat.tokenizers._rows import Rows, merged
from wordsplit.errors import OptionsError
from wordsplit.lengths import Truncation, kept_lengths

__all__ = ["check_room", "finish", "truncated"]


def finish(texts: list[Rows], processing: Processing | None, truncation: Truncation | None, *, special: bool) -> Rows:
    """Truncate one or two texts and post-process them; ``special``: add special tokens."""
    is_pair = len(texts) == 2
    if truncation is not None:
        taken = processing.count(is_pair=is_pair) if processing is not None and special else 0
        texts = truncated(texts, truncation, truncation.max_length - taken)
    if processing is not None:
        return processing.process(texts, special=special)
    return merged([each.as_sequence(i) for i, each in enumerate(texts)], growing=False) if is_pair else texts[0]


def check_room(how: Truncation, taken: int) -> None:
    """Refuse a stride that leaves no room for new tokens besides those of the template.

    Raises:
        OptionsError: The stride is too large. (A `ValueError`.)
    """
    if how.max_length - taken < how.stride:
        raise OptionsError(
            f"stride={how.stride}: it must be less than max_length={how.max_length} without the {taken} tokens "
            "of the template"
        )


def truncated(texts: list[Rows], how: Truncation, room: int) -> list[Rows]:
    """Truncate one or two texts to ``room`` tokens in total.

    Raises:
        OptionsError: The texts cannot be truncated in this way. (A `ValueError`.)
    """
    if room < 0:
        raise OptionsError(f"max_length={how.max_length} leaves no room for the special tokens")
    sizes = [len(each.ids) for each in texts]
    if room and sum(sizes) <= room:
        return texts
    targets = kept_lengths(sizes, room, how.strategy)
    return [each.truncated(size, how.stride, how.direction) for each, size in zip(texts, targets, strict=True)]
