"""Compiled patterns: tables that a scanner walks, one step for each character of a text, whatever the pattern."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

__all__ = ["LookaheadAutomaton", "SpanAutomaton"]


@dataclass(frozen=True)
class SpanAutomaton:
    """A compiled pattern: the matches at a place of a text.

    An attempt begins in the state ``starts[c]``, where c is the class of the character before the place, or ``classes``
    at the start of the text. For each character after the place, in the class c, the entry
    ``next[state * (classes + 1) + c]`` is the next state times two, and one more if a match ends before the character,
    which replaces the one found earlier. The column ``classes`` is the end of the text. The attempt ends there, or in
    the state 0, which is dead. A match may be empty.

    Attributes:
        first: The first code point of each range of code points of one class, ascending from 0.
        label: The class of each range.
        classes: How many classes there are.
        starts: The state in which an attempt begins after each class, and at the start of the text.
        next: The rows of the states.
    """

    first: array[int]
    label: bytes
    classes: int
    starts: array[int]
    next: array[int]

    @property
    def matches_empty(self) -> bool:
        """Whether a match may be empty."""
        row = self.classes + 1
        return any(move & 1 for start in set(self.starts) for move in self.next[start * row : (start + 1) * row])


@dataclass(frozen=True)
class LookaheadAutomaton:
    """The same for patterns with look-ahead of several characters: the matches at a place of a text.

    A walk from the last character to the first, from the state 0 on, gives each character of the class c the symbol
    ``symbol[state * classes + c]``, and goes on in the state ``back[state * classes + c]``. Then ``spans`` walks from
    the first symbol on, with the symbols as its classes. The end of the text has no symbol of its own.

    Attributes:
        first: The first code point of each range of code points of one class, ascending from 0.
        label: The class of each range.
        classes: How many classes there are.
        back: For each state and class, the state that follows towards the start of the text.
        symbol: For each state and class, the symbol of the character.
        spans: What matches in the symbols: its class n is the symbol n, and its code point n.
    """

    first: array[int]
    label: bytes
    classes: int
    back: array[int]
    symbol: bytes
    spans: SpanAutomaton
