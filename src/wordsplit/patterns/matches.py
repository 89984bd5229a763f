"""The results of a matcher: matches and the text between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Match", "Matcher"]

Match = tuple[int, int, bool]
"""Start, end, and whether the pattern matched there."""


class Matcher(NamedTuple):
    """How to find the matches of a step.

    Attributes:
        seen: Returns a text as ``find`` expects it, of the same length.
        find: Returns the matches in a text, or a part of one, and the text between them.
    """

    seen: Callable[[str], str]
    find: Callable[[str], list[Match]]
