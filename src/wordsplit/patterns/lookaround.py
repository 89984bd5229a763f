"""Look-around that depends only on the characters before and after a position."""

from __future__ import annotations

from wordsplit.patterns.classes import Alphabet
from wordsplit.patterns.limits import Budget, NotCompilableError
from wordsplit.patterns.program import Char, Program, anchor_rows
from wordsplit.patterns.syntax.tree import Anchor, Atomic, Characters, Look, Repeat, walk
from wordsplit.patterns.threads import Threads

__all__ = ["Lookaround"]


class Lookaround:
    """Decides look-around by the characters before and after a place.

    Args:
        alphabet: The character classes.
        budget: What may be spent.
    """

    def __init__(self, alphabet: Alphabet, budget: Budget) -> None:
        self._alphabet = alphabet
        self._budget = budget
        # By identity, because to hash a tree is to walk it. The node is kept so that its identity is, too.
        self._known: dict[int, tuple[Look, tuple[int, ...] | None]] = {}

    def decided(self, node: Look) -> tuple[int, ...] | None:
        """Return a look-around as the rows of a `Condition`; ``None`` for a look-ahead of several characters.

        Raises:
            NotCompilableError: It is a look-behind of several characters.
        """
        if id(node) not in self._known:
            self._known[id(node)] = node, self._decided(node)
        return self._known[id(node)][1]

    def _decided(self, node: Look) -> tuple[int, ...] | None:
        count = self._alphabet.count
        every = (1 << count + 1) - 1
        rows: tuple[int, ...] | None
        if isinstance(node.item, Characters):
            mask = self._alphabet.mask(node.item.members)
            rows = (mask,) * (count + 1) if node.ahead else tuple(every * (mask >> at & 1) for at in range(count + 1))
        elif isinstance(node.item, Anchor):
            rows = anchor_rows(node.item, self._alphabet)
        else:
            if not node.ahead:
                _check_behind(node)
            program = Program(node.item, self._alphabet, self._budget, self.decided)
            rows = _ahead(program) if node.ahead else _behind(program)
            if rows is None:
                return None
        return tuple(every ^ row for row in rows) if node.negative else rows


def _check_behind(node: Look) -> None:
    inner = list(walk(node.item))
    if any(isinstance(each, Atomic) for each in inner):
        raise NotCompilableError("an atomic group or a possessive repeat within a look-behind")
    # Oniguruma does not try the empty match of such a look-behind at the start of the text.
    varies = any(isinstance(each, Repeat) and each.least != each.most for each in inner)
    if varies and any(isinstance(each, (Look, Anchor)) for each in inner):
        raise NotCompilableError("an assertion beside a repeat of no fixed count within a look-behind")


def _ahead(program: Program) -> tuple[int, ...] | None:
    try:
        return _rows_ahead(Threads(program))
    except NotCompilableError:
        return None  # something in it looks further ahead


def _rows_ahead(threads: Threads) -> tuple[int, ...] | None:
    rows = []
    for before in range(len(threads.kinds_before)):
        row = 0
        for char in range(threads.symbols):
            left, matched = threads.move((threads.start,), before, char)
            if matched or (left and threads.is_certain(left, char)):
                row |= 1 << char
            elif left:
                return None
        rows.append(row)
    return tuple(rows[kind] for kind in threads.kind_before)


def _behind(program: Program) -> tuple[int, ...]:
    threads = Threads(program)
    start, end = (program.start,), threads.symbols - 1
    takers = [state for state in program.states if isinstance(state, Char)]
    rows = []
    for char, kind in enumerate(threads.kind_before):
        # What one character is enough for, whatever stands before it, and what may be with more characters before it.
        one = [threads.move(start, before, char)[0] for before in range(len(threads.kinds_before))]
        several = tuple(dict.fromkeys(state.following for state in takers if state.mask >> char & 1))
        row = 0
        for after in range(threads.symbols):
            if threads.move(start, kind, after)[1]:
                row |= 1 << after
            elif char == end or not threads.move(several, kind, after)[1]:
                pass
            elif all(threads.move(left, kind, after)[1] for left in one):
                row |= 1 << after
            else:
                raise NotCompilableError("a look-behind of several characters")
        rows.append(row)
    return tuple(rows)
