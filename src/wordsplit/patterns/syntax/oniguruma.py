"""The dialect of `tokenizers`: Oniguruma with its own syntax."""

from __future__ import annotations

from dataclasses import replace

from wordsplit.patterns.syntax.assertions import (
    LINE_END,
    NOT_NEWLINE,
    general_newline,
    line_start,
    text_end,
    word_boundary,
)
from wordsplit.patterns.syntax.case import expanded, letter, set_ignoring_case
from wordsplit.patterns.syntax.characters import (
    ANY,
    CharacterSet,
    Named,
    chars,
    complement,
    flags,
    intersection,
    ranges,
    union,
)
from wordsplit.patterns.syntax.empty import may_be_empty
from wordsplit.patterns.syntax.names import HEX_DIGITS, ONIGURUMA_WORD, oniguruma_bracket, oniguruma_class
from wordsplit.patterns.syntax.reader import Flags, Reader
from wordsplit.patterns.syntax.tree import (
    END,
    START,
    Anchor,
    Atomic,
    BackReference,
    Characters,
    Group,
    Look,
    Node,
    Repeat,
    concatenation,
    walk,
)

__all__ = ["OnigurumaParser"]

_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "e": "\x1b"}
_CLASSES: dict[str, CharacterSet] = {"d": Named("Nd"), "s": Named("s"), "w": Named("word"), "h": HEX_DIGITS}
_FLAGS = {"i": "ignore_case", "m": "dot_all", "x": "extended"}
_LOOKS = {"?=": (True, False), "?!": (True, True), "?<=": (False, False), "?<!": (False, True)}
_ANCHORS: dict[str, Node] = {"^": line_start(at_end=False), "$": LINE_END}
_ESCAPES: dict[str, Node] = {
    "A": START,
    "B": word_boundary(ONIGURUMA_WORD, negative=True),
    "N": Characters(NOT_NEWLINE),
    "O": Characters(ANY),
    "R": general_newline(),
    "W": Characters(complement(ONIGURUMA_WORD)),
    "Z": text_end(1),
    "b": word_boundary(ONIGURUMA_WORD, negative=False),
    "w": Characters(ONIGURUMA_WORD),
    "z": END,
}
_ASSERTIONS = ("\\A", "\\B", "\\Z", "\\b", "\\z")
_REFUSED = {
    "G": "where the search begins",
    "K": "the start of the match moved",
    "X": "a grapheme cluster",
    "y": "a boundary of grapheme clusters",
    "Y": "no boundary of grapheme clusters",
    "g": "a call of a group",
    "k": "a named back reference",
    "c": "a control character",
    "C": "a control character",
    "M": "a meta character",
    "o": "an octal number",
    "0": "an octal number",
    "8": "a back reference this large",
    "9": "a back reference this large",
}


