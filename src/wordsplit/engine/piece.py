"""The pieces into which an engine splits a text before it looks for spans."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Piece"]


class Piece(NamedTuple):
    """A piece of normalized text.

    Attributes:
        data: Its bytes.
        token_id: The id of the added token that it is, or ``None`` for text.
        special: Whether that token is special.
    """

    data: bytes
    token_id: int | None
    special: bool
