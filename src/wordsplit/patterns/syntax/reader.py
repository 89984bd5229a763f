"""The common part of the parsers of both dialects: position in the pattern, flags, nesting, errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.syntax.tree import Node, alternation

__all__ = ["Flags", "Reader"]

MAX_DEPTH = 60
MAX_COUNT = 100_000


@dataclass(frozen=True)
class Flags:
    """The flags set by ``(?i)`` and similar groups."""

    ignore_case: bool = False
    multi_line: bool = False
    dot_all: bool = False
    extended: bool = False
    swap_greed: bool = False


class Reader(ABC):
    """A cursor on a pattern.

    Args:
        pattern: The pattern.
        source: The name of the vocab's source, for errors.
        field: The place in it.
    """

    space = " \t\n\r"
    """The characters that the flag ``x`` ignores."""

    def __init__(self, pattern: str, source: str | None, field: str) -> None:
        self.pattern = pattern
        self.at: int = 0
        self.flags: Flags = Flags()
        self._depth = 0
        self._source, self._field = source, field

    def refuse(self, what: str, at: int | None = None) -> UnsupportedVocabError:
        """Return the error for the construct at a position in the pattern."""
        at = self.at if at is None else at
        shown = self.pattern if len(self.pattern) <= 200 else self.pattern[:200] + "…"
        return UnsupportedVocabError(
            f"pattern {shown!r}, at character {at}: {what}", file=self._source, field=self._field
        )

    def deeper(self, by: int = 1) -> None:
        """Enter a group, or leave one.

        Raises:
            UnsupportedVocabError: The pattern is nested too deeply.
        """
        self._depth += by
        if self._depth > MAX_DEPTH:
            raise self.refuse(f"nested more than {MAX_DEPTH} levels deep")

    @abstractmethod
    def branch(self) -> Node:
        """Read one branch of an alternation, up to ``|``, the end of the group, or that of the pattern."""

    def alternatives(self) -> Node:
        """Read the branches of a group."""
        self.deeper()
        branches = [self.branch()]
        while self.takes("|"):
            branches.append(self.branch())
        self.deeper(-1)
        return self.joined(branches)

    def joined(self, branches: list[Node]) -> Node:
        """Return the branches in one node."""
        return alternation(branches)

    def to_the_end(self) -> Node:
        """Read the branches of the whole pattern."""
        node = self.alternatives()
        if self.at < len(self.pattern):
            raise self.refuse("')' without a group")
        return node

    def sees(self, text: str) -> bool:
        """Return whether ``text`` is here."""
        return self.pattern.startswith(text, self.at)

    def takes(self, text: str) -> bool:
        """Step over ``text`` if it is here, and return whether it is."""
        found = self.sees(text)
        if found:
            self.at += len(text)
        return found

    def char(self, wanted: str = "a character") -> str:
        """Step over one character and return it."""
        if self.at >= len(self.pattern):
            raise self.refuse(f"{wanted} is missing at the end")
        self.at += 1
        return self.pattern[self.at - 1]

    def until(self, end: str, what: str) -> str:
        """Step over the text before ``end`` and over ``end``, and return the text."""
        stop = self.pattern.find(end, self.at)
        if stop < 0:
            raise self.refuse(f"{what} without {end!r}")
        text, self.at = self.pattern[self.at : stop], stop + len(end)
        return text

    def number(self) -> int | None:
        """Step over a decimal number and return it; ``None`` if there is none."""
        start = self.at
        while self.at < len(self.pattern) and self.pattern[self.at] in "0123456789":
            self.at += 1
        if self.at == start:
            return None
        if self.at - start > 9:
            raise self.refuse("a number this large", start)
        return int(self.pattern[start : self.at])

    def hex_digits(self, count: int) -> str | None:
        """Step over exactly ``count`` hexadecimal digits; ``None`` if they are not there."""
        digits = self.pattern[self.at : self.at + count]
        if len(digits) < count or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
            return None
        self.at += count
        return digits

    def code_point(self, digits: str, base: int = 16) -> str:
        """Return the character of a number written in the pattern."""
        if not digits or any(digit not in "0123456789abcdefABCDEF"[: base + 6 * (base > 10)] for digit in digits):
            raise self.refuse(f"{digits!r} as the number of a character")
        number = int(digits, base)
        if number > 0x10FFFF or 0xD800 <= number < 0xE000:
            raise self.refuse(f"{digits!r}, which is no character")
        return chr(number)

    def skip(self) -> None:
        """Step over comments, and over white space where the flag ``x`` is set."""
        while self.at < len(self.pattern):
            if self.takes("(?#"):
                while (char := self.char("the end of a comment")) != ")":
                    if char == "\\":
                        self.char()
            elif self.flags.extended and self.pattern[self.at] in self.space:
                self.at += 1
            elif self.flags.extended and self.pattern[self.at] == "#":
                end = self.pattern.find("\n", self.at)
                self.at = len(self.pattern) if end < 0 else end + 1
            else:
                return

    def close(self) -> None:
        """Step over the parenthesis that closes a group."""
        self.skip()
        if not self.takes(")"):
            raise self.refuse("a group without ')'")

    def bounds(self, low: int | None, high: int | None) -> None:
        """Check the counts of a repetition."""
        if max(low or 0, high or 0) > MAX_COUNT:
            raise self.refuse(f"a repeat of more than {MAX_COUNT} times")
