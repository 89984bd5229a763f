"""The immutable content of an encoding, which can be cut, joined and padded into new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from wordsplit.compat.tokenizers._columns import Columns, LazyColumns, Span
from wordsplit.compat.tokenizers._settings import Padding
from wordsplit.errors import OptionsError

__all__ = ["Rows", "merged"]


@dataclass(frozen=True)
class Rows:
    """Lists with one item per token, and the tokens cut off by truncation.

    Attributes:
        ids: The ids.
        columns: Spellings, words and offsets.
        type_ids: The type id of each.
        special: 1 for tokens from a template or padding.
        attention: 0 for padding.
        overflowing: The pieces that were cut off.
        ranges: The tokens of each text of a pair: (start, end); empty if there is only one text.
    """

    ids: list[int]
    columns: LazyColumns
    type_ids: list[int]
    special: list[int]
    attention: list[int]
    overflowing: tuple[Rows, ...] = ()
    ranges: Mapping[int, Span] = field(default_factory=dict)

    @classmethod
    def of(cls, ids: list[int], columns: LazyColumns, type_id: int = 0, special: int = 0, attention: int = 1) -> Rows:
        """Make rows of ids of one kind."""
        count = len(ids)
        return cls(ids, columns, [type_id] * count, [special] * count, [attention] * count)

    @classmethod
    def outside(cls, ids: list[int], tokens: list[str], type_id: int, attention: int = 1) -> Rows:
        """Make rows of ids that are not in a text."""
        return cls.of(ids, LazyColumns(lambda: Columns.blank(tokens)), type_id, 1, attention)

    def alone(self) -> Rows:
        """Return the rows without the overflow."""
        return replace(self, overflowing=()) if self.overflowing else self

    def typed(self, type_id: int) -> Rows:
        """Return the rows with a type id."""
        return replace(self, type_ids=[type_id] * len(self.ids))

    def as_sequence(self, sequence: int) -> Rows:
        """Return the rows as one text of a pair."""
        return replace(self, ranges={**self.ranges, sequence: (0, len(self.ids))})

    def part(self, start: int, stop: int) -> Rows:
        """Return a range of the tokens, without the ranges of texts."""
        columns, part = self.columns, slice(start, stop)
        return Rows(
            self.ids[part],
            LazyColumns(lambda: columns().part(start, stop)),
            self.type_ids[part],
            self.special[part],
            self.attention[part],
        )

    def truncated(self, length: int, stride: int, direction: str) -> Rows:
        """Return the first or last tokens, with the others as overflow.

        Raises:
            OptionsError: The stride is not less than the length, or there is no such direction.
        """
        if direction not in ("left", "right"):
            raise OptionsError(f"direction={direction!r}: use 'left' or 'right'")
        if length >= len(self.ids):
            return self
        if length == 0:
            return replace(self.part(0, 0), overflowing=(self,))
        if stride >= length:
            raise OptionsError(f"stride={stride}: it must be less than the length to truncate to, which is {length}")
        first, *rest = [self.part(*window) for window in windows(len(self.ids), length, stride, direction)]
        return replace(first, overflowing=tuple(rest))

    def padded(self, length: int, how: Padding) -> Rows:
        """Return the rows padded to a length, with the overflow padded, too."""
        out = self
        count = length - len(self.ids)
        if count > 0:
            padding = Rows.outside([how.pad_id] * count, [how.pad_token] * count, how.pad_type_id, attention=0)
            out = _joined(padding, self.alone()) if how.direction == "left" else _joined(self.alone(), padding)
        return replace(out, overflowing=tuple(each.padded(length, how) for each in self.overflowing))


def merged(rows: Iterable[Rows], *, growing: bool) -> Rows:
    """Concatenate rows; ``growing``: offsets continue from the rows before.

    The overflow of each is joined with every combination of the others.
    """
    found = iter(rows)
    out = next(found, None) or Rows.of([], LazyColumns(Columns))
    for second in found:
        ways = (second, *second.overflowing)
        overflowing = [merged((first, way), growing=growing) for first in out.overflowing for way in ways]
        overflowing += [merged((out, way), growing=growing) for way in second.overflowing]
        out = replace(_joined(out, second, growing=growing), overflowing=tuple(overflowing))
    return out


def _joined(first: Rows, second: Rows, *, growing: bool = False) -> Rows:
    at, left, right = len(first.ids), first.columns, second.columns

    def columns() -> Columns:
        before = left()
        return before + right().moved(before.offsets[-1][1] if growing and before.offsets else 0)

    return Rows(
        first.ids + second.ids,
        LazyColumns(columns),
        first.type_ids + second.type_ids,
        first.special + second.special,
        first.attention + second.attention,
        (),
        {**first.ranges, **{i: (start + at, end + at) for i, (start, end) in second.ranges.items()}},
    )


def windows(count: int, size: int, stride: int, direction: str) -> Iterator[Span]:
    """Yield (start, stop) of pieces of ``size`` items of ``count`` that overlap by ``stride``, from one side.

    Example:
        >>> list(windows(5, 3, 1, "right")), list(windows(5, 2, 0, "left"))
        ([(0, 3), (2, 5)], [(3, 5), (1, 3), (0, 1)])
    """
    step = size - stride
    if direction == "right":
        for start in range(0, count, step):
            yield start, min(start + size, count)
            if start + size >= count:
                return
    else:
        for stop in range(count, 0, -step):
            yield max(stop - size, 0), stop
            if stop <= size:
                return
