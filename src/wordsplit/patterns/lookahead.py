"""Look-ahead of several characters, however many: told by a walk from the end of a text to its start.

The walk gives each character a symbol: its class, and which look-ahead of the pattern holds at the place before the
character. To the automaton of the pattern, which takes symbols in place of classes, look-ahead is then a matter of the
next symbol.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from wordsplit.patterns.automaton import (
    SpanAutomaton,
    compile_pattern,
    merged_ranges,
    sets_of,
    span_automaton,
    table_of,
)
from wordsplit.patterns.classes import Alphabet, Classes
from wordsplit.patterns.limits import MAX_STATES, Budget, NotCompilableError
from wordsplit.patterns.lookaround import decided
from wordsplit.patterns.minimize import merged_classes, merged_states
from wordsplit.patterns.program import DONE, Char, FrameKind, Open, Program
from wordsplit.patterns.syntax.characters import CharacterSet
from wordsplit.patterns.syntax.tree import Look, Node
from wordsplit.patterns.threads import Threads

__all__ = ["LookaheadAutomaton", "compile_any"]

_MAX_SYMBOLS = 1024  # before those are merged that the pattern treats alike
_Row = tuple[int, ...]


@dataclass(frozen=True)
class LookaheadAutomaton:
    """What matches at a place of a text, for patterns with look-ahead of several characters.

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


def compile_any(tree: Node) -> SpanAutomaton | LookaheadAutomaton:
    r"""Return the automaton of a pattern, one with a walk from the end of the text only if it needs that.

    Raises:
        NotCompilableError: There is none, or it is too large.

    Example:
        >>> from wordsplit.patterns.syntax import parse
        >>> automaton = compile_any(parse(r"\d{1,3}(?=(?:\d{3})*\b)", "tokenizers"))
        >>> automaton.classes, len(automaton.back) // automaton.classes, automaton.spans.classes
        (3, 5, 4)
    """
    try:
        return compile_pattern(tree)
    except NotCompilableError as error:
        refusal = error
    try:
        found = _with_lookahead(tree)
    except RecursionError:
        found = None
    if found is None:
        raise refusal
    return found


def _with_lookahead(tree: Node) -> LookaheadAutomaton | None:
    budget = Budget()
    classes = Classes(sets_of(tree))
    looks = _Looks(classes, budget)
    Program(tree, classes, budget, looks.collect)
    if not looks.programs:
        return None
    rows, symbols = looks.walked_back()
    numbers, table, starts = table_of(Program(tree, symbols, budget, symbols.decided))
    # The walk back, with the merged symbols.
    merged = [[target << 8 | numbers[symbol] for target, symbol in row] for row in rows]
    merged, _ = merged_states(merged, [0], bits=8)
    if len(merged) > MAX_STATES:
        raise NotCompilableError(f"more than {MAX_STATES} states for look-ahead")
    # A column for the end, which this table does not have.
    labels, merged, _ = merged_classes([[*row, 0] for row in merged], [0] * (classes.count + 1))
    first, label = merged_ranges(classes, labels)
    count = len(starts) - 1
    spans = span_automaton(array("I", range(count)), bytes(range(count)), table, starts)
    entries = [entry for row in merged for entry in row[:-1]]
    return LookaheadAutomaton(
        first=first,
        label=label,
        classes=max(labels) + 1,
        back=array("H", [entry >> 8 for entry in entries]),
        symbol=bytes(entry & 255 for entry in entries),
        spans=spans,
    )


