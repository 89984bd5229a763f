"""From an input that fails to a short one that does."""

from __future__ import annotations

from collections.abc import Callable
from typing import AnyStr

__all__ = ["shortest"]


def shortest(text: AnyStr, fails: Callable[[AnyStr], bool]) -> AnyStr:
    """Leave out stretches of a text, ever shorter ones, as long as what is left still fails.

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
