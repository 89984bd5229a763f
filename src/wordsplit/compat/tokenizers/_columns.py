"""What an encoding knows of its tokens beside their ids, made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["Columns", "Later"]

Span = tuple[int, int]


@dataclass(frozen=True)
class Columns:
    """One item a token.

    Attributes:
        tokens: How it is spelled.
        words: The word that it is of.
        offsets: The characters that it comes from.
    """

    tokens: list[str] = field(default_factory=list)
    words: list[int | None] = field(default_factory=list)
    offsets: list[Span] = field(default_factory=list)

    @classmethod
    def blank(cls, tokens: list[str]) -> Columns:
        """Those of tokens that are in no text."""
        return cls(tokens, [None] * len(tokens), [(0, 0)] * len(tokens))

    def part(self, start: int, stop: int) -> Columns:
        """Those of some of the tokens."""
        return Columns(self.tokens[start:stop], self.words[start:stop], self.offsets[start:stop])

    def __add__(self, other: Columns) -> Columns:
        """Those of these tokens and then others."""
        return Columns(self.tokens + other.tokens, self.words + other.words, self.offsets + other.offsets)

    def moved(self, distance: int) -> Columns:
        """The same, further on in the text."""
        offsets = [(start + distance, end + distance) for start, end in self.offsets]
        return Columns(self.tokens, self.words, offsets) if distance else self


class Later:
    """Columns that are made when they are first asked for. Pickled, they are made.

    Args:
        make: Makes them. Two threads that ask at once may both do so.
    """

    __slots__ = ("_make", "_value")

    def __init__(self, make: Callable[[], Columns]) -> None:
        self._make = make
        self._value: Columns | None = None

    def __call__(self) -> Columns:
        make, value = self._make, self._value  # in this order: another thread may be setting the value
        if value is None:
            value = self._value = make()
            self._make = _gone  # what it holds on to is not needed any more
        return value

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self(),)


def _gone() -> Columns:
    raise AssertionError


def _made(columns: Columns) -> Later:
    return Later(lambda: columns)
