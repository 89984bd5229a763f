"""The threads of a program, in the order of preference, from one place of a text to the next.

A list of threads stands for all that a backtracking matcher would try, the first one first. A thread is a number, the
state in which it waits, or a frame: threads within an atomic group or a look-ahead, and threads after it that count
only if the frame decides so. A frame is left as soon as its decision is known, which is often one character ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

from wordsplit.patterns.limits import NotCompilableError
from wordsplit.patterns.program import DONE, Char, Condition, Fork, FrameKind, Open, Program

__all__ = ["Thread", "ThreadList", "Threads"]

Thread = Union[int, "Frame"]
ThreadList = tuple[Thread, ...]
Frame = tuple[int, ThreadList, ThreadList, int]
"""The state that opened it, the threads within, the threads after it, and how many frames are one in another."""

_BEFORE, _AFTER = 1, 2  # what the way from a state to the next character asks for
_MAX_DEPTH = 12


class Threads:
    """How the threads of a program move.

    Characters are numbers of classes; the number after the last class is the end of the text, or its start where the
    character before a place is meant. Of characters before a place, only kinds are told apart: those that the program's
    conditions distinguish.

    Args:
        program: The program.

    Attributes:
        start: The state in which an attempt begins.
        symbols: How many characters there are, the end included.
        kind_before: The kind of each character before a place.
        kinds_before: A character of each kind.
        kind_after: The kind of each character after a place.
        kinds_after: A character of each of these.
    """

    def __init__(self, program: Program) -> None:
        self.start: int = program.start
        self.symbols: int = program.alphabet.count + 1
        self._states = program.states
        self._opening = {at: state for at, state in enumerate(program.states) if isinstance(state, Open)}
        self._budget = program.budget
        rows = list(dict.fromkeys(state.rows for state in self._states if isinstance(state, Condition)))
        program.budget.spend(len(rows) * self.symbols)
        self.kind_before: list[int]
        self.kinds_before: list[int]
        self.kind_after: list[int]
        self.kinds_after: list[int]
        self.kind_before, self.kinds_before = _kinds([tuple(row[at] for row in rows) for at in range(self.symbols)])
        masks = list(dict.fromkeys(mask for row in rows for mask in row))
        program.budget.spend(len(masks) * self.symbols)
        self.kind_after, self.kinds_after = _kinds(
            [tuple(mask >> at & 1 for mask in masks) for at in range(self.symbols)]
        )
        self._asks = self._what_is_asked()
        self._closures: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self._moved: dict[tuple[ThreadList, int, int], tuple[ThreadList, bool]] = {}
        self._certain: dict[tuple[ThreadList, int], bool] = {}
        self._asked: list[tuple[ThreadList, int]] = []

    def _what_is_asked(self) -> list[int]:
        every = (1 << self.symbols) - 1
        asks = [0] * len(self._states)
        into: list[list[int]] = [[] for _ in self._states]
        changed = []
        for at, state in enumerate(self._states):
            if isinstance(state, Fork):
                for following in state.following:
                    into[following].append(at)
            elif isinstance(state, Condition):
                into[state.following].append(at)
                asks[at] = _BEFORE * (len(set(state.rows)) > 1) | _AFTER * any(0 < row < every for row in state.rows)
                changed.append(at)
            elif isinstance(state, Open):
                into[state.following].append(at)
                into[state.inner].append(at)
        while changed:
            at = changed.pop()
            for before in into[at]:
                if asks[at] | asks[before] != asks[before]:
                    asks[before] |= asks[at]
                    changed.append(before)
        return asks

    def asks_before(self, threads: ThreadList) -> bool:
        """Return whether what the threads do depends on the character before."""
        for thread in threads:
            if isinstance(thread, int):
                if self._asks[thread] & _BEFORE:
                    return True
            elif self._asks[thread[0]] & _BEFORE or self.asks_before(thread[1]) or self.asks_before(thread[2]):
                return True
        return False

    def asks_after(self, threads: ThreadList) -> bool:
        """Return whether the same of the character after. The threads are no frames."""
        return any(isinstance(thread, int) and self._asks[thread] & _AFTER for thread in threads)

    def closure(self, state: int, before: int, after: int) -> tuple[int, ...]:
        """Return the states that take a character, open a frame or are `DONE`, to which a state leads, in order.

        What comes after `DONE` is left out.

        Args:
            state: The state.
            before: The kind of the character before.
            after: The kind of the character after.
        """
        asks = self._asks[state]
        key = (state, before if asks & _BEFORE else 0, after if asks & _AFTER else 0)
        found = self._closures.get(key)
        if found is None:
            found = self._closures[key] = self._followed(state, self.kinds_before[before], self.kinds_after[after])
        return found

    def _followed(self, start: int, before: int, after: int) -> tuple[int, ...]:
        states = self._states
        found: list[int] = []
        seen = set()
        stack = [start]
        while stack:
            at = stack.pop()
            if at in seen:
                continue
            seen.add(at)
            state = states[at]
            if isinstance(state, Fork):
                stack.extend(reversed(state.following))
            elif isinstance(state, Condition):
                if state.rows[before] >> after & 1:
                    stack.append(state.following)
            else:
                found.append(at)
                if at == DONE:
                    break
        self._budget.spend(len(seen))
        return tuple(found)

    def move(self, threads: ThreadList, before: int, char: int) -> tuple[ThreadList, bool]:
        """Return the threads after a character, and whether a match ends before it. At the end, none are left.

        Args:
            threads: The threads.
            before: The kind of the character before.
            char: The character.
        """
        key = (threads, before, char)
        found = self._moved.get(key)
        if found is None:
            found = self._moved[key] = self._move(threads, before, char)
        return found

    def _move(self, threads: ThreadList, before: int, char: int) -> tuple[ThreadList, bool]:
        out: dict[Thread, None] = {}
        opened = set()
        after = self.kind_after[char]
        for thread in threads:
            if not isinstance(thread, int):
                left, matched = self._frame(thread, before, char)
                out.update(dict.fromkeys(left))
                if matched:
                    return tuple(out), True
                continue
            items = self.closure(thread, before, after)
            self._budget.spend(1 + len(items))
            for item in items:
                state = self._states[item]
                if isinstance(state, Char):
                    if state.mask >> char & 1:
                        out[state.following] = None
                elif not isinstance(state, Open):
                    return tuple(out), True
                elif item not in opened:
                    opened.add(item)
                    after_it: ThreadList = () if state.kind is FrameKind.ATOMIC else (state.following,)
                    left, matched = self._frame((item, (state.inner,), after_it, 0), before, char)
                    out.update(dict.fromkeys(left))
                    if matched:
                        return tuple(out), True
        return tuple(out), False

    def _frame(self, frame: Frame, before: int, char: int) -> tuple[ThreadList, bool]:
        at, inside, pending, _ = frame
        opening = self._opening[at]
        inside, matched = self.move(inside, before, char)
        atomic = opening.kind is FrameKind.ATOMIC
        if atomic:
            if matched:
                pending = (opening.following,)
            if inside and self.is_certain(inside, char):
                return ((at, inside, (), 1 + _depth(inside)),), False
        else:
            matched = matched or (bool(inside) and self.is_certain(inside, char))
            if matched or not inside:
                wanted = matched == (opening.kind is FrameKind.AHEAD)
                return self.move(pending, before, char) if wanted else ((), False)
        pending, ends = self.move(pending, before, char)
        if not inside:
            return pending, ends
        if ends and not (pending and self.is_certain(pending, char)):
            raise NotCompilableError(f"{opening.kind.value} that is decided only by text after the end of a match")
        if not atomic and not pending:
            return (), False
        depth = 1 + _depth((*inside, *pending))
        if depth > _MAX_DEPTH:
            raise NotCompilableError(f"{opening.kind.value} in an endless repeat")
        return ((at, inside, pending, depth),), False

    def is_certain(self, threads: ThreadList, char: int) -> bool:
        """Return whether a match surely ends right after a character, whatever follows."""
        key = (threads, self.kind_before[char])
        known = self._certain.get(key)
        if known is None:
            if key in self._asked or len(self._asked) > _MAX_DEPTH:
                return False  # not known, which is safe
            self._asked.append(key)
            known = self._matches_whatever_follows(*key)
            self._asked.pop()
            self._certain[key] = known
        return known

    def _matches_whatever_follows(self, threads: ThreadList, before: int) -> bool:
        try:
            return all(self.move(threads, before, char)[1] for char in range(self.symbols))
        except NotCompilableError:
            return False


def _kinds(signatures: Sequence[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """Return the kind of each character, those of equal signatures being of one, and a character of each kind."""
    numbers: dict[tuple[int, ...], int] = {}
    kinds = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
    return kinds, [kinds.index(kind) for kind in range(len(numbers))]


def _depth(threads: ThreadList) -> int:
    return max((0 if isinstance(thread, int) else thread[3] for thread in threads), default=0)
