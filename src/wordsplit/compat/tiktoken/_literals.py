"""Find special tokens in text as tiktoken does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["Literals", "literals"]


class Literals:
    """Find literals in text: leftmost first, the longest of several at one place.

    Args:
        contents: The literals.
    """

    def __init__(self, contents: frozenset[str]) -> None:
        self._common = _common_beginning(contents)  # one search for it rules out most texts
        ordered = sorted(contents, key=lambda content: (-len(content), content))
        self._pattern = re.compile("|".join(map(re.escape, ordered))) if contents else None

    def first(self, text: str) -> str | None:
        """Return the first of them in a text, if there is one."""
        if self._pattern is None or self._common not in text:
            return None
        found = self._pattern.search(text)
        return found and found[0]

    def split(self, text: str) -> Iterator[tuple[str, str | None]]:
        """Yield (text, the literal after it); at the end the literal is ``None``."""
        start = 0
        if self._pattern is not None and self._common in text:
            for found in self._pattern.finditer(text):
                yield text[start : found.start()], found[0]
                start = found.end()
        yield text[start:], None


def _common_beginning(contents: frozenset[str]) -> str:
    """Return the longest string that all begin with, or an empty one."""
    # All others lie between these two in order, and so begin with what both do.
    first, last = min(contents, default=""), max(contents, default="")
    unequal = (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(unequal, len(first))]


@lru_cache(maxsize=128)
def literals(contents: frozenset[str]) -> Literals:
    """Return the finder of some literals, cached because programs use few sets of them."""
    return Literals(contents)
