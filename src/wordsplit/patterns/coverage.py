"""Whether a pattern matches at every character, so that its matches leave no text out."""

from __future__ import annotations

from wordsplit.patterns.syntax.characters import NOTHING, CharacterSet, complement, flags, intersection, union
from wordsplit.patterns.syntax.tree import Alternation, Atomic, Characters, Concatenation, Group, Node, Repeat

__all__ = ["matches_every_character"]


def matches_every_character(tree: Node) -> bool:
    """Return whether a match begins at every character, whatever surrounds it.

    Only what is plain to see counts: a branch with one set of characters that must be there and others that need not.
    """
    inside = flags(_always(tree))
    return b"\0" not in inside[:0xD800] + inside[0xE000:]


def _always(node: Node) -> CharacterSet:
    """Return characters at each of which the node matches, whatever follows."""
    if isinstance(node, Characters):
        return node.members
    if isinstance(node, (Group, Atomic)):
        return _always(node.item)
    if isinstance(node, Repeat):
        return _always(node.item) if node.least <= 1 else NOTHING
    if isinstance(node, Alternation):
        return union(map(_always, node.branches))
    return _in_a_row(node.items) if isinstance(node, Concatenation) else NOTHING


def _in_a_row(items: tuple[Node, ...]) -> CharacterSet:
    needed = [at for at, item in enumerate(items) if not _optional(item)]
    if len(needed) > 1:
        return NOTHING
    at = needed[0] if needed else 0
    # What an item before it takes and does not give back may be what is needed.
    kept = union(_first(item) for item in items[:at] if isinstance(item, Atomic))
    return intersection([_always(items[at]), complement(kept)]) if items else NOTHING


def _optional(node: Node) -> bool:
    """Return whether a node matches everywhere, if only the empty string."""
    return _optional(node.item) if isinstance(node, (Atomic, Group)) else isinstance(node, Repeat) and node.least == 0


def _first(node: Node) -> CharacterSet:
    """Return the characters with which a match of an optional node can begin; all of them if it is not plain to see."""
    while isinstance(node, (Atomic, Group, Repeat)):
        node = node.item
    return node.members if isinstance(node, Characters) else complement(NOTHING)
