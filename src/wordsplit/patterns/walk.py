"""Walk an automaton over a text: the matches and the text between them, in linear time."""

from __future__ import annotations

from bisect import bisect_right

from wordsplit.patterns.automaton import LookaheadAutomaton, SpanAutomaton
from wordsplit.patterns.matches import Match

__all__ = ["Walker"]

_FAR = 64
_EVERY = 16


class Walker:
    """An automaton with the data for a walk over text.

    Args:
        automaton: The automaton.

    Example:
        >>> from wordsplit.patterns.compiler import compile_pattern
        >>> from wordsplit.patterns.syntax import parse
        >>> Walker(compile_pattern(parse(r"\\d+", "tokenizers"))).matches("ab12c")
        [(0, 2, False), (2, 4, True), (4, 5, False)]
    """

    def __init__(self, automaton: SpanAutomaton | LookaheadAutomaton) -> None:
        self._ahead = automaton if isinstance(automaton, LookaheadAutomaton) else None
        self._automaton = automaton.spans if isinstance(automaton, LookaheadAutomaton) else automaton
        self._classes = _ClassOf(automaton)

    def matches(self, text: str) -> list[Match]:
        """Return the matches and the text between them, in order.

        An empty match is not taken where the match before it ended.
        """
        labels = self._labels(text)
        failed: set[tuple[int, int]] = set()
        out: list[Match] = []
        at = done = 0
        last = -1
        while at <= len(text):
            end = self._attempt(labels, at, failed)
            if end < 0 or at == end == last:
                at += 1
                continue
            if done < at:
                out.append((done, at, False))
            out.append((at, end, True))
            at = last = done = end
        if done < len(text):
            out.append((done, len(text), False))
        return out

    def ends(self, text: str) -> list[int]:
        """Return for each place of a text, also its end, where a match that begins there ends; -1 if there is none."""
        labels = self._labels(text)
        failed: set[tuple[int, int]] = set()
        return [self._attempt(labels, at, failed) for at in range(len(labels))]

    def _labels(self, text: str) -> list[int]:
        """Return the class or symbol of each character, and the column of the end."""
        labels = [self._classes[char] for char in text]
        if self._ahead:
            _tell_ahead(self._ahead, labels)
        labels.append(self._automaton.classes)
        return labels

    def _attempt(self, labels: list[int], at: int, failed: set[tuple[int, int]]) -> int:
        """Return the end of the match that begins at a place; -1 if there is none.

        Args:
            labels: The classes of the characters, and the number of classes for the end of the text.
            at: The place.
            failed: States, each with a place from which on no match ended. An attempt that has gone far beyond its
                last match adds to them and looks them up, so that no part of the text is walked again and again.
        """
        following, width = self._automaton.next, self._automaton.classes + 1
        state = self._automaton.starts[labels[at - 1]]  # the last label, for the end, is that of the start, too
        found = -1
        passed = []
        far = at + _FAR
        for place in range(at, len(labels)):
            if place >= far and place % _EVERY == 0:
                if (state, place) in failed:
                    break
                passed.append((state, place))
            entry = following[state * width + labels[place]]
            if entry & 1:
                found = place
                far = place + _FAR
                passed.clear()
            state = entry >> 1
            if not state:
                break
        failed.update(passed)
        return found


def _tell_ahead(automaton: LookaheadAutomaton, labels: list[int]) -> None:
    """Replace classes by symbols."""
    state = 0
    for place in reversed(range(len(labels))):
        entry = state * automaton.classes + labels[place]
        labels[place] = automaton.symbol[entry]
        state = automaton.back[entry]


class _ClassOf(dict[str, int]):
    """The class of each character that was met. A byte that is not UTF-8, which is a lone surrogate, is U+10FFFF."""

    def __init__(self, automaton: SpanAutomaton | LookaheadAutomaton) -> None:
        super().__init__()
        self._first, self._label = automaton.first, automaton.label

    def __missing__(self, char: str) -> int:
        code = 0x10FFFF if "\ud800" <= char <= "\udfff" else ord(char)
        found = self[char] = self._label[bisect_right(self._first, code) - 1]
        return found
