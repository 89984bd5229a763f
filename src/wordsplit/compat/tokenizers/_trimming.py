"""Offsets that omit the white space at the ends of tokens."""

from __future__ import annotations

from wordsplit.byte_level import to_byte_level
from wordsplit.compat.tokenizers._columns import Columns
from wordsplit.unicode import members

__all__ = ["trimmed"]

_SPACE = to_byte_level(b" ")


def trimmed(columns: Columns, *, prefix_space: bool) -> Columns:
    """Return columns with offsets that omit white space; ``prefix_space``: one space was prepended to the text."""
    offsets = []
    for at, (token, (start, end)) in enumerate(zip(columns.tokens, columns.offsets, strict=True)):
        left, right = _spaces(token), _spaces(token[::-1])
        if prefix_space and left == 1 and (at == 0 or start == 0):
            left = 0  # it was prepended, and is not in the text
        from_ = min(start + left, end)
        offsets.append((from_, max(end - right, from_) if right and end >= right else end))
    return columns._replace(offsets=offsets)


def _spaces(token: str) -> int:
    """Return the number of white-space characters at the beginning of a token."""
    for count, char in enumerate(token):
        if char != _SPACE and not members("s")[ord(char)]:
            return count
    return len(token)
