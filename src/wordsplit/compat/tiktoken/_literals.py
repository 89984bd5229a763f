"""Find special tokens in text as tiktoken does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from os.path import commonprefix

__all__ = ["Literals", "literals"]


class Literals:
    """Find literals in text: leftmost first, the longest of several at one place.

    Args:
        contents: The literals.
    """

    def __init__(self, contents: frozenset[str]) -> None:
        self._common = commonprefix(list(contents))  # noqa: RUF071 - one search for it rules out most texts
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


@lru_cache(maxsize=128)
def literals(contents: frozenset[str]) -> Literals:
    """Return the finder of some literals, cached because programs use few sets of them."""
    return Literals(contents)
