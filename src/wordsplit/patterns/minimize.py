"""Make a table small: merge states, then classes, that cannot be told apart."""

from __future__ import annotations

from collections import defaultdict

__all__ = ["merged_classes", "merged_states"]


def merged_states(rows: list[list[int]], starts: list[int]) -> tuple[list[list[int]], list[int]]:
    """Return the rows of the fewest states that match alike, and the new numbers of ``starts``.

    State 0 stays the first. States are in the order in which they are reached.
    """
    block = _blocks(rows)
    numbers = {block[0]: 0}
    chosen = [0]
    waiting = list(starts)
    for state in waiting:
        if block[state] not in numbers:
            numbers[block[state]] = len(chosen)
            chosen.append(state)
            waiting.extend(entry >> 1 for entry in dict.fromkeys(rows[state]))
    smaller = [[numbers[block[entry >> 1]] * 2 + (entry & 1) for entry in rows[state]] for state in chosen]
    return smaller, [numbers[block[state]] for state in starts]


def _blocks(rows: list[list[int]]) -> list[int]:
    """Return for each state the number of the set of states that match alike, by refining a partition."""
    into: list[list[int]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for entry in dict.fromkeys(entry >> 1 for entry in row):
            into[entry].append(state)
    # Entries tell apart by their low bits; then states, by the blocks that they lead to.
    kinds: dict[tuple[int, ...], int] = {}
    block = [kinds.setdefault(tuple(entry & 1 for entry in row), len(kinds)) for row in rows]
    members: list[set[int]] = [set() for _ in kinds]
    for state, number in enumerate(block):
        members[number].add(state)
    changed = set(range(len(rows)))
    while changed:
        touched = defaultdict(list)
        for state in changed:
            touched[block[state]].append(state)
        changed = set()
        for number, states in touched.items():
            for group in _split(states, members[number], rows, block):
                members[number].difference_update(group)
                for state in group:
                    block[state] = len(members)
                    changed.update(into[state])
                members.append(set(group))
    return block


def _split(states: list[int], whole: set[int], rows: list[list[int]], block: list[int]) -> list[list[int]]:
    """Return the groups that leave a block: all of its groups but the largest.

    Args:
        states: The members that may differ from the rest, which are alike.
        whole: All members.
        rows: The rows of all states.
        block: The blocks of all states.
    """
    groups = defaultdict(list)
    for state in states:
        groups[tuple([block[entry >> 1] for entry in rows[state]])].append(state)
    if len(states) < len(whole):
        rest = whole.difference(states)
        one = next(iter(rest))
        groups[tuple([block[entry >> 1] for entry in rows[one]])].extend(rest)
    return sorted(groups.values(), key=len)[:-1]


def merged_classes(rows: list[list[int]], starts: list[int]) -> tuple[list[int], list[list[int]], list[int]]:
    """Return the new number of each class, and rows and starts with one column for all classes that are alike.

    The last column, the end of the text, stays the last and by itself.
    """
    columns = list(zip(*rows, strict=True))
    found: dict[tuple[int, tuple[int, ...]], int] = {}
    numbers = [
        found.setdefault((start, column), len(found)) for start, column in zip(starts[:-1], columns[:-1], strict=True)
    ]
    kept = [numbers.index(number) for number in range(len(found))] + [len(numbers)]
    return numbers, [[row[at] for at in kept] for row in rows], [starts[at] for at in kept]
