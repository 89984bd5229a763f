"""The data of an encoding's tokens other than ids, made on first use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["Columns", "LazyColumns"]

Span = tuple[int, int]


@dataclass(frozen=True)
class Columns:
    """Lists with one item per token.

    Attributes:
        tokens: Its spelling.
        words: The word that it belongs to.
        offsets: The characters that it covers.
    """

    tokens: list[str] = field(default_factory=list)
    words: list[int | None] = field(default_factory=list)
    offsets: list[Span] = field(default_factory=list)

    @classmethod
    def blank(cls, tokens: list[str]) -> Columns:
        """Make the columns of tokens that are not in a text."""
        return cls(tokens, [None] * len(tokens), [(0, 0)] * len(tokens))

    def part(self, start: int, stop: int) -> Columns:
        """Return the columns of a range of tokens."""
        return Columns(self.tokens[start:stop], self.words[start:stop], self.offsets[start:stop])

    def __add__(self, other: Columns) -> Columns:
        """Concatenate the columns of two lists of tokens."""
        return Columns(self.tokens + other.tokens, self.words + other.words, self.offsets + other.offsets)

    def moved(self, distance: int) -> Columns:
        """Return the columns with offsets moved by a distance."""
        offsets = [(start + distance, end + distance) for start, end in self.offsets]
        return Columns(self.tokens, self.words, offsets) if distance else self


class LazyColumns:
    """Columns that are made on first use, or when pickled.

    Args:
        make: Makes them. Two threads may both call it at the same time.
    """

    __slots__ = ("_make", "_value")

    def __init__(self, make: Callable[[], Columns]) -> None:
        self._make = make
        self._value: Columns | None = None

    def __call__(self) -> Columns:
        make, value = self._make, self._value  # in this order: another thread may set the value meanwhile
        if value is None:
            value = self._value = make()
            self._make = _released  # frees the objects that it refers to
        return value

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self(),)


def _released() -> Columns:
    raise AssertionError


def _made(columns: Columns) -> LazyColumns:
    return LazyColumns(lambda: columns)
