"""Oniguruma without regard to case: ``ss`` matches ß, and a set with ß matches ``ss``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from wordsplit.patterns.syntax.characters import CharacterSet, chars, complement, contains, folded
from wordsplit.patterns.syntax.tree import (
    Alternation,
    Atomic,
    Characters,
    Concatenation,
    Group,
    Look,
    Node,
    Repeat,
    alternation,
    concatenation,
)
from wordsplit.unicode.case import of_several_letters, spelled_alike

__all__ = ["expanded", "letter", "set_ignoring_case"]


@dataclass(frozen=True)
class Letter(Characters):
    """A character of the pattern itself, of which case is ignored. Several in a row may match one character."""

    char: str


def letter(char: str) -> Letter:
    """Return the node of a character of which case is ignored."""
    return Letter(folded(chars(char)), char)


def set_ignoring_case(members: CharacterSet, *, negative: bool) -> Node:
    """Return what a set matches: its members in any case, and the letters that one of them stands for."""
    inside = folded(members)
    if negative:
        return Characters(complement(inside))
    spelled = {letters for char, letters in of_several_letters().items() if contains(inside, ord(char))}
    sequences = sorted(spelled, key=lambda letters: (len(letters), letters))
    return alternation(
        [Characters(inside), *(concatenation([Characters(folded(chars(char))) for char in word]) for word in sequences)]
    )


def expanded(node: Node) -> Node:
    """Replace rows of letters that a single character can match by all spellings."""
    if isinstance(node, Concatenation):
        return concatenation([expanded(item) for item in _spelled_out(node.items)])
    if isinstance(node, Letter):
        return concatenation(list(_row([node])))
    if isinstance(node, Alternation):
        return Alternation(tuple(map(expanded, node.branches)))
    if isinstance(node, (Repeat, Atomic, Group, Look)):
        return replace(node, item=expanded(node.item))
    return node


def _spelled_out(items: Iterable[Node]) -> Iterator[Node]:
    for is_row, found in groupby(items, lambda item: isinstance(item, Letter)):
        nodes = list(found)
        yield from _row([node for node in nodes if isinstance(node, Letter)]) if is_row else nodes


def _row(row: list[Letter]) -> Iterator[Node]:
    several = of_several_letters()
    spelled: dict[str, str] = {}  # letters, each as the least of its cases, to the characters that stand for them
    for char, letters in several.items():
        key = "".join(map(_least, letters))
        spelled[key] = spelled.get(key, "") + char
    plain = "".join(_least(each.char) for each in row)
    at = 0
    while at < len(row):
        char = row[at].char
        if char in several:
            word, size = several[char], 1
        else:
            # The longest row of letters from here on; rows that overlap it are not tried.
            size = next((size for size in (3, 2) if plain[at : at + size] in spelled), 1)
            word = plain[at : at + size]
        spelled_out = concatenation([Characters(folded(chars(each))) for each in word])
        alone = spelled.get("".join(map(_least, word)), "")
        yield alternation([spelled_out, Characters(folded(chars(alone)))]) if alone else spelled_out
        at += size


def _least(char: str) -> str:
    """Return one character for all cases of a letter."""
    return min(spelled_alike().get(char, char))
