"""The dialect of `tiktoken`: Rust's ``fancy_regex`` over ``regex_automata``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from wordsplit.patterns.syntax.assertions import (
    LINE_END,
    NOT_NEWLINE,
    general_newline,
    line_start,
    text_end,
    word_boundary,
    word_edge,
)
from wordsplit.patterns.syntax.characters import (
    ANY,
    CharacterSet,
    Named,
    Ranges,
    chars,
    complement,
    folded,
    intersection,
    ranges,
    union,
)
from wordsplit.patterns.syntax.empty import empty_last, may_be_empty
from wordsplit.patterns.syntax.names import ASCII_CLASSES, HEX_DIGITS, rust_class
from wordsplit.patterns.syntax.reader import Flags, Reader
from wordsplit.patterns.syntax.tree import (
    EMPTY,
    END,
    START,
    Alternation,
    Atomic,
    BackReference,
    Characters,
    Concatenation,
    Group,
    Look,
    Node,
    Repeat,
    alternation,
    children,
    concatenation,
    walk,
)

__all__ = ["RustParser"]

_WORD = Named("w")
_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "e": "\x1b"}
_CLASSES: dict[str, CharacterSet] = {"d": Named("Nd"), "s": Named("s"), "w": _WORD, "h": HEX_DIGITS}
_LINE_START = line_start(at_end=True)
_EDGES: dict[str, Node] = {
    "start": word_edge(_WORD, start=True),
    "end": word_edge(_WORD, start=False),
    "start-half": Look(Characters(_WORD), ahead=False, negative=True),
    "end-half": Look(Characters(_WORD), ahead=True, negative=True),
}
_ESCAPES: dict[str, Node] = {
    "<": _EDGES["start"],
    ">": _EDGES["end"],
    "A": START,
    "B": word_boundary(_WORD, negative=True),
    "N": Characters(NOT_NEWLINE),
    "O": Characters(ANY),
    "R": general_newline(),
    "Z": text_end(None),
    "b": word_boundary(_WORD, negative=False),
    "z": END,
}
_PLAIN_EDGES = (_LINE_START, LINE_END)
_FLAGS = {"i": "ignore_case", "m": "multi_line", "s": "dot_all", "x": "extended", "U": "swap_greed"}
_LOOKS = {"?=": (True, False), "?!": (True, True), "?<=": (False, False), "?<!": (False, True)}


class RustParser(Reader):
    """A parser of one pattern."""

    at: int
    flags: Flags

    def __init__(self, pattern: str, source: str | None, field: str) -> None:
        super().__init__(pattern, source, field)
        self._groups = 0
        self._closed: set[int] = set()

    def parse(self) -> Node:
        """Return the tree of the whole pattern."""
        tree = self.to_the_end()
        for node in walk(tree):
            if isinstance(node, Repeat) and node.most is None and may_be_empty(node.item) and not empty_last(node.item):
                raise self.refuse("an endless repeat of an item that prefers to be empty", 0)
            if isinstance(node, Concatenation) and _has_equal_repeats(node):
                raise self.refuse("two equal repeats with an optional item between them", 0)
        return tree

    def branch(self) -> Node:
        """See `Reader.branch`."""
        items: list[Node] = []
        while True:
            self.skip()
            if self.at >= len(self.pattern) or self.pattern[self.at] in "|)":
                return concatenation(items)
            items.append(self._repeated(self._atom()))

    def joined(self, branches: list[Node]) -> Node:
        """See `Reader.joined`. The engine lifts what all branches begin with out of them, which can change matches."""
        node = alternation(branches)
        return _lifted(branches) if len(branches) > 1 and _is_plain(node) else node

    def _repeated(self, item: Node | None) -> Node:
        """Read the quantifier after an item; ``None`` is one that sets flags only."""
        start = self.at
        self.skip()
        at = self.at
        count = self._count()
        if count is None:
            return EMPTY if item is None else item
        if item is None or isinstance(item, Look) or item == EMPTY:
            raise self.refuse("a repeat of what cannot be repeated", start)
        self.skip()
        greedy = not self.takes("?")
        least, most = count
        if most is not None and most < least:
            raise self.refuse("a repeat whose least count is greater than the other", at)
        node: Node = Repeat(item, least, most, greedy != self.flags.swap_greed)
        return Atomic(node) if self.takes("+") else node

    def _count(self) -> tuple[int, int | None] | None:
        for sign, count in (("?", (0, 1)), ("*", (0, None)), ("+", (1, None))):
            if self.takes(sign):
                return count
        start = self.at
        if not self.takes("{"):
            return None
        self.skip()
        low = self.number()
        self.skip()
        high = low
        if self.takes(","):
            self.skip()
            high = self.number()
            self.skip()
        elif low is None:
            high = -1
        if high == -1 or not self.takes("}"):
            self.at = start  # a brace that begins no count is a character
            return None
        self.bounds(low, high)
        return low or 0, high

    def _literal(self, char: str) -> Node:
        return Characters(folded(chars(char)) if self.flags.ignore_case else chars(char))

    def _atom(self) -> Node | None:
        start, char = self.at, self.char()
        if char == ".":
            return Characters(ANY if self.flags.dot_all else NOT_NEWLINE)
        if char == "(":
            return self._group(start)
        if char == "[":
            return Characters(self._set(start))
        if char == "\\":
            return self._escape(start)
        if char in "*+?":
            raise self.refuse("a repeat of nothing", start)
        if char in "^$" and self.flags.multi_line:
            return _LINE_START if char == "^" else LINE_END
        return {"^": START, "$": END}.get(char) or self._literal(char)

    def _group(self, start: int) -> Node | None:
        self.skip()
        for opening in ("?<=", "?<!", "?=", "?!"):
            if self.takes(opening):
                ahead, negative = _LOOKS[opening]
                return Look(self._inside(), ahead, negative)
        if self.takes("?>"):
            return Atomic(self._inside())
        for opening, closing in (("?P<", ">"), ("?<", ">"), ("?'", "'")):
            if self.takes(opening):
                if not self.until(closing, "a name"):
                    raise self.refuse("the name '' of a group", start)
                return self._capture()
        if self.sees("?") or self.sees("*"):
            if self.sees("*") or self.sees("?P") or self.sees("?~") or self.sees("?("):
                raise self.refuse(f"'({self.pattern[self.at : self.at + 2]}'", start)
            self.at += 1
            return self._flag_group(start)
        return self._capture()

    def _capture(self) -> Node:
        self._groups += 1
        number = self._groups
        node = self._inside()
        self._closed.add(number)
        return Group(node, number)

    def _inside(self) -> Node:
        """Read the rest of a group. Flags that it sets stay set after it, as in this engine."""
        node = self.alternatives()
        self.close()
        return node

    def _flag_group(self, start: int) -> Node | None:
        before, value = self.flags, True
        first = self.at
        while True:
            self.skip()
            char = self.char("the end of flags")
            if char == "-" and value:
                value = False
            elif char in _FLAGS:
                self.flags = replace(self.flags, **{_FLAGS[char]: value})
            elif char == "u" and value:
                pass
            elif char == ")" and self.at - 1 > first + (not value):
                return None
            elif char == ":" and (value or self.at - 1 > first + 1):
                node = self._inside()
                self.flags = before
                return node
            else:
                raise self.refuse(f"{self.pattern[start : self.at]!r}", start)

    def _escape(self, start: int) -> Node:
        char = self.char("a character after '\\'")
        if char in "bB" and self.sees("{"):
            return self._edge(char, start)
        if char in _ESCAPES:
            return _ESCAPES[char]
        if char in "123456789":
            self.at -= 1
            number = self.number() or 0
            if number not in self._closed or self.flags.ignore_case:
                raise self.refuse("a back reference to a later or an open group, or one that ignores case", start)
            return BackReference(number)
        return Characters(self._class_or_character(char, start))

    def _edge(self, char: str, start: int) -> Node:
        kind = self.until("}", "a boundary").removeprefix("{")
        if char == "B" or kind not in _EDGES:
            raise self.refuse(f"'\\{char}{{{kind}}}'", start)
        return _EDGES[kind]

    def _class_or_character(self, char: str, start: int) -> CharacterSet:
        """Return the meaning of an escape that is also valid in a set."""
        found = self._named(char, start)
        if found is not None:
            return found
        if char in "xuU":
            return self._cased(chars(self._hexadecimal({"x": 2, "u": 4, "U": 8}[char])))
        if char in _CONTROLS:
            return chars(_CONTROLS[char])
        if char.isascii() and char.isalnum():
            raise self.refuse(f"'\\{char}'", start)
        return chars(char)

    def _cased(self, members: CharacterSet) -> CharacterSet:
        return folded(members) if self.flags.ignore_case else members

    def _named(self, char: str, start: int) -> CharacterSet | None:
        r"""Return the class of ``\d``, ``\p{...}`` and the like."""
        if char.lower() in _CLASSES:
            found = _CLASSES[char.lower()]
            return found if char.islower() else complement(found)
        if char not in "pP":
            return None
        name = self.char("a property")
        negative = char == "P"
        if name == "{":
            name = self.until("}", "a property")
            if name.startswith("^"):
                name, negative = name[1:], not negative
        members = rust_class(name)
        if members is None:
            raise self.refuse(f"the property {name!r}", start)
        members = self._cased(members)
        return complement(members) if negative else members

    def _hexadecimal(self, count: int) -> str:
        self.skip()
        digits = self.hex_digits(count)
        if digits is None:
            if not self.takes("{"):
                raise self.refuse("a character without its number")
            digits = self.until("}", "a number")
        return self.code_point(digits)

    def _set(self, start: int) -> CharacterSet:
        """Read a set after its bracket."""
        self.deeper()
        negative = self.takes("^")
        items: list[CharacterSet] = []
        while self.takes("-"):
            items.append(chars("-"))
        if not items and self.takes("]"):
            items.append(chars("]"))
        before: CharacterSet | None = None
        operation = ""
        while True:
            if self.at >= len(self.pattern):
                raise self.refuse("a set without ']'", start)
            if self.takes("]"):
                break
            following = next((sign for sign in ("&&", "--", "~~") if self.takes(sign)), None)
            if following:
                before, operation, items = self._combined(before, operation, items), following, []
            else:
                items.append(self._item())
        self.deeper(-1)
        members = self._cased(self._combined(before, operation, items))
        return complement(members) if negative else members

    def _combined(self, before: CharacterSet | None, operation: str, items: list[CharacterSet]) -> CharacterSet:
        """Apply an operation to the set before it and the items after it."""
        members = union(items)
        if before is None:
            return members
        before, members = self._cased(before), self._cased(members)
        if operation == "&&":
            return intersection([before, members])
        if operation == "--":
            return intersection([before, complement(members)])
        return union([intersection([before, complement(members)]), intersection([members, complement(before)])])

    def _item(self) -> CharacterSet:
        start = self.at
        if self.takes("["):
            if self.takes(":"):
                end = self.pattern.find(":]", self.at)
                name = self.pattern[self.at : end] if end >= 0 else ""
                found = ASCII_CLASSES.get(name.removeprefix("^"))
                if found is not None:
                    self.at = end + 2
                    members = self._cased(found)
                    return complement(members) if name.startswith("^") else members
                self.at = start + 1
            return self._set(start)
        first = self._set_character()
        if not self.sees("-") or self.sees("-]") or self.sees("--"):
            return first if not isinstance(first, str) else chars(first)
        self.at += 1
        if self.sees("["):
            raise self.refuse("'[' at the end of a range")
        last = self._set_character()
        if not isinstance(first, str) or not isinstance(last, str) or first > last:
            raise self.refuse("a range of characters in the wrong order, or of classes", start)
        return ranges([(ord(first), ord(last))])

    def _set_character(self) -> str | CharacterSet:
        start, char = self.at, self.char("']'")
        if char != "\\":
            return char
        char = self.char("a character after '\\'")
        if char in "pP":
            at = self.at
            if self.takes("{"):
                name = self.until("}", "a property").removeprefix("^").lower()
                self.at = at
                if name in ("alnum", "blank", "cntrl", "graph", "print"):
                    raise self.refuse(f"the property {name!r} within a set", start)
        found = self._named(char, start)
        if found is not None:
            return found
        if char == "b":
            return "\b"
        if char in "xuU":
            return self._hexadecimal({"x": 2, "u": 4, "U": 8}[char])
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char.isascii() and char.isalnum():
            raise self.refuse(f"'\\{char}' within a set", start)
        return char


def _has_equal_repeats(node: Concatenation) -> bool:
    """Return whether there is something like ``a+x?a+``, which tiktoken 0.14 finds in the text ``a``."""
    return any(
        isinstance(before, Repeat)
        and isinstance(middle, Repeat)
        and middle.least == 0
        and before == after == Repeat(before.item, 1, None)
        for before, middle, after in zip(node.items, node.items[1:], node.items[2:], strict=False)
    )


def _is_plain(node: Node) -> bool:
    """Return whether a part goes to the engine of plain patterns as a whole: without look-around and the like."""
    if node in _PLAIN_EDGES:
        return True
    return not isinstance(node, (Look, Atomic, BackReference)) and all(map(_is_plain, children(node)))


def _lifted(branches: list[Node]) -> Node:
    flat = [part for each in branches for part in (each.branches if isinstance(each, Alternation) else (each,))]
    units = [_units(each) for each in flat]
    count = sum(1 for _ in _leading(units))
    if count == 0 or any(len(each) < 2 for each in units):
        return alternation(flat)
    rest = [concatenation([item for unit in each[count:] for item in unit]) for each in units]
    return concatenation([*(item for unit in units[0][:count] for item in unit), _lifted(rest)])


def _leading(units: list[list[list[Node]]]) -> Iterator[tuple[list[Node], ...]]:
    """Yield the units at each place, while they are the same in all branches."""
    return takewhile(lambda same: all(unit == same[0] for unit in same), zip(*units, strict=False))


def _units(branch: Node) -> list[list[Node]]:
    """Return the items of a branch, of which letters in a row are one."""
    out: list[list[Node]] = []
    for item in branch.items if isinstance(branch, Concatenation) else (branch,):
        if out and _is_letter(item) and _is_letter(out[-1][0]):
            out[-1].append(item)
        else:
            out.append([item])
    return out


def _is_letter(node: Node) -> bool:
    members = node.members if isinstance(node, Characters) else None
    return isinstance(members, Ranges) and len(members.bounds) == 1 and members.bounds[0][0] == members.bounds[0][1]
