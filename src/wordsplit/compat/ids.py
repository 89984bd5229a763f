"""Check ids, indices and names of tokens as the originals do."""

from __future__ import annotations

from operator import index
from typing import Any

from wordsplit.errors import InputTypeError

__all__ = ["checked_id", "checked_index", "checked_name"]


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


def checked_name(value: Any) -> str:
    """Return the name of a token.

    Raises:
        InputTypeError: It is not a ``str``. (A `TypeError`.)
    """
    if not isinstance(value, str):
        raise InputTypeError(f"a token is a str, not {type(value).__name__}")
    return value
