"""The immutable content of an encoding, which can be cut, joined and padded into new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from wordsplit.compat.tokenizers._columns import Columns, Lazy, LazyColumns, Span
from wordsplit.errors import OptionsError
from wordsplit.lengths import Padding

__all__ = ["Rows", "merged"]


class Rows(NamedTuple):
    """Lists with one item per token, and the tokens cut off by truncation.

    Attributes:
        ids: The ids.
        columns: Spellings, words and offsets.
        type_ids: The type id of each.
        special: 1 for tokens from a template or padding.
        attention: 0 for padding.
        cut_off: Returns the pieces that were cut off, which most callers never ask for; ``None`` if there are none.
        ranges: The tokens of each text of a pair: (start, end); empty if there is only one text.
    """

    ids: list[int]
    columns: LazyColumns
    type_ids: list[int]
    special: list[int]
    attention: list[int]
    cut_off: Lazy[tuple[Rows, ...]] | None = None
    ranges: Mapping[int, Span] = {}

    @classmethod
    def of(cls, ids: list[int], columns: LazyColumns, type_id: int = 0, special: int = 0, attention: int = 1) -> Rows:
        """Make rows of ids of one kind."""
        count = len(ids)
        return cls(ids, columns, [type_id] * count, [special] * count, [attention] * count)

    @classmethod
    def outside(cls, ids: list[int], tokens: list[str], type_id: int, attention: int = 1) -> Rows:
        """Make rows of ids that are not in a text."""
        return cls.of(ids, Lazy(lambda: Columns.blank(tokens)), type_id, 1, attention)

    @property
    def overflowing(self) -> tuple[Rows, ...]:
        """The pieces that were cut off."""
        return () if self.cut_off is None else self.cut_off()

    @property
    def offsets(self) -> list[Span]:
        """The characters that each covers."""
        return self.columns().placed().offsets

    @property
    def n_texts(self) -> int:
        """The number of texts they are of."""
        return len(self.ranges) or 1

    def settled(self) -> Rows:
        """Return the rows; see `Draft`."""
        return self

    def alone(self) -> Rows:
        """Return the rows without the overflow."""
        return self if self.cut_off is None else self._replace(cut_off=None)

    def with_each(self, change: Callable[[Rows], Rows]) -> Rows:
        """Return copies of the rows with a change, which also applies to the overflow."""
        cut_off = self.cut_off
        if cut_off is None:
            return change(self)
        return change(self.alone())._replace(cut_off=Lazy(lambda: tuple(each.with_each(change) for each in cut_off())))

    def typed(self, type_id: int) -> Rows:
        """Return the rows with a type id."""
        return self._replace(type_ids=[type_id] * len(self.ids))

    def as_sequence(self, sequence: int) -> Rows:
        """Return the rows as one text of a pair."""
        return self._replace(ranges={**self.ranges, sequence: (0, len(self.ids))})

    def part(self, start: int, stop: int) -> Rows:
        """Return a range of the tokens, without the ranges of texts."""
        columns, part = self.columns, slice(start, stop)
        return Rows(
            self.ids[part],
            Lazy(lambda: columns().part(start, stop)),
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
            return self.part(0, 0)._replace(cut_off=Lazy(lambda: (self,)))
        if stride >= length:
            raise OptionsError(f"stride={stride}: it must be less than the length to truncate to, which is {length}")
        first, *rest = windows(len(self.ids), length, stride, direction)
        return self.part(*first)._replace(cut_off=Lazy(lambda: tuple(self.part(*window) for window in rest)))

    def padded(self, length: int, how: Padding) -> Rows:
        """Return the rows padded to a length, including the overflow."""

        def change(each: Rows) -> Rows:
            count = length - len(each.ids)
            if count <= 0:
                return each
            padding = Rows.outside([how.pad_id] * count, [how.pad_token] * count, how.pad_type_id, attention=0)
            return _joined([padding, each] if how.direction == "left" else [each, padding])

        return self.with_each(change)


def merged(rows: Iterable[Rows], *, growing: bool) -> Rows:
    """Concatenate rows; ``growing``: offsets continue from the rows before.

    The overflow of each is joined with every combination of the others.
    """
    found = list(rows)
    if len(found) == 1:
        return found[0]
    out = _joined(found, growing=growing)
    if all(each.cut_off is None for each in found):
        return out
    return out._replace(cut_off=Lazy(lambda: _combined(found, growing=growing).overflowing))


def _combined(rows: list[Rows], *, growing: bool) -> Rows:
    """Concatenate rows, and every combination of their overflows."""
    out = rows[0]
    for second in rows[1:]:
        ways = (second, *second.overflowing)
        overflowing = [_combined([first, way], growing=growing) for first in out.overflowing for way in ways]
        overflowing += [_combined([out, way], growing=growing) for way in second.overflowing]
        out = _joined([out, second], growing=growing)._replace(cut_off=_ready(overflowing))
    return out


def _ready(overflowing: list[Rows]) -> Lazy[tuple[Rows, ...]] | None:
    return Lazy(lambda: tuple(overflowing)) if overflowing else None


def _joined(rows: list[Rows], *, growing: bool = False) -> Rows:
    ids: list[int] = []
    type_ids: list[int] = []
    special: list[int] = []
    attention: list[int] = []
    ranges: dict[int, Span] = {}
    for each in rows:
        at = len(ids)
        for sequence, (start, end) in each.ranges.items():
            ranges[sequence] = (start + at, end + at)
        ids += each.ids
        type_ids += each.type_ids
        special += each.special
        attention += each.attention
    parts = [each.columns for each in rows]

    def columns() -> Columns:
        found = [part() for part in parts]
        out = Columns.empty(next((each.refused for each in found if each.refused is not None), None))
        for each in found:
            out.append(each, growing=growing)
        return out

    return Rows(ids, Lazy(columns), type_ids, special, attention, None, ranges)


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
