"""Which parts of a pattern may match the empty string, and when they try to."""

from __future__ import annotations

from wordsplit.patterns.syntax.tree import (
    Alternation,
    Anchor,
    Atomic,
    Characters,
    Concatenation,
    Group,
    Look,
    Node,
    Repeat,
)

__all__ = ["empty_last", "may_be_empty"]


def may_be_empty(node: Node) -> bool:
    """Return whether a node may match the empty string."""
    if isinstance(node, Characters):
        return False
    if isinstance(node, Concatenation):
        return all(map(may_be_empty, node.items))
    if isinstance(node, Alternation):
        return any(map(may_be_empty, node.branches))
    if isinstance(node, Repeat):
        return node.least == 0 or may_be_empty(node.item)
    if isinstance(node, (Group, Atomic)):
        return may_be_empty(node.item)
    return True


def empty_last(node: Node) -> bool:
    """Return whether a node that may be empty tries that after all else, if there is anything else."""
    if isinstance(node, Concatenation):
        return all(map(empty_last, node.items))
    if isinstance(node, Alternation):
        last = not any(map(may_be_empty, node.branches[:-1])) and empty_last(node.branches[-1])
        return last or all(map(_always_empty, node.branches))
    if isinstance(node, Repeat):
        return (node.greedy or node.least == node.most) and (empty_last(node.item) or not may_be_empty(node.item))
    if isinstance(node, (Group, Atomic)):
        return empty_last(node.item)
    return True


def _always_empty(node: Node) -> bool:
    if isinstance(node, Concatenation):
        return all(map(_always_empty, node.items))
    if isinstance(node, Alternation):
        return all(map(_always_empty, node.branches))
    return isinstance(node, (Look, Anchor))
