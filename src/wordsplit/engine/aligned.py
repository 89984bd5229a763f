"""Text that knows which characters of the original each of its characters comes from.

The ranges are those of ``NormalizedString`` in `tokenizers`. A character that replaces another has the range of that
one. A character that is inserted has the range of the character before it. A character that is removed leaves its range
to none, so ranges may have gaps. Ranges never go backwards.

Without ranges, when only the text matters, all operations are those of `str`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, repeat

__all__ = ["AlignedText", "Range"]

Range = tuple[int, int]


class AlignedText:
    """A text, and the range of the original for each character. It never changes: operations return a new one.

    Attributes:
        text: The text.
        ranges: For each character, start and end of the characters of the original that it comes from; ``None`` if
            nobody needs them.
        start: Where the part of the original begins from which this text comes.
    """

    __slots__ = ("ranges", "start", "text")

    def __init__(self, text: str, ranges: list[Range] | None = None, start: int = 0) -> None:
        self.text: str = text
        self.ranges: list[Range] | None = ranges
        self.start: int = start

    @classmethod
    def of(cls, original: str) -> AlignedText:
        """Return an original text with its ranges."""
        return cls(original, [(at, at + 1) for at in range(len(original))])

    def part(self, start: int, end: int) -> AlignedText:
        """Return a part, which is not empty, as a separate text."""
        if self.ranges is None:
            return AlignedText(self.text[start:end])
        ranges = self.ranges[start:end]
        return AlignedText(self.text[start:end], ranges, ranges[0][0])

    def trimmed(self, start: int, end: int) -> AlignedText:
        """Return the text without what is outside a range. It still comes from the same part of the original."""
        return AlignedText(self.text[start:end], self.ranges and self.ranges[start:end], self.start)

    def translated(self, table: Mapping[int, str]) -> AlignedText:
        """Replace each character by what a table has for its code point."""
        text = self.text.translate(table)
        if self.ranges is None:
            return AlignedText(text)
        each = (repeat(own, len(table[ord(char)])) for char, own in zip(self.text, self.ranges, strict=True))
        return AlignedText(text, list(chain.from_iterable(each)), self.start)

    def prepended(self, content: str) -> AlignedText:
        """Prepend to a text that is not empty. The prepended text has the range of the first character."""
        if self.ranges is None:
            return AlignedText(content + self.text)
        return AlignedText(content + self.text, [self.ranges[0]] * len(content) + self.ranges, self.start)

    def replaced(self, pieces: Iterable[tuple[int, int, bool]], content: str) -> AlignedText:
        """Replace matches.

        Args:
            pieces: (start, end, whether it is a match) of the matches and of the text between them.
            content: The replacement of each match. It has the range of the last character replaced, or of the one
                before if the match is empty.
        """
        pieces = list(pieces)
        text = "".join([content if is_match else self.text[start:end] for start, end, is_match in pieces])
        if self.ranges is None:
            return AlignedText(text)
        ranges: list[Range] = []
        for start, end, is_match in pieces:
            ranges += [self._before(end)] * len(content) if is_match else self.ranges[start:end]
        return AlignedText(text, ranges, self.start)

    def changed(self, text: str, changes: Callable[[], Iterable[int]]) -> AlignedText:
        """Replace the whole text.

        Args:
            text: The new text.
            changes: Returns for each character of the new text 1 if it is inserted, 0 if it replaces one character, and
                -n if it also replaces the n characters after that one. It is not called if nobody needs the ranges.
        """
        if self.ranges is None:
            return AlignedText(text)
        ranges: list[Range] = []
        at = 0
        for change in changes():
            if change > 0:
                ranges.append(self._before(at))
            else:
                ranges.append(self.ranges[at])
                at += 1 - change
        return AlignedText(text, ranges, self.start)

    def _before(self, at: int) -> Range:
        assert self.ranges is not None  # noqa: S101 - callers have checked
        return self.ranges[at - 1] if at else (self.start, self.start)
