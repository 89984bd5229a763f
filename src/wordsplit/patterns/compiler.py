"""Compile a pattern to a table that a scanner walks.

The tree of a pattern becomes a program of threads (`program`), over character classes that no set of it tells
apart (`classes`). Lists of threads in the order of preference are the states of a table (`determinize`), which is then
made small (`minimize`).
"""

from __future__ import annotations

from array import array

from wordsplit.patterns.automaton import SpanAutomaton
from wordsplit.patterns.classes import Classes
from wordsplit.patterns.determinize import determinized
from wordsplit.patterns.limits import MAX_CLASSES, MAX_STATES, Budget, NotCompilableError
from wordsplit.patterns.lookaround import Lookaround
from wordsplit.patterns.minimize import merged_classes, merged_states
from wordsplit.patterns.program import Program
from wordsplit.patterns.syntax.characters import ANY, CharacterSet
from wordsplit.patterns.syntax.tree import Characters, Node, walk

__all__ = ["compile_pattern", "merged_ranges", "sets_of", "span_automaton", "table_of"]


def compile_pattern(tree: Node) -> SpanAutomaton:
    """Return the automaton of a pattern.

    Args:
        tree: The pattern's tree, from `wordsplit.patterns.syntax.parse`.

    Raises:
        NotCompilableError: There is none, or it is too large.

    Example:
        >>> from wordsplit.patterns.syntax import parse
        >>> automaton = compile_pattern(parse(r"a+b?", "tokenizers"))
        >>> automaton.classes, list(automaton.first), list(automaton.label), len(automaton.next)
        (3, [0, 97, 98, 99], [0, 1, 2, 0], 16)
    """
    try:
        return _compiled(tree)
    except RecursionError:
        raise NotCompilableError("groups nested too deeply") from None


def _compiled(tree: Node) -> SpanAutomaton:
    budget = Budget()
    classes = Classes(sets_of(tree))
    numbers, rows, starts = table_of(Program(tree, classes, budget, Lookaround(classes, budget).decided))
    first, label = merged_ranges(classes, numbers)
    return span_automaton(first, label, rows, starts)


def sets_of(tree: Node) -> list[CharacterSet]:
    """Return the sets that a pattern tells apart."""
    return [ANY, *(node.members for node in walk(tree) if isinstance(node, Characters))]


def table_of(program: Program) -> tuple[list[int], list[list[int]], list[int]]:
    """Return the smallest table: the new number of each class, the rows of the states, and the starts."""
    rows, starts = merged_states(*determinized(program))
    numbers, rows, starts = merged_classes(rows, starts)
    if len(rows) > MAX_STATES:
        raise NotCompilableError(f"more than {MAX_STATES} states")
    if len(starts) - 1 > MAX_CLASSES:
        raise NotCompilableError(f"more than {MAX_CLASSES} character classes")
    return numbers, rows, starts


def merged_ranges(classes: Classes, numbers: list[int]) -> tuple[array[int], bytes]:
    """Return the first code points and the labels of ranges, for new numbers of the classes."""
    first, label = array("I"), bytearray()
    for start, at in zip(classes.first, classes.label, strict=True):
        if not label or label[-1] != numbers[at]:
            first.append(start)
            label.append(numbers[at])
    return first, bytes(label)


def span_automaton(first: array[int], label: bytes, rows: list[list[int]], starts: list[int]) -> SpanAutomaton:
    """Return the automaton of a table."""
    return SpanAutomaton(
        first=first,
        label=label,
        classes=len(starts) - 1,
        starts=array("H", starts),
        next=array("H", [entry for row in rows for entry in row]),
    )
