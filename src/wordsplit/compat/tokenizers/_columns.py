"""The columns of an encoding besides ids and masks, created on first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, NoReturn, TypeVar

from wordsplit.engine.base import WithUnknown
from wordsplit.errors import UnsupportedVocabError

__all__ = ["Columns", "Lazy", "LazyColumns", "Places", "nowhere"]

T = TypeVar("T")
Span = tuple[int, int]
Places = WithUnknown


class Columns(NamedTuple):
    """Lists with one item per token.

    Attributes:
        tokens: Its spelling.
        words: The word that it belongs to.
        offsets: The characters that it covers.
        refused: Why words and offsets are not known, if they are not.
    """

    tokens: list[str]
    words: list[int | None]
    offsets: list[Span]
    refused: UnsupportedVocabError | None = None

    @classmethod
    def empty(cls, refused: UnsupportedVocabError | None = None) -> Columns:
        """Make columns to append others to."""
        return cls([], [], [], refused)

    @classmethod
    def blank(cls, tokens: list[str], refused: UnsupportedVocabError | None = None) -> Columns:
        """Make the columns of tokens that are not in a text, or whose words and offsets are not known."""
        return cls(tokens, [None] * len(tokens), [(0, 0)] * len(tokens), refused)

    def placed(self) -> Columns:
        """Return the columns, if words and offsets are known.

        Raises:
            UnsupportedVocabError: They are not.
        """
        if self.refused is not None:
            raise self.refused
        return self

    def part(self, start: int, stop: int) -> Columns:
        """Return the columns of a range of tokens."""
        return Columns(self.tokens[start:stop], self.words[start:stop], self.offsets[start:stop], self.refused)

    def append(self, other: Columns, *, growing: bool = False) -> None:
        """Append other columns, while no one else has these; ``growing``: their offsets continue from these."""
        by = self.offsets[-1][1] if growing and self.offsets else 0
        self.tokens.extend(other.tokens)
        self.words.extend(other.words)
        self.offsets.extend([(start + by, end + by) for start, end in other.offsets] if by else other.offsets)


class Lazy(Generic[T]):
    """A value that is created on first use, or when pickled.

    Args:
        make: Makes it. Two threads may both call it at the same time.
    """

    __slots__ = ("_make", "_value")

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._value: T | None = None

    def __call__(self) -> T:
        make, value = self._make, self._value  # in this order: another thread may set the value meanwhile
        if value is None:
            value = self._value = make()
            self._make = _released  # frees the objects that it refers to
        return value

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self(),)


LazyColumns = Lazy[Columns]


def _released() -> NoReturn:
    raise AssertionError


def _made(value: T) -> Lazy[T]:
    return Lazy(lambda: value)


def nowhere(text: str) -> None:
    """Find the places of nothing: a text is left to others."""
    del text
