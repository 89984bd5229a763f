"""Make a table small: merge states, then classes, that cannot be told apart."""

from __future__ import annotations

from collections import defaultdict

__all__ = ["merged_classes", "merged_states"]


def merged_states(rows: list[list[int]], starts: list[int], bits: int = 1) -> tuple[list[list[int]], list[int]]:
    """Return the rows of the fewest states that do the same, and the new numbers of ``starts``.

    State 0 stays the first. States are in the order in which they are reached.

    Args:
        rows: The entries of each state: the following state, shifted by ``bits``, and below it what the step says.
        starts: States in which a walk begins.
        bits: The size of what a step says.
    """
    block = _blocks(rows, bits)
    says = (1 << bits) - 1
    numbers: dict[int, int] = {}
    chosen: list[int] = []
    waiting = [0, *starts]
    for state in waiting:
        if block[state] not in numbers:
            numbers[block[state]] = len(chosen)
            chosen.append(state)
            waiting.extend(entry >> bits for entry in dict.fromkeys(rows[state]))
    smaller = [[numbers[block[entry >> bits]] << bits | (entry & says) for entry in rows[state]] for state in chosen]
    return smaller, [numbers[block[state]] for state in starts]


def _blocks(rows: list[list[int]], bits: int) -> list[int]:
    """Return for each state the number of the set of states that do the same, by refining a partition."""
    says = (1 << bits) - 1
    targets = [[entry >> bits for entry in row] for row in rows]
    into: list[list[int]] = [[] for _ in rows]
    for state, row in enumerate(targets):
        for target in dict.fromkeys(row):
            into[target].append(state)
    # States differ by what their steps say; then, by the blocks to which these lead.
    kinds: dict[tuple[int, ...], int] = {}
    block = [kinds.setdefault(tuple([entry & says for entry in row]), len(kinds)) for row in rows]
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
            for group in _split(states, members[number], targets, block):
                members[number].difference_update(group)
                for state in group:
                    block[state] = len(members)
                    changed.update(into[state])
                members.append(set(group))
    return block


def _split(states: list[int], whole: set[int], targets: list[list[int]], block: list[int]) -> list[list[int]]:
    """Return the groups that leave a block: all of its groups but the largest.

    Args:
        states: The members that may differ from the rest, which are alike.
        whole: All members.
        targets: The states that follow each state.
        block: The blocks of all states.
    """
    groups = defaultdict(list)
    for state in states:
        groups[tuple([block[target] for target in targets[state]])].append(state)
    if len(states) < len(whole):
        rest = whole.difference(states)
        one = next(iter(rest))
        groups[tuple([block[target] for target in targets[one]])].extend(rest)
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
