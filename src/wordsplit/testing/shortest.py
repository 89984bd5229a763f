"""Shorten an input that fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import AnyStr

__all__ = ["shortest"]


def shortest(text: AnyStr, fails: Callable[[AnyStr], bool]) -> AnyStr:
    """Remove parts of a text, in decreasing length, as long as the rest still fails.

    Example:
        >>> shortest("many letters and an x, and more", lambda text: "x" in text)
        'x'
    """
    size = len(text) // 2
    while size:
        parts = (text[:at] + text[at + size :] for at in range(len(text) - size + 1))
        shorter = next((part for part in parts if part and fails(part)), None)
        if shorter is None:
            size //= 2
        else:
            text = shorter
            size = min(size, len(text) // 2)
    return text
