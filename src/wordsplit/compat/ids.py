"""Check ids and indices as the originals do."""

from __future__ import annotations

from operator import index
from typing import Any

__all__ = ["checked_id", "checked_index"]


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


def checked_index(value: Any, bits: int = 64) -> int:
    """Return an index as an ``int``.

    Raises:
        OverflowError: It is negative, or does not fit into the bits.
        TypeError: It is not an integer.
    """
    found = index(value)
    if not 0 <= found < 1 << bits:
        raise OverflowError(f"{found} is not an index: indices are unsigned and have {bits} bits")
    return found
