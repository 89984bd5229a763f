"""Finish the encodings of texts: truncation and template."""

from __future__ import annotations

from wordsplit.byte_level import to_byte_level
from wordsplit.compat.tokenizers._columns import Columns, Lazy
from wordsplit.compat.tokenizers._processing import Processing
from wordsplit.compat.tokenizers._rows import Rows, merged
from wordsplit.errors import OptionsError
from wordsplit.lengths import Truncation, kept_lengths
from wordsplit.unicode import members

__all__ = ["check_room", "finish", "trimmed", "truncated"]

_SPACE = to_byte_level(b" ")


def finish(texts: list[Rows], processing: Processing | None, truncation: Truncation | None, *, special: bool) -> Rows:
    """Truncate one or two texts and put the template around them; ``special``: add its special tokens."""
    is_pair = len(texts) == 2
    if truncation is not None:
        taken = processing.count(is_pair=is_pair) if processing is not None and special else 0
        texts = truncated(texts, truncation, truncation.max_length - taken)
    if processing is None:
        return merged([each.as_sequence(i) for i, each in enumerate(texts)], growing=False) if is_pair else texts[0]
    texts = [_sequence(each, i, processing, special=special) for i, each in enumerate(texts)]
    template = processing.template(is_pair=is_pair)
    if template is None:
        return merged(texts, growing=False)
    parts: list[Rows] = []
    for piece in template:
        if piece.is_text:
            parts.append(texts["AB".index(piece.name)].typed(piece.type_id))
        elif special:
            ids, tokens = processing.special[piece.name]
            parts.append(Rows.outside(ids, tokens, piece.type_id))
    return merged(parts, growing=False)


def _sequence(rows: Rows, sequence: int, processing: Processing, *, special: bool) -> Rows:
    """Return a text and its overflow as one text of a pair."""

    def change(each: Rows) -> Rows:
        found = each.as_sequence(sequence)
        if processing.trim_offsets:
            found = found._replace(columns=Lazy(lambda: trimmed(each.columns(), processing.prefix_space)))
        return found.typed(0) if processing.one_type and special else found

    return rows.with_each(change).typed(sequence)


def check_room(how: Truncation, taken: int) -> None:
    """Refuse a stride that leaves no room for new tokens beside those of the template.

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


def trimmed(columns: Columns, prefix_space: bool) -> Columns:
    """Return columns with offsets that leave out the white space at the ends of tokens."""
    offsets = []
    for at, (token, (start, end)) in enumerate(zip(columns.tokens, columns.offsets, strict=True)):
        left, right = _spaces(token), _spaces(token[::-1])
        if prefix_space and left == 1 and (at == 0 or start == 0):
            left = 0  # it was prepended, and is not in the text
        from_ = min(start + left, end)
        offsets.append((from_, max(end - right, from_) if right and end >= right else end))
    return columns._replace(offsets=offsets)


def _spaces(token: str) -> int:
    """Return how many characters of white space a token begins with."""
    for count, char in enumerate(token):
        if char != _SPACE and not members("s")[ord(char)]:
            return count
    return len(token)
