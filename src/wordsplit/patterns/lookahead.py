"""Look-ahead over any number of characters, by a walk from the end of a text to its start.

The walk gives each character a symbol: its class, and which look-ahead of the pattern holds at the place before the
character. To the automaton of the pattern, which takes symbols instead of classes, look-ahead then depends only on
the next symbol.
"""

from __future__ import annotations

from array import array

from wordsplit.patterns.automaton import LookaheadAutomaton, SpanAutomaton
from wordsplit.patterns.classes import Classes
from wordsplit.patterns.compiler import compile_pattern, merged_ranges, sets_of, span_automaton, table_of
from wordsplit.patterns.limits import MAX_STATES, Budget, NotCompilableError
from wordsplit.patterns.lookaround import Lookaround
from wordsplit.patterns.minimize import merged_classes, merged_states
from wordsplit.patterns.program import DONE, Char, FrameKind, Open, Program
from wordsplit.patterns.syntax.characters import CharacterSet
from wordsplit.patterns.syntax.tree import Look, Node, walk
from wordsplit.patterns.threads import Threads

__all__ = ["compile_any"]

_MAX_SYMBOLS = 1024  # before those are merged that the pattern treats alike
_Row = tuple[int, ...]
_Items = tuple[frozenset[int], ...]


def compile_any(tree: Node) -> SpanAutomaton | LookaheadAutomaton:
    r"""Return the automaton of a pattern, one with a walk from the end of the text only if it needs that.

    Raises:
        NotCompilableError: There is none, or it is too large.

    Example:
        >>> from wordsplit.patterns.syntax import parse
        >>> automaton = compile_any(parse(r"\d{1,3}(?=(?:\d{3})*\b)", "tokenizers"))
        >>> automaton.classes, len(automaton.back) // automaton.classes, automaton.spans.classes
        (3, 4, 4)
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
    for node in walk(tree):
        if isinstance(node, Look) and node.ahead:
            looks.collect(node)
    if not looks.programs:
        return None
    rows, symbols = looks.walked_back()
    numbers, table, starts = table_of(Program(tree, symbols, budget, _OnSymbols(symbols, looks, budget).decided))
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
    """The look-ahead of several characters in a pattern, numbered; that within others, too.

    For each, the walk knows its items that can be matched from a place on: the states of its program that take the
    character there, and from which the rest can be matched.
    """

    def __init__(self, classes: Classes, budget: Budget) -> None:
        self.programs: list[tuple[Program, Threads]] = []
        self.numbers: dict[int, int] = {}
        """The number of each, by the identity of its node."""
        self._classes = classes
        self._budget = budget
        self._lookaround = Lookaround(classes, budget)
        self._takers: list[list[list[tuple[int, int]]]] = []

    def collect(self, node: Look) -> _Row | None:
        """Decide a look-around by the characters around it, or add it to these."""
        rows = self._lookaround.decided(node)
        if rows is None and id(node) not in self.numbers:
            program = Program(node.item, self._classes, self._budget, self.collect)
            if any(isinstance(state, Open) and state.kind is FrameKind.ATOMIC for state in program.states):
                raise NotCompilableError(f"{FrameKind.ATOMIC.value} within {FrameKind.AHEAD.value}")
            self.numbers[id(node)] = len(self.programs)
            self.programs.append((program, Threads(program)))
            self._takers.append(self._by_class(program))
        return rows

    def _by_class(self, program: Program) -> list[list[tuple[int, int]]]:
        """Return for each class the states that take it, each with the following one."""
        takers: list[list[tuple[int, int]]] = [[] for _ in range(self._classes.count)]
        for at, state in enumerate(program.states):
            if isinstance(state, Char):
                self._budget.spend(len(state.classes))
                for char in state.classes:
                    takers[char].append((at, state.following))
        return takers

    def walked_back(self) -> tuple[list[list[tuple[int, int]]], _Symbols]:
        """Return the rows of the walk back: the following state and the symbol for each class; and the symbols."""
        end = self._classes.count
        nothing: _Items = (frozenset(),) * len(self.programs)
        symbols = _Symbols(self._classes, self._hold(nothing, end))
        # A state: the items that can be matched at a place, and the kinds of the character after it.
        numbers: dict[tuple[_Items, _Row], int] = {}
        places: list[tuple[_Items, int]] = []

        def number(items: _Items, char: int) -> int:
            key = (items, tuple(threads.kind_after[char] for _, threads in self.programs))
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
                before = tuple(self._taking(look, char, items, after) for look in range(len(self.programs)))
                row.append((number(before, char), symbols.number(char, self._hold(before, char))))
            rows.append(row)
        return rows, symbols

    def _taking(self, look: int, char: int, items: _Items, after: int) -> frozenset[int]:
        """Return the items that can be matched from the place before a character on."""
        takers = self._takers[look][char]
        return frozenset(at for at, following in takers if self._can(look, following, char, items, after))

    def _hold(self, items: _Items, after: int) -> tuple[_Row, ...]:
        """Return for each look-ahead and kind of the character before a place whether its item can be matched there."""
        return tuple(
            tuple(int(self._can(look, program.start, before, items, after)) for before in threads.kinds_before)
            for look, (program, threads) in enumerate(self.programs)
        )

    def _can(self, look: int, state: int, before: int, items: _Items, after: int) -> bool:
        """Return whether the rest of an item can be matched.

        Args:
            look: The number of the look-ahead.
            state: The state of its program from which the rest begins.
            before: The character before the place.
            items: For each look-ahead, the items that can be matched from the place on.
            after: The character after the place.
        """
        program, threads = self.programs[look]
        ways = threads.closure(state, threads.kind_before[before], threads.kind_after[after])
        self._budget.spend(1 + len(ways))
        for item in ways:
            opening = program.states[item]
            if item == DONE or item in items[look]:
                return True
            if isinstance(opening, Open) and opening.look:
                inner = self.numbers[id(opening.look)]
                holds = self._can(inner, self.programs[inner][0].start, before, items, after)
                if holds != opening.look.negative and self._can(look, opening.following, before, items, after):
                    return True
        return False


class _Symbols:
    """Character classes, each with what look-ahead holds before the character.

    Args:
        classes: The classes.
        at_end: For each look-ahead and kind of the last character, whether its item can be matched at the end.
    """

    def __init__(self, classes: Classes, at_end: tuple[_Row, ...]) -> None:
        self.count = 0
        self.at_end = at_end
        self.every: list[tuple[int, tuple[_Row, ...]]] = []
        """The class of each symbol, and what holds before it."""
        self._classes = classes
        self._numbers: dict[tuple[int, tuple[_Row, ...]], int] = {}

    def number(self, char: int, holds: tuple[_Row, ...]) -> int:
        """Return the symbol of a class with what holds before it, for each kind of the character before that."""
        found = self._numbers.setdefault((char, holds), self.count)
        if found == self.count:
            if found == _MAX_SYMBOLS:
                raise NotCompilableError("too many combinations of look-ahead")
            self.every.append((char, holds))
            self.count += 1
        return found

    def mask(self, members: CharacterSet) -> int:
        """Return the symbols of a set of characters, as bits."""
        inside = self._classes.mask(members)
        return sum(1 << at for at, (char, _) in enumerate(self.every) if inside >> char & 1)


class _OnSymbols:
    """Decides look-around by the symbols before and after a place."""

    def __init__(self, symbols: _Symbols, looks: _Looks, budget: Budget) -> None:
        self._symbols = symbols
        self._looks = looks
        self._lookaround = Lookaround(symbols, budget)

    def decided(self, node: Look) -> _Row | None:
        """Return any look-around as the rows of a `Condition`."""
        look = self._looks.numbers.get(id(node))
        if look is None:
            return self._lookaround.decided(node)
        symbols, (program, threads) = self._symbols, self._looks.programs[look]
        rows = []
        for kind, at_end in enumerate(symbols.at_end[look]):
            row = sum(1 << at for at, (_, holds) in enumerate(symbols.every) if holds[look][kind] != node.negative)
            rows.append(row | (at_end != node.negative) << symbols.count)
        before = [char for char, _ in symbols.every] + [program.alphabet.count]
        return tuple(rows[threads.kind_before[char]] for char in before)
