"""From threads to a deterministic table: a state for each list of threads, and a row of what follows each character."""

from __future__ import annotations

from wordsplit.patterns.limits import NotCompilableError
from wordsplit.patterns.program import Char, Open, Program
from wordsplit.patterns.threads import Thread, ThreadList, Threads

__all__ = ["determinized"]

_MAX_ENTRIES = 2_000_000
_Key = tuple[ThreadList, int]


def determinized(program: Program) -> tuple[list[list[int]], list[int]]:
    """Return the rows of states, and the state in which an attempt begins after each character.

    An entry is the number of the state that follows, times two, and one more if a match ends before the character. The
    state 0 is the dead one.
    """
    threads = Threads(program)
    table = _Table(threads, program)
    starts = [table.number((program.start,), kind) for kind in threads.kind_before]
    table.fill()
    return table.rows, starts


class _Table:
    def __init__(self, threads: Threads, program: Program) -> None:
        self.rows: list[list[int]] = []
        self._threads = threads
        self._states = program.states
        self._budget = program.budget
        self._numbers: dict[_Key, int] = {((), 0): 0}
        self._keys: list[_Key] = [((), 0)]
        self._asks: dict[ThreadList, bool] = {}

    def number(self, left: ThreadList, kind: int) -> int:
        """Return the number of the state of some threads after a character of some kind."""
        asks = self._asks.get(left)
        if asks is None:
            asks = self._asks[left] = self._threads.asks_before(left)
        key = (left, kind if asks else 0)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._keys)
            self._keys.append(key)
            self._budget.spend(self._threads.symbols)
            if len(self._keys) * self._threads.symbols > _MAX_ENTRIES:
                raise NotCompilableError("too many states for an automaton")
        return number

    def fill(self) -> None:
        """Make all rows."""
        while len(self.rows) < len(self._keys):
            left, before = self._keys[len(self.rows)]
            self.rows.append(self._plain_row(left, before) or self._row(left, before))

    def _plain_row(self, left: ThreadList, before: int) -> list[int] | None:
        """Return the row of threads of which none is in a frame, or opens one; ``None`` for others."""
        threads = self._threads
        found: list[list[Thread]] = [[] for _ in range(threads.symbols)]
        ends = [0] * threads.symbols
        asks = threads.asks_after(left)
        for after in range(len(threads.kinds_after) if asks else 1):
            takers = self._takers(left, before, after)
            if takers is None:
                return None
            states, matched = takers
            self._budget.spend(1 + sum(len(state.classes) for state in states) // 4)
            for state in states:
                for char in state.classes:
                    if not asks or threads.kind_after[char] == after:
                        found[char].append(state.following)
            for char in range(threads.symbols if matched else 0):
                ends[char] |= not asks or threads.kind_after[char] == after
        return [
            self.number(tuple(dict.fromkeys(following)), kind) * 2 + end if following else end
            for following, kind, end in zip(found, threads.kind_before, ends, strict=True)
        ]

    def _takers(self, left: ThreadList, before: int, after: int) -> tuple[list[Char], bool] | None:
        """Return the states that can take the next character, in order, and whether a match ends before it.

        Return ``None`` if there are frames.
        """
        found: list[Char] = []
        for thread in left:
            if not isinstance(thread, int):
                return None
            for item in self._threads.closure(thread, before, after):
                state = self._states[item]
                if isinstance(state, Open):
                    return None
                if not isinstance(state, Char):
                    return found, True
                found.append(state)
        return found, False

    def _row(self, left: ThreadList, before: int) -> list[int]:
        row = []
        for char, kind in enumerate(self._threads.kind_before):
            following, ends = self._threads.move(left, before, char)
            row.append((self.number(following, kind) * 2 if following else 0) + ends)
        return row
