"""The branches of a pattern at its top, in the order in which they are tried."""

from __future__ import annotations

from typing import NamedTuple

from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.syntax import parse
from wordsplit.patterns.syntax.tree import Alternation, Group, Node
from wordsplit.patterns.writer import NoEqualError, written

__all__ = ["Branch", "branches_of"]

_MOST_BARS = 200  # of a pattern that is searched for its branches


class Branch(NamedTuple):
    """A branch.

    Attributes:
        tree: Its tree.
        pattern: Its pattern; ``None`` if there is no spelling of its tree.
        as_written: Whether that is a part of the whole pattern. If not, it was written from the tree.
    """

    tree: Node
    pattern: str | None
    as_written: bool


def branches_of(tree: Node, pattern: str, dialect: str) -> list[Branch]:
    r"""Return the branches of a pattern.

    Args:
        tree: The pattern's tree.
        pattern: The pattern.
        dialect: Its dialect.

    Example:
        >>> [branch.pattern for branch in branches_of(parse(r"[|]|a(b|c)", "tokenizers"), "[|]|a(b|c)", "tokenizers")]
        ['[|]', 'a(b|c)']
    """
    while isinstance(tree, Group):
        tree = tree.item
    trees = tree.branches if isinstance(tree, Alternation) else (tree,)
    if len(trees) == 1:
        return [Branch(tree, pattern, as_written=True)]
    parts = _parts(trees, pattern, dialect)
    return [
        Branch(each, _spelling(each) if part is None else part, as_written=part is not None)
        for each, part in zip(trees, parts, strict=True)
    ]


def _parts(trees: tuple[Node, ...], pattern: str, dialect: str) -> list[str | None]:
    """Return the parts of a pattern that mean its branches; ``None`` for all if some are not found.

    A part between bars is one if it has the branch's tree, so that a bar within a set or a group is none.
    """
    nothing: list[str | None] = [None] * len(trees)
    ends = [at for at, char in enumerate(pattern) if char == "|"]
    if len(ends) > _MOST_BARS:
        return nothing
    ends.append(len(pattern))
    parts: list[str | None] = []
    start = 0
    for tree in trees:
        found = next((end for end in ends if end >= start and _means(pattern[start:end], dialect, tree)), None)
        if found is None:
            return nothing
        parts.append(pattern[start:found])
        start = found + 1
    return parts if start > len(pattern) else nothing


def _means(pattern: str, dialect: str, tree: Node) -> bool:
    try:
        return parse(pattern, dialect) == tree
    except UnsupportedVocabError:
        return False


def _spelling(tree: Node) -> str | None:
    try:
        return written(tree)
    except NoEqualError:
        return None
