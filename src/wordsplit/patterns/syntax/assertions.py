"""Line anchors, word boundaries and line ends, as nodes of the tree."""

from __future__ import annotations

from wordsplit.patterns.syntax.characters import CharacterSet, chars, complement
from wordsplit.patterns.syntax.tree import (
    END,
    START,
    Alternation,
    Atomic,
    Characters,
    Look,
    Node,
    Repeat,
    concatenation,
)

__all__ = [
    "LINE_END",
    "NEWLINE",
    "NOT_NEWLINE",
    "general_newline",
    "line_start",
    "text_end",
    "word_boundary",
    "word_edge",
]

NEWLINE = chars("\n")
NOT_NEWLINE = complement(NEWLINE)
LINE_END: Node = Alternation((Look(Characters(NEWLINE), ahead=True), END))
"""The place before a line feed, or the end."""


def line_start(*, at_end: bool) -> Node:
    """Return the start, or the place after a line feed; ``at_end``: also where no text follows it."""
    after: list[Node] = [Look(Characters(NEWLINE), ahead=False)]
    if not at_end:
        after.append(Look(END, ahead=True, negative=True))
    return Alternation((START, concatenation(after)))


def text_end(most: int | None) -> Node:
    """Return the end, or the place before at most so many line feeds there."""
    return Look(concatenation([Repeat(Characters(NEWLINE), 0, most), END]), ahead=True)


def word_edge(word: CharacterSet, *, start: bool) -> Node:
    """Return the place where a word begins or ends."""
    item = Characters(word)
    return concatenation([Look(item, ahead=False, negative=start), Look(item, ahead=True, negative=not start)])


def word_boundary(word: CharacterSet, *, negative: bool) -> Node:
    """Return the place where a word begins or ends, or every other place."""
    if not negative:
        return Alternation((word_edge(word, start=False), word_edge(word, start=True)))
    item = Characters(word)
    inside: list[Node] = [Look(item, ahead=False), Look(item, ahead=True)]
    outside: list[Node] = [Look(item, ahead=False, negative=True), Look(item, ahead=True, negative=True)]
    return Alternation((concatenation(inside), concatenation(outside)))


def general_newline() -> Node:
    """Return a line end of any kind, CRLF as a whole."""
    crlf = concatenation([Characters(chars("\r")), Characters(NEWLINE)])
    return Atomic(Alternation((crlf, Characters(chars("\n\v\f\r\x85\u2028\u2029")))))
