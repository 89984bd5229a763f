"""A pattern as a program of threads: states with edges in the order in which a backtracking matcher tries them.

A thread waits in a state. `Program.closure` follows the edges that take no character, between two characters that are
both known, so that anchors, word boundaries and look-around of one character are decided at once. The result of an
atomic group or a look-around of several characters is not known then: it opens a frame, which `determinize` follows.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from wordsplit.patterns.classes import Alphabet
from wordsplit.patterns.limits import Budget, NotCompilableError
from wordsplit.patterns.syntax.empty import empty_last, may_be_empty
from wordsplit.patterns.syntax.tree import (
    Alternation,
    Anchor,
    Atomic,
    BackReference,
    Characters,
    Concatenation,
    Group,
    Look,
    Node,
    Repeat,
    walk,
)

__all__ = ["DONE", "Char", "Condition", "Fork", "FrameKind", "Open", "Program", "State", "anchor_rows"]

DONE = 0
"""The state in which an item is matched: the pattern, or what stands in a frame."""
_MAX_STATES = 200_000


class FrameKind(Enum):
    """The purpose of a frame."""

    ATOMIC = "an atomic group or a possessive repeat"
    AHEAD = "a look-ahead of several characters"
    NOT_AHEAD = "a negative look-ahead of several characters"


class Char:
    """Take a character of some classes."""

    __slots__ = ("classes", "following", "mask")

    def __init__(self, mask: int, following: int) -> None:
        self.mask: int = mask
        self.classes: list[int] = [at for at in range(mask.bit_length()) if mask >> at & 1]
        self.following: int = following


class Fork:
    """Go on in each of some states, the first one preferred."""

    __slots__ = ("following",)

    def __init__(self, following: list[int]) -> None:
        self.following: list[int] = following


class Condition:
    """Go on if the characters before and after this place allow it.

    ``rows`` has, for each class before the place and, last, for the start of the text, the classes that may follow, as
    bits; the highest bit is the end of the text.
    """

    __slots__ = ("following", "rows")

    def __init__(self, rows: tuple[int, ...], following: int) -> None:
        self.rows: tuple[int, ...] = rows
        self.following: int = following


class Open:
    """Open a frame: its item begins in ``inner``, and what comes after it in ``following``. ``look``: its node."""

    __slots__ = ("following", "inner", "kind", "look")

    def __init__(self, kind: FrameKind, inner: int, following: int, look: Look | None = None) -> None:
        self.kind: FrameKind = kind
        self.inner: int = inner
        self.following: int = following
        self.look: Look | None = look


State = Char | Fork | Condition | Open | None
"""The action of a state; ``None`` in `DONE`."""


Decide = Callable[[Look], tuple[int, ...] | None]


class Program:
    """The program of a tree.

    Args:
        tree: The tree.
        alphabet: The classes of all its sets.
        budget: What may be spent.
        decide: Returns the rows of a `Condition` for a look-around; ``None`` for a look-ahead of several characters.

    Attributes:
        states: The states; the first is `DONE`.
        start: The state in which an attempt begins.

    Raises:
        NotCompilableError: The tree has something that no automaton expresses.
    """

    def __init__(self, tree: Node, alphabet: Alphabet, budget: Budget, decide: Decide) -> None:
        self.alphabet: Alphabet = alphabet
        self.budget: Budget = budget
        self.states: list[State] = [None]
        self._decide = decide
        self.start: int = self._build(tree, DONE)

    def _add(self, state: State) -> int:
        if len(self.states) >= _MAX_STATES:
            raise NotCompilableError(f"more than {_MAX_STATES} items, each repeated by its counts")
        self.states.append(state)
        return len(self.states) - 1

    def _build(self, node: Node, following: int) -> int:  # noqa: PLR0911 - one for each kind of node
        """Return the state in which a node begins, after which a match goes on in the state ``following``."""
        self.budget.spend(1)
        if isinstance(node, Characters):
            return self._add(Char(self.alphabet.mask(node.members), following))
        if isinstance(node, Concatenation):
            for item in reversed(node.items):
                following = self._build(item, following)
            return following
        if isinstance(node, Alternation):
            return self._add(Fork([self._build(branch, following) for branch in node.branches]))
        if isinstance(node, Repeat):
            return self._repeat(node, following)
        if isinstance(node, Group):
            return self._build(node.item, following)
        if isinstance(node, Atomic):
            return self._atomic(node, following)
        return self._assertion(node, following)

    def _assertion(self, node: Look | Anchor | BackReference, following: int) -> int:
        if isinstance(node, BackReference):
            raise NotCompilableError("a back reference")
        if isinstance(node, Anchor):
            return self._add(Condition(anchor_rows(node, self.alphabet), following))
        rows = self._decide(node)
        if rows is not None:
            return self._add(Condition(rows, following))
        kind = FrameKind.NOT_AHEAD if node.negative else FrameKind.AHEAD
        return self._add(Open(kind, self._build(node.item, DONE), following, node))

    def _atomic(self, node: Atomic, following: int) -> int:
        # At the end, too, it decides nothing: what comes after it cannot fail.
        if following == DONE or not _may_open_frame(node.item):
            return self._build(node.item, following)
        repeat = node.item
        if isinstance(repeat, Repeat) and isinstance(repeat.item, Characters) and repeat.greedy:
            return self._possessive(repeat, self.alphabet.mask(repeat.item.members), following)
        return self._add(Open(FrameKind.ATOMIC, self._build(node.item, DONE), following))

    def _possessive(self, node: Repeat, mask: int, following: int) -> int:
        """Build a possessive repeat of one set, which ends before a character that it does not take, or when full."""
        every = (1 << self.alphabet.count + 1) - 1
        ending = self._add(Condition((every ^ mask,) * (self.alphabet.count + 1), following))
        return self._repeat(node, following, ending)

    def _repeat(self, node: Repeat, following: int, ending: int | None = None) -> int:
        """Build a repeat, from which less than the most turns go on in the state ``ending``, if it is given."""
        ending = following if ending is None else ending
        endless = node.most is None
        optional = may_be_empty(node.item)
        # Matchers differ in what they do after an empty turn, unless each item tries to be empty last.
        if endless and optional and not empty_last(node.item):
            raise NotCompilableError("an endless repeat of an item that prefers to be empty")
        start = following
        if endless:
            fork = Fork([])
            start = self._add(fork)
            body = self._build(node.item, start)
            if optional:
                self._check_turns(start)
            fork.following = [body, ending] if node.greedy else [ending, body]
        for _ in range(0 if node.most is None else node.most - node.least):
            body = self._build(node.item, start)
            start = self._add(Fork([body, ending] if node.greedy else [ending, body]))
        for _ in range(node.least):
            start = self._build(node.item, start)
        return start

    def _check_turns(self, start: int) -> None:
        """Check that no frame opens in an endless repeat whose turns may be empty, because it would without end."""
        kinds = {state.kind for state in self.states[start:] if isinstance(state, Open)}
        if kinds:
            what = kinds.pop().value if len(kinds) == 1 else "an atomic group and a look-ahead"
            raise NotCompilableError(f"an endless repeat of an item that may be empty, and has {what}")


def anchor_rows(node: Anchor, alphabet: Alphabet) -> tuple[int, ...]:
    """Return the rows of a `Condition` that is an anchor."""
    if node.at == "end":
        return (1 << alphabet.count,) * (alphabet.count + 1)
    return (0,) * alphabet.count + ((1 << alphabet.count + 1) - 1,)


def _may_open_frame(node: Node) -> bool:
    """Return whether a node can match in several ways, so that an atomic group around it decides something."""
    return any(isinstance(each, (Alternation, Atomic)) or _varies(each) for each in walk(node))


def _varies(node: Node) -> bool:
    return isinstance(node, Repeat) and node.least != node.most
