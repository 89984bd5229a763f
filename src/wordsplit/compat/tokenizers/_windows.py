"""The pieces of a text that is longer than a tokenizer's truncation allows: windows that overlap.

All of them share the columns of the text, which are computed once, on the first request.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from wordsplit.compat.tokenizers._columns import Columns, Lazy, Places
from wordsplit.compat.tokenizers._draft import Draft, Finder, Part
from wordsplit.compat.tokenizers._rows import Rows, windows
from wordsplit.lengths import Padding, Truncation

__all__ = ["Window", "windows_of"]


class _Whole:
    """A text that is cut.

    Args:
        finder: Provides its data.
        text: The text.
        ids: Its ids.
    """

    def __init__(self, finder: Finder, text: str, ids: list[int]) -> None:
        self.finder: Finder = finder
        self.text: str = text
        self.ids: list[int] = ids

    @cached_property
    def places(self) -> Places | None:
        """The ids, their offsets and words; ``None`` if there is no quick way."""
        return self.finder.places(self.text)

    @cached_property
    def columns(self) -> Columns:
        """The columns of the ids."""
        return self.finder.columns(self.text, self.ids)


class Window(Draft):
    """An encoding of a part of a text's tokens.

    Args:
        whole: The text.
        part: The range of its tokens.
        parts: The parts that the encoding consists of, of which one is the text.
        others: The other windows of the text, if this is the first.
    """

    __slots__ = ("_others", "_range", "_whole")

    def __init__(self, whole: _Whole, part: slice, parts: tuple[Part, ...], others: Lazy[list[Window]] | None) -> None:
        super().__init__(whole.finder, (whole.text,), (whole.ids[part],), parts)
        self._whole, self._range, self._others = whole, part, others

    @property
    def cut_off(self) -> Lazy[tuple[Rows, ...]] | None:
        """See `Draft.cut_off`."""
        others = self._others
        return None if others is None else Lazy(lambda: tuple([window.settled() for window in others()]))

    @property
    def overflowing(self) -> Sequence[Draft]:
        """See `Draft.overflowing`."""
        return () if self._others is None else self._others()

    def padded(self, length: int, how: Padding) -> Window:
        """Return the window padded to a length, and the others with it."""
        others, parts = self._others, self._padded(length, how)
        if others is not None:
            padded = Lazy(lambda: [window.padded(length, how) for window in others()])
            return Window(self._whole, self._range, parts, padded)
        return self if parts is self._parts else Window(self._whole, self._range, parts, None)

    def _placed(self, text: int) -> Places | None:
        del text  # it has one
        found = self._whole.places
        if found is None:
            return None
        ids, offsets, words, unknown = found
        kept = self._range
        inside = {at - kept.start: text for at, text in unknown.items() if kept.start <= at < kept.stop}
        return ids[kept], offsets[kept], words[kept], inside

    def _spelled(self, text: int) -> Columns:
        del text
        return self._whole.columns.part(self._range.start, self._range.stop)


def windows_of(
    finder: Finder, text: str, ids: list[int], parts: tuple[Part, ...], how: Truncation, size: int
) -> Window:
    """Return the first window of a text, which has the others.

    Args:
        finder: Provides their data.
        text: The text.
        ids: Its ids, more than a window has.
        parts: The parts of an encoding, of which one is the text.
        how: How to cut it.
        size: How many ids of the text a window has.
    """
    whole = _Whole(finder, text, ids)
    first, *rest = [slice(*found) for found in windows(len(ids), size, how.stride, how.direction)]

    def others() -> list[Window]:
        # The type id in the template is that of the first alone, as in `tokenizers`.
        plain = tuple([part if part.text is None else part._replace(type_id=0) for part in parts])
        return [Window(whole, each, plain, None) for each in rest]

    return Window(whole, first, parts, Lazy(others))
