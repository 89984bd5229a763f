"""The syntax tree of a pattern: what it matches, not how it is spelled.

Flags are resolved: a case-insensitive letter is a set of characters, and so is a dot. Line anchors and word
boundaries are look-around. Groups that capture are left only where a back reference needs them.
Alternatives and repetitions are tried in the order of a backtracking matcher, the leftmost alternative first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from wordsplit.patterns.syntax.characters import CharacterSet

__all__ = [
    "EMPTY",
    "END",
    "START",
    "Alternation",
    "Anchor",
    "Atomic",
    "BackReference",
    "Characters",
    "Concatenation",
    "Group",
    "Look",
    "Node",
    "Repeat",
    "alternation",
    "children",
    "concatenation",
    "walk",
]


@dataclass(frozen=True)
class Characters:
    """One character of a set."""

    members: CharacterSet


@dataclass(frozen=True)
class Concatenation:
    """A sequence of items; without items, the empty string."""

    items: tuple[Node, ...]


@dataclass(frozen=True)
class Alternation:
    """The first branch with which the rest of the pattern also matches."""

    branches: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """From ``least`` to ``most`` times (``None``: without limit) the item."""

    item: Node
    least: int
    most: int | None
    greedy: bool = True


@dataclass(frozen=True)
class Atomic:
    """The item's first match only."""

    item: Node


@dataclass(frozen=True)
class Group:
    """A group that a back reference names by its number; none names 0."""

    item: Node
    number: int


@dataclass(frozen=True)
class BackReference:
    """The text that the group matched last."""

    number: int


@dataclass(frozen=True)
class Look:
    """Whether the item matches after this place (``ahead``), or ends at it."""

    item: Node
    ahead: bool
    negative: bool = False


@dataclass(frozen=True)
class Anchor:
    """The start or the end of the text."""

    at: Literal["start", "end"]


Node = Characters | Concatenation | Alternation | Repeat | Atomic | Group | BackReference | Look | Anchor

EMPTY = Concatenation(())
START, END = Anchor("start"), Anchor("end")


def concatenation(items: list[Node]) -> Node:
    """Return the items in one flat node."""
    flat = [part for item in items for part in (item.items if isinstance(item, Concatenation) else (item,))]
    return flat[0] if len(flat) == 1 else Concatenation(tuple(flat))


def alternation(branches: list[Node]) -> Node:
    """Return the branches in one node."""
    return branches[0] if len(branches) == 1 else Alternation(tuple(branches))


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly within a node."""
    if isinstance(node, Concatenation):
        return node.items
    if isinstance(node, Alternation):
        return node.branches
    if isinstance(node, (Repeat, Atomic, Group, Look)):
        return (node.item,)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes within it."""
    yield node
    for child in children(node):
        yield from walk(child)
