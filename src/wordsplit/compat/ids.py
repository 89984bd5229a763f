"""Check ids as the originals do."""

from __future__ import annotations

from operator import index
from typing import Any

__all__ = ["checked_id"]


def checked_id(value: Any) -> int:
    """Return an id as an ``int``.

    Raises:
        OverflowError: It is negative, or does not fit into 32 bits.
        TypeError: It is not an integer.
    """
    found = index(value)
    if not 0 <= found < 1 << 32:
        raise OverflowError(f"{found} is not a token id: ids are unsigned and have 32 bits")
    return found