class OnigurumaParser(Reader):
    """A parser of one pattern."""

    at: int
    flags: Flags

    space = " \t\n\r\f"

    def __init__(self, pattern: str, source: str | None, field: str) -> None:
        super().__init__(pattern, source, field)
        self._groups = 0
        self._closed: set[int] = set()
        self._named_groups = False

    def parse(self) -> Node:
        """Return the tree of the whole pattern."""
        tree = self.to_the_end()
        for node in walk(tree):
            # There, an empty turn ends such a repeat, although a turn after it may match: `(?:^a?){3}` on "a".
            if isinstance(node, Repeat) and node.least > 1 and may_be_empty(node.item) and _has_assertion(node.item):
                raise self.refuse("a repeat of two or more times of an item with an assertion that may be empty", 0)
        return expanded(tree)

    def branch(self) -> Node:
        """See `Reader.branch`."""
        items: list[Node] = []
        while True:
            self.skip()
            if self.at >= len(self.pattern) or self.pattern[self.at] in "|)":
                return concatenation(items)
            start = self.at
            if self._sets_flags():  # for the rest of the group, its other branches too
                before = self.flags
                self._read_flags(start)
                items.append(Group(self.alternatives(), 0))
                self.flags = before
                return concatenation(items)
            assertion = self._sees_assertion()
            items.append(self._repeated(self._atom(), assertion=assertion))

    def _sees_assertion(self) -> bool:
        return self.pattern[self.at] in "^$" or self.pattern[self.at : self.at + 2] in _ASSERTIONS

    def _repeated(self, item: Node, *, assertion: bool) -> Node:
        """Read the quantifiers after an item."""
        levels = 0
        while True:
            self.skip()
            start = self.at
            count = self._count()
            if count is None:
                self.deeper(-levels)
                return item
            if assertion or isinstance(item, Look):
                raise self.refuse("a repeat of an assertion", start)
            least, most, fixed = count
            self.deeper()
            levels += 1
            possessive = most is not None and least > most
            if possessive:
                least, most = most or 0, least
            greedy = fixed or possessive or not self.takes("?")
            if self.pattern[start] != "{" and greedy and self.takes("+"):
                possessive = True
            if (least, most) == (1, 1) and not possessive:
                continue
            item = Repeat(item, least, most, greedy)
            if possessive:
                item = Atomic(item)

    def _count(self) -> tuple[int, int | None, bool] | None:
        """Read a count: least, most, and whether it is one number, which is never lazy."""
        for sign, least, most in (("?", 0, 1), ("*", 0, None), ("+", 1, None)):
            if self.takes(sign):
                return least, most, False
        start = self.at
        if not self.takes("{"):
            return None
        low = self.number()
        high = low
        fixed = not self.takes(",")
        if not fixed:
            high = self.number()
        if (low is None and high is None) or not self.takes("}"):
            self.at = start  # a brace that begins no count is a character
            return None
        self.bounds(low, high)
        return low or 0, high, fixed

    def _atom(self) -> Node:
        start = self.at
        if self._count() is not None:
            raise self.refuse("a repeat of nothing", start)
        char = self.char()
        if char == "(":
            return self._group(start)
        if char == "\\":
            return self._escape(start)
        if char == "[":
            members, negative = self._set(start)
            if self.flags.ignore_case:
                return set_ignoring_case(members, negative=negative)
            return Characters(complement(members) if negative else members)
        if char == ".":
            return Characters(ANY if self.flags.dot_all else NOT_NEWLINE)
        return _ANCHORS.get(char) or self._literal(char)

    def _literal(self, char: str) -> Node:
        return letter(char) if self.flags.ignore_case else Characters(chars(char))

    def _sets_flags(self) -> bool:
        """Return whether flags without a group follow here."""
        if not self.sees("(?"):
            return False
        end = self.at + 2
        while end < len(self.pattern) and self.pattern[end] in "imx-":
            end += 1
        return end > self.at + 2 and self.pattern[end : end + 1] == ")"

    def _read_flags(self, start: int) -> None:
        """Read flags, and the character after them."""
        self.at = start + 2
        value = True
        while (char := self.char("the end of flags")) not in ":)":
            if char == "-" and value:
                value = False
            elif char in _FLAGS:
                self.flags = replace(self.flags, **{_FLAGS[char]: value})
            else:
                raise self.refuse(f"{self.pattern[start : self.at]!r}", start)
        if self.pattern[start : self.at] == "(?)":
            raise self.refuse("'(?)'", start)

    def _group(self, start: int) -> Node:
        for opening, (ahead, negative) in _LOOKS.items():
            if self.takes(opening):
                return Look(self._inside(), ahead, negative)
        if self.takes("?>"):
            return Atomic(self._inside())
        for opening, closing in (("?<", ">"), ("?'", "'")):
            if self.takes(opening):
                name = self.until(closing, "a name")
                if not name.isidentifier():
                    raise self.refuse(f"the name {name!r} of a group", start)
                self._named_groups = True
                return self._inside()
        if self.takes("?:"):
            return self._inside()
        if self.sees("?"):
            before = self.flags
            self._read_flags(start)
            node = self._inside()
            self.flags = before
            return Group(node, 0)  # a separate node, so that its letters are not in a row with those around it
        if self.sees("*"):
            raise self.refuse("'(*'", start)
        self._groups += 1
        number = self._groups
        node = self._inside()
        self._closed.add(number)
        return Group(node, number)

    def _inside(self) -> Node:
        before = self.flags
        node = self.alternatives()
        self.flags = before
        self.close()
        return node

    def _escape(self, start: int) -> Node:
        char = self.char("a character after '\\'")
        if char in _REFUSED:
            raise self.refuse(f"'\\{char}' ({_REFUSED[char]})", start)
        if char in _ESCAPES:
            return _ESCAPES[char]
        if char in "1234567":
            return self._back_reference(start)
        named = self._named(char, start)
        if named is None:
            return self._literal(self._character(char))
        # Alone, this class is also \w.
        words = {Named("word"): _ESCAPES["w"], complement(Named("word")): _ESCAPES["W"]}
        return words.get(named) or Characters(named)

    def _back_reference(self, start: int) -> Node:
        self.at -= 1
        number = self.number() or 0
        if number not in self._closed or number > 9 or self._named_groups or self.flags.ignore_case:
            raise self.refuse(
                "a back reference to a later or an open group or beside named groups, or one that ignores case", start
            )
        return BackReference(number)

    def _named(self, char: str, start: int) -> CharacterSet | None:
        r"""Return the class of ``\d``, ``\p{...}`` and the like."""
        if char.lower() in _CLASSES:
            found = _CLASSES[char.lower()]
            return found if char.islower() else complement(found)
        if char not in "pP" or not self.takes("{"):
            return None
        negative = self.takes("^") != (char == "P")
        name = self.until("}", "a property")
        members = oniguruma_class(name)
        if members is None:
            raise self.refuse(f"the property {name!r}", start)
        return complement(members) if negative else members

    def _character(self, char: str) -> str:
        """Return the character of an escape."""
        if char == "x":
            if self.takes("{"):
                return self.code_point(self.until("}", "a number"))
            digits = self.hex_digits(2)
            if digits is None or int(digits, 16) > 0x7F:
                raise self.refuse("a byte that is no character")
            return chr(int(digits, 16))
        if char == "u":
            return self.code_point(self.hex_digits(4) or "")
        return _CONTROLS.get(char, char)

    def _set(self, start: int) -> tuple[CharacterSet, bool]:
        """Read a set after its bracket: its members, and whether the others are meant."""
        self.deeper()
        negative = self.takes("^")
        items: list[CharacterSet] = []
        both: list[CharacterSet] = []
        if self.takes("]"):
            items.append(self._range("]", start))
        while not self.takes("]"):
            if self.takes("&&"):
                both.append(union(items))
                items = []
            else:
                items.append(self._item(start))
        self.deeper(-1)
        return intersection([*both, union(items)]), negative

    def _item(self, start: int) -> CharacterSet:
        at = self.at
        if not self.sees("[") or self._sees_bracket_class():
            return self._range(self._set_character(start), start)
        self.at += 1
        members, negative = self._set(at)
        if self.sees("-") and not self.sees("-]"):
            raise self.refuse("'-' after a set")
        if negative and 0 not in flags(members):  # of which Oniguruma can make something
            raise self.refuse("a set of nothing within a set", at)
        return complement(members) if negative else members

    def _range(self, first: str | CharacterSet, start: int) -> CharacterSet:
        """Return a range from a character on, or that character or class alone."""
        at = self.at
        if not self.sees("-") or self.sees("-]") or self.sees("-&&"):
            return chars(first) if isinstance(first, str) else first
        self.at += 1
        if self.sees("["):
            raise self.refuse("'[' at the end of a range")
        last = self._set_character(start)
        if not isinstance(first, str) or not isinstance(last, str) or first > last:
            raise self.refuse("a range of characters in the wrong order, or of classes", at)
        if self.sees("-") and not self.sees("-]"):
            raise self.refuse("'-' after a range")
        return ranges([(ord(first), ord(last))])

    def _sees_bracket_class(self) -> bool:
        """Return whether ``[:`` here begins a class such as ``[:alpha:]``."""
        if not self.sees("[:"):
            return False
        end = self.at + 2 + (self.pattern[self.at + 2 : self.at + 3] == "^")
        while end < len(self.pattern) and self.pattern[end].isalpha():
            end += 1
        return self.pattern.startswith(":]", end) and end > self.at + 2

    def _set_character(self, start: int) -> str | CharacterSet:
        if self.at >= len(self.pattern):
            raise self.refuse("a set without ']'", start)
        at, char = self.at, self.char()
        if char == "[":
            name = self.until(":]", "a class")[1:]
            found = oniguruma_bracket(name.removeprefix("^"))
            if found is None:
                raise self.refuse(f"the class {name!r}", at)
            return complement(found) if name.startswith("^") else found
        if char != "\\":
            return char
        char = self.char("a character after '\\'")
        if char in "cCMo01234567":
            raise self.refuse(f"'\\{char}' ({_REFUSED.get(char, 'an octal number')})", at)
        if char == "b":
            return "\b"
        named = self._named(char, at)
        return self._character(char) if named is None else named


def _has_assertion(node: Node) -> bool:
    return any(isinstance(inner, (Look, Anchor)) for inner in walk(node))
