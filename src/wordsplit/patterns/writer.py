"""Write a syntax tree as a pattern of the `regex` package that matches exactly the same, under its flag ``V1``."""

from __future__ import annotations

import string

from wordsplit.patterns.substitutes import difference, spelling, used
from wordsplit.patterns.syntax.assertions import NOT_NEWLINE
from wordsplit.patterns.syntax.characters import (
    ANY,
    NOTHING,
    CharacterSet,
    Complement,
    Intersection,
    Named,
    Ranges,
    Union,
)
from wordsplit.patterns.syntax.tree import (
    Alternation,
    Anchor,
    Atomic,
    BackReference,
    Characters,
    Concatenation,
    Group,
    Look,
    Node,
    Repeat,
    walk,
)

__all__ = ["NoEqualError", "written"]

_LOOKS = {(True, False): "?=", (True, True): "?!", (False, False): "?<=", (False, True): "?<!"}
_SYNTAX = frozenset(string.punctuation)


class NoEqualError(Exception):
    """A construct that has no exact equal in the `regex` package."""


def written(tree: Node) -> str:
    """Return the pattern. It expects text with the substitutes for its classes and characters.

    Raises:
        NoEqualError: A look-behind contains an atomic group or a back reference, which the package matches from right
            to left; or an assertion and a repeat of no fixed count.
    """
    for node in walk(tree):
        if isinstance(node, Look) and not node.ahead:
            _check_look_behind(node)
    return _Writer(tree).text(tree)


def _check_look_behind(look: Look) -> None:
    inner = list(walk(look.item))
    if any(isinstance(node, (Atomic, BackReference)) for node in inner):
        raise NoEqualError("an atomic group, a possessive repeat or a back reference within a look-behind")
    # Oniguruma does not try the empty match of such a look-behind at the start of the text.
    varies = any(isinstance(node, Repeat) and node.least != node.most for node in inner)
    if varies and any(isinstance(node, (Look, Anchor)) for node in inner):
        raise NoEqualError("an assertion beside a repeat of no fixed count within a look-behind")


class _Writer:
    def __init__(self, tree: Node) -> None:
        self._classes, self._literals = used(tree)
        numbers = sorted({node.number for node in walk(tree) if isinstance(node, BackReference)})
        self._groups = {number: at for at, number in enumerate(numbers, 1)}

    def text(self, node: Node) -> str:
        """Return the pattern of a node."""
        if isinstance(node, Characters):
            text = self._characters(node.members)
        elif isinstance(node, Concatenation):
            text = "".join(
                self._grouped(item) if isinstance(item, Alternation) else self.text(item) for item in node.items
            )
        elif isinstance(node, Alternation):
            text = "|".join(map(self.text, node.branches))
        elif isinstance(node, Repeat):
            text = self._repeat(node)
        elif isinstance(node, Atomic):
            # The package ignores the plus of {1}+.
            possessive = isinstance(node.item, Repeat) and node.item.greedy and node.item.least != node.item.most
            text = self.text(node.item) + "+" if possessive else f"(?>{self.text(node.item)})"
        elif isinstance(node, Group):
            # In the order of their opening parentheses, as the package numbers them.
            text = f"({self.text(node.item)})" if node.number in self._groups else self._grouped(node.item)
        elif isinstance(node, BackReference):
            text = f"\\{self._groups[node.number]}(?:)"
        elif isinstance(node, Look):
            text = f"({_LOOKS[node.ahead, node.negative]}{self.text(node.item)})"
        else:
            text = r"\A" if node.at == "start" else r"\Z"
        return text

    def _grouped(self, node: Node) -> str:
        return f"(?:{self.text(node)})"

    def _repeat(self, node: Repeat) -> str:
        item = self.text(node.item) if isinstance(node.item, Characters) else self._grouped(node.item)
        counts = {(0, 1): "?", (0, None): "*", (1, None): "+"}
        if node.least == node.most:
            count = f"{{{node.least}}}"
        else:
            count = f"{{{node.least},{'' if node.most is None else node.most}}}"
        return item + counts.get((node.least, node.most), count) + ("" if node.greedy else "?")

    def _characters(self, members: CharacterSet) -> str:
        if members == NOT_NEWLINE:
            return "."
        if members == ANY:
            return "(?s:.)"
        if members == NOTHING:
            return "(?!)"
        if isinstance(members, Ranges) and len(members.bounds) == 1 and members.bounds[0][0] == members.bounds[0][1]:
            return _char(members.bounds[0][0])
        return self._set(members)

    def _set(self, members: CharacterSet) -> str:
        """Return a set with its brackets, or a class that needs none."""
        if isinstance(members, Named):
            return self._class(members.name)
        if isinstance(members, Complement):
            inner = members.part
            return r"\S" if inner == Named("s") and self._class("s") == r"\s" else f"[^{self._inside(inner)}]"
        return f"[{self._inside(members)}]"

    def _inside(self, members: CharacterSet) -> str:
        if isinstance(members, Ranges):
            return "".join(
                _char(first) if first == last else f"{_char(first)}-{_char(last)}" for first, last in members.bounds
            )
        if isinstance(members, Union):
            return "".join(
                self._inside(part) if isinstance(part, Ranges) else self._set(part) for part in members.parts
            )
        if isinstance(members, Intersection):
            return "&&".join(self._operand(part) for part in members.parts)
        return self._set(members)

    def _operand(self, members: CharacterSet) -> str:
        return self._set(members) if isinstance(members, Complement) else f"[{self._inside(members)}]"

    def _class(self, name: str) -> str:
        missing, extra = difference(name, self._classes, self._literals)
        text = spelling(name)
        if missing.bounds:
            text = f"[{text}{self._inside(missing)}]"
        return f"[{text}--[{self._inside(extra)}]]" if extra.bounds else text


def _char(code: int) -> str:
    char = chr(code)
    if char in _SYNTAX:
        return "\\" + char
    return char if code > 0x9F or char.isalnum() else f"\\x{code:02x}"
