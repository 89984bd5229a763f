"""Look-ups in tables of runs of equal values."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

__all__ = ["RunTable"]


class RunTable(dict[str, int]):
    """The value of each character. Look-ups are remembered.

    Args:
        runs: The distance from the start of the last run, the value, and so on.

    Example:
        >>> table = RunTable([0, 7, 98, 8])
        >>> table["a"], table["b"]
        (7, 8)
    """

    def __init__(self, runs: Sequence[int]) -> None:
        super().__init__()
        self._starts = list(accumulate(runs[::2]))
        self._values = runs[1::2]

    def runs(self) -> Iterator[tuple[range, int]]:
        """Yield the code points of each run, and their value.

        Example:
            >>> list(RunTable([0, 7, 98, 8]).runs())
            [(range(0, 98), 7), (range(98, 1114112), 8)]
        """
        ends = (*self._starts[1:], sys.maxunicode + 1)
        return zip(map(range, self._starts, ends), self._values, strict=True)

    def __missing__(self, char: str) -> int:
        found = self[char] = self._values[bisect_right(self._starts, ord(char)) - 1]
        return found
