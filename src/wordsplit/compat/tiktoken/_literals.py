"""Special tokens in text, found as tiktoken finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from os.path import commonprefix

__all__ = ["Literals", "literals"]


class Literals:
    """Finds some literals in text: leftmost first, of several at one place the longest.

    Args:
        contents: The literals.
    """

    def __init__(self, contents: frozenset[str]) -> None:
        self._common = commonprefix(list(contents))  # noqa: RUF071 - one look for it rules most texts out
        ordered = sorted(contents, key=lambda content: (-len(content), content))
        self._pattern = re.compile("|".join(map(re.escape, ordered))) if contents else None

    def first(self, text: str) -> str | None:
        """The first of them in a text, if there is one."""
        if self._pattern is None or self._common not in text:
            return None
        found = self._pattern.search(text)
        return found and found[0]

    def split(self, text: str) -> Iterator[tuple[str, str | None]]:
        """(text, the literal that follows it), to the end, where none follows."""
        start = 0
        if self._pattern is not None and self._common in text:
            for found in self._pattern.finditer(text):
                yield text[start : found.start()], found[0]
                start = found.end()
        yield text[start:], None


@lru_cache(maxsize=128)
def literals(contents: frozenset[str]) -> Literals:
    """The finder of some literals; programs use few sets of them."""
    return Literals(contents)
