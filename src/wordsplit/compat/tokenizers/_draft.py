"""Encodings of which only the ids are known yet: most programs ask for no more.

A `Draft` has what `Rows` has, but makes each list when it is read. It becomes `Rows` when a program cuts or joins it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from wordsplit.compat.tokenizers._columns import Columns, Lazy, Places, Span
from wordsplit.compat.tokenizers._processing import Processing
from wordsplit.compat.tokenizers._rows import Rows
from wordsplit.lengths import Padding

__all__ = ["Draft", "Finder", "Part"]


class Finder(Protocol):
    """A provider of the data of a draft, such as a `Plan`."""

    @property
    def processing(self) -> Processing | None:
        """The post-processor, if there is one."""

    @property
    def places(self) -> Callable[[str], Places | None]:
        """Return the ids of a text, their offsets and words; ``None`` if there is no quick way."""

    def columns(self, text: str, ids: list[int]) -> Columns:
        """Return the columns of a text whose ids are known."""

    def columns_at(self, places: Places) -> Columns:
        """Return the columns of what `places` found."""


class Part(NamedTuple):
    """A part of an encoding: the ids of a text, or fixed ones.

    Attributes:
        text: The number of the text; ``None`` for ids of the template and padding.
        type_id: The type id of its tokens.
        ids: The fixed ids.
        tokens: Their spellings.
        special: 1 for ids of the template and padding.
        attention: 0 for padding.
    """

    text: int | None
    type_id: int
    ids: Sequence[int] = ()
    tokens: Sequence[str] = ()
    special: int = 0
    attention: int = 1


_NOWHERE: list[Span] = [(0, 0)]
_TYPE_ID, _SPECIAL, _ATTENTION = map(Part._fields.index, ("type_id", "special", "attention"))


class Draft:
    """An encoding of one or two texts of which nothing was cut off.

    Args:
        finder: Provides its data.
        texts: The texts.
        found: The ids of each text.
        parts: The parts that it consists of.

    Attributes:
        ids: The ids.
    """

    __slots__ = ("_columns", "_finder", "_found", "_parts", "_places", "_texts", "ids")

    def __init__(
        self, finder: Finder, texts: tuple[str, ...], found: tuple[list[int], ...], parts: tuple[Part, ...]
    ) -> None:
        self._finder, self._texts, self._found, self._parts = finder, texts, found, parts
        self._columns: Columns | None = None
        self._places: dict[int, Places | None] = {}  # by the number of the text
        if len(parts) == 1 and parts[0].text == 0:
            self.ids: list[int] = found[0]
        else:
            self.ids = []
            for part in parts:
                self.ids += part.ids if part.text is None else found[part.text]

    @property
    def cut_off(self) -> Lazy[tuple[Rows, ...]] | None:
        """Returns the pieces that were cut off; ``None`` if there are none."""
        return None

    @property
    def overflowing(self) -> Sequence[Draft]:
        """The pieces that were cut off."""
        return ()

    @property
    def type_ids(self) -> list[int]:
        """The type id of each."""
        return self._each(_TYPE_ID)

    @property
    def special(self) -> list[int]:
        """1 for tokens from a template or padding."""
        return self._each(_SPECIAL)

    @property
    def attention(self) -> list[int]:
        """0 for padding."""
        return self._each(_ATTENTION)

    @property
    def ranges(self) -> Mapping[int, Span]:
        """The tokens of each text; see `Rows`."""
        out: dict[int, Span] = {}
        if self._finder.processing is not None or len(self._texts) > 1:
            at = 0
            for part in self._parts:
                start, at = at, at + self._size(part)
                if part.text is not None:
                    out[part.text] = (start, at)
        return out

    @property
    def n_texts(self) -> int:
        """The number of texts it is of."""
        return 1 if len(self._parts) == 1 else len(self.ranges) or 1

    @property
    def offsets(self) -> list[Span]:
        """The characters that each covers."""
        if self._columns is not None:
            return self._columns.placed().offsets
        out: list[Span] = []
        for part in self._parts:
            if part.text is None:
                out += _NOWHERE * len(part.ids)
                continue
            places = self._places[part.text] = self._placed(part.text)
            if places is None:
                return self.columns().placed().offsets
            out += places[1]
        return out

    def columns(self) -> Columns:
        """Return spellings, words and offsets."""
        found = self._columns
        if found is None:
            found = self._columns_of(self._parts[0])
            for part in self._parts[1:]:
                more = self._columns_of(part)
                found.append(more)
                if more.refused is not None and found.refused is None:
                    found = found._replace(refused=more.refused)
            self._columns = found
        return found

    def padded(self, length: int, how: Padding) -> Draft:
        """Return the encoding padded to a length."""
        parts = self._padded(length, how)
        return self if parts is self._parts else Draft(self._finder, self._texts, self._found, parts)

    def _padded(self, length: int, how: Padding) -> tuple[Part, ...]:
        """Return the parts with padding to a length, if it is needed."""
        count = length - len(self.ids)
        if count <= 0:
            return self._parts
        padding = Part(None, how.pad_type_id, [how.pad_id] * count, [how.pad_token] * count, 1, 0)
        return (padding, *self._parts) if how.direction == "left" else (*self._parts, padding)

    def settled(self) -> Rows:
        """Return the same as rows."""
        return Rows(
            self.ids, Lazy(self.columns), self.type_ids, self.special, self.attention, self.cut_off, self.ranges
        )

    def __reduce__(self) -> tuple[object, ...]:
        return Rows, tuple(self.settled())

    def _size(self, part: Part) -> int:
        return len(part.ids) if part.text is None else len(self._found[part.text])

    def _each(self, field: int) -> list[int]:
        parts = self._parts
        if len(parts) == 1:
            return [parts[0][field]] * len(self.ids)  # type: ignore[list-item]  # a field of numbers, as below
        out: list[int] = []
        for part in parts:
            out += [part[field]] * self._size(part)  # type: ignore[list-item]
        return out

    def _columns_of(self, part: Part) -> Columns:
        if part.text is None:
            return Columns.blank(list(part.tokens))
        places = self._places.get(part.text)
        if places is not None:
            return self._finder.columns_at(places)
        return self._spelled(part.text)

    def _placed(self, text: int) -> Places | None:
        """Return the ids of a text, their offsets and words; ``None`` if there is no quick way."""
        return self._finder.places(self._texts[text])

    def _spelled(self, text: int) -> Columns:
        """Return the columns of a text."""
        return self._finder.columns(self._texts[text], self._found[text])