class _Looks:
    """The look-ahead of several characters in a pattern.

    For each, the walk knows its items that can be matched from a place on: the states of its program that take the
    character there, and from which the rest can be matched.
    """

    def __init__(self, classes: Classes, budget: Budget) -> None:
        self.programs: dict[Look, tuple[Program, Threads]] = {}
        self._classes = classes
        self._budget = budget

    def collect(self, node: Look, alphabet: Alphabet, budget: Budget) -> _Row | None:
        """Decide a look-around by the characters around it, or add it to these."""
        rows = decided(node, alphabet, budget)
        if rows is None and node not in self.programs:
            program = Program(node.item, alphabet, budget, self.collect)
            if any(isinstance(state, Open) and state.kind is FrameKind.ATOMIC for state in program.states):
                raise NotCompilableError("an atomic group or a possessive repeat within a look-ahead of several characters")
            self.programs[node] = program, Threads(program)
        return rows

    def walked_back(self) -> tuple[list[list[tuple[int, int]]], _Symbols]:
        """Return the rows of the walk back: the following state and the symbol for each class; and the symbols."""
        end = self._classes.count
        nothing: dict[Look, frozenset[int]] = dict.fromkeys(self.programs, frozenset())
        symbols = _Symbols(
            self._classes,
            {look: self._holds(look, nothing, end) for look in self.programs},
            {look: threads.kind_before for look, (_, threads) in self.programs.items()},
        )
        # A state: the items that can be matched at a place, and the character after it.
        numbers: dict[tuple[tuple[frozenset[int], ...], _Row], int] = {}
        places: list[tuple[dict[Look, frozenset[int]], int]] = []

        def number(items: dict[Look, frozenset[int]], char: int) -> int:
            kinds = tuple(threads.kind_after[char] for _, threads in self.programs.values())
            key = (tuple(items.values()), kinds)
            if key not in numbers:
                numbers[key] = len(places)
                places.append((items, char))
            return numbers[key]

        number(nothing, end)
        rows: list[list[tuple[int, int]]] = []
        while len(rows) < len(places):
            items, after = places[len(rows)]
            row = []
            for char in range(end):
                before = {look: self._taking(look, char, items, after) for look in self.programs}
                holds = {look: self._holds(look, before, char) for look in self.programs}
                row.append((number(before, char), symbols.number(char, holds)))
            rows.append(row)
        return rows, symbols

    def _taking(self, look: Look, char: int, items: dict[Look, frozenset[int]], after: int) -> frozenset[int]:
        """Return the items that can be matched from the place before a character on."""
        program, _ = self.programs[look]
        return frozenset(
            at
            for at, state in enumerate(program.states)
            if isinstance(state, Char)
            and state.mask >> char & 1
            and self._can(look, state.following, char, items, after)
        )

    def _holds(self, look: Look, items: dict[Look, frozenset[int]], after: int) -> _Row:
        """Return for each kind of the character before a place whether a look-ahead's item can be matched there."""
        program, threads = self.programs[look]
        return tuple(int(self._can(look, program.start, before, items, after)) for before in threads.kinds_before)

    def _can(self, look: Look, state: int, before: int, items: dict[Look, frozenset[int]], after: int) -> bool:
        """Return whether the rest of an item can be matched.

        Args:
            look: The look-ahead.
            state: The state of its program from which the rest begins.
            before: The character before the place.
            items: The items that can be matched from the place on.
            after: The character after the place.
        """
        program, threads = self.programs[look]
        self._budget.spend(1)
        for item in threads.closure(state, threads.kind_before[before], threads.kind_after[after]):
            opening = program.states[item]
            if item == DONE or item in items[look]:
                return True
            if isinstance(opening, Open):
                assert opening.look is not None
                inner = self.programs[opening.look][0].start
                holds = self._can(opening.look, inner, before, items, after) != opening.look.negative
                if holds and self._can(look, opening.following, before, items, after):
                    return True
        return False


class _Symbols:
    """Classes of characters, each with what look-ahead holds before the character.

    Args:
        classes: The classes.
        at_end: For each look-ahead and kind of the last character, whether its item can be matched at the end.
        kinds: For each look-ahead, the kinds of the characters before it.
    """

    def __init__(self, classes: Classes, at_end: dict[Look, _Row], kinds: dict[Look, list[int]]) -> None:
        self.count = 0
        self._classes = classes
        self._at_end = at_end
        self._numbers: dict[tuple[int, tuple[_Row, ...]], int] = {}
        self._every: list[tuple[int, dict[Look, _Row]]] = []
        self._kinds = kinds

    def number(self, char: int, holds: dict[Look, _Row]) -> int:
        """Return the symbol of a class with what holds before it, for each kind of the character before that."""
        key = (char, tuple(holds.values()))
        if key not in self._numbers:
            if self.count == _MAX_SYMBOLS:
                raise NotCompilableError("too many combinations of look-ahead")
            self._numbers[key] = self.count
            self._every.append((char, holds))
            self.count += 1
        return self._numbers[key]

    def mask(self, members: CharacterSet) -> int:
        """Return the symbols of a set of characters, as bits."""
        inside = self._classes.mask(members)
        return sum(1 << at for at, (char, _) in enumerate(self._every) if inside >> char & 1)

    def decided(self, node: Look, alphabet: Alphabet, budget: Budget) -> _Row | None:
        """Return any look-around as the rows of a `Condition` on symbols; see `wordsplit.patterns.lookaround`."""
        if node not in self._at_end:
            return decided(node, alphabet, budget)
        rows = []
        for kind, at_end in enumerate(self._at_end[node]):
            row = sum(1 << at for at, (_, holds) in enumerate(self._every) if holds[node][kind] != node.negative)
            rows.append(row | (at_end != node.negative) << self.count)
        kinds = self._kinds[node]
        return tuple(rows[kinds[char]] for char in (*(char for char, _ in self._every), self._classes.count))
