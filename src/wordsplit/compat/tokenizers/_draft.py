"""Encodings of which only the ids are known yet: most programs ask for no more.

A `Draft` has what `Rows` has, but makes each list when it is read. It is used where nothing is cut off; it becomes
`Rows` when it is cut or joined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Any, NamedTuple

from wordsplit.compat.tokenizers import _finish
from wordsplit.compat.tokenizers._columns import Columns, Lazy, Places, Span, nowhere
from wordsplit.compat.tokenizers._processing import Processing
from wordsplit.compat.tokenizers._rows import Rows
from wordsplit.compat.tokenizers._texts import Texts
from wordsplit.lengths import Padding, Truncation

__all__ = ["Draft", "Plan"]


class _Part(NamedTuple):
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
_TYPE_ID, _SPECIAL, _ATTENTION = map(_Part._fields.index, ("type_id", "special", "attention"))


class Plan:
    """How one or two texts become an encoding.

    Args:
        texts: Encodes single texts.
        processing: The post-processor, if there is one.
        truncation: The truncation settings, if there are any.
        special: Whether the template adds its special tokens.
    """

    def __init__(
        self, texts: Texts, processing: Processing | None, truncation: Truncation | None, *, special: bool
    ) -> None:
        self.texts: Texts = texts
        self.processing: Processing | None = processing
        self.truncation: Truncation | None = truncation
        self.special: bool = special
        self._trims = processing if processing is not None and processing.trim_offsets else None
        self._parts = [_parts(texts, processing, count, special=special) for count in (1, 2)]
        self._most = [
            None if truncation is None else truncation.max_length - sum(len(part.ids) for part in parts)
            for parts in self._parts
        ]

    def columns(self, text: str, ids: list[int]) -> Columns:
        """Return the columns of a text whose ids are known."""
        found = self.texts.columns(text, ids)
        return found if self._trims is None else _finish.trimmed(found, self._trims.prefix_space)

    @cached_property
    def places(self) -> Callable[[str], Places | None]:
        """Return the ids of a text, their offsets and words; ``None`` if there is no quick way."""
        return self.texts.places if self._trims is None else nowhere

    def of_text(self, text: Any) -> Draft | Rows:
        """Encode a text."""
        ids = self.texts.encode(text)
        if self.truncation is None:  # the common case
            return Draft(self, (text,), (ids,), self._parts[0])
        return self._of((text,), (ids,))

    def of_pair(self, first: Any, second: Any) -> Draft | Rows:
        """Encode a pair of texts."""
        return self._of((first, second), (self.texts.encode(first), self.texts.encode(second)))

    def of_batch(self, batch: list[tuple[Any, ...]]) -> list[Draft | Rows]:
        """Encode texts and pairs: tuples of one or two texts."""
        if len(batch) == 1:  # as `transformers` does for one text
            return [self.of_text(*texts) if len(texts) == 1 else self.of_pair(*texts) for texts in batch]
        found = self.texts.encode_batch(chain.from_iterable(batch))
        if len(found) == len(batch):
            return list(map(self._of, batch, zip(found, strict=True)))
        ids = iter(found)
        return [self._of(texts, tuple(islice(ids, len(texts)))) for texts in batch]

    def of_words(self, texts: list[Any]) -> Rows:
        """Encode one or two lists of words."""
        return self.of_rows([self.texts.rows_of_words(words, i) for i, words in enumerate(texts)])

    def of_rows(self, texts: list[Rows]) -> Rows:
        """Return the encoding of one or two texts that have been encoded."""
        return _finish.finish(texts, self.processing, self.truncation, special=self.special)

    def _of(self, texts: tuple[str, ...], found: tuple[list[int], ...]) -> Draft | Rows:
        at = len(texts) - 1
        most = self._most[at]
        if most is not None and not sum(map(len, found)) <= most > 0:
            return self.of_rows([self.texts.rows(text, found[i], i) for i, text in enumerate(texts)])
        return Draft(self, texts, found, self._parts[at])


def _parts(texts: Texts, processing: Processing | None, count: int, *, special: bool) -> tuple[_Part, ...]:
    """Return the parts of an encoding of one or two texts; see `_finish.finish`."""
    template = None if processing is None else processing.template(is_pair=count == 2)
    if processing is None or template is None:
        typed = processing is not None or not texts.blank
        return tuple(_Part(text, text if typed else 0) for text in range(count))
    parts = []
    for piece in template:
        if piece.is_text:
            parts.append(_Part("AB".index(piece.name), piece.type_id))
        elif special:
            parts.append(_Part(None, piece.type_id, *processing.special[piece.name], special=1))
    return tuple(parts)


class Draft:
    """An encoding of one or two texts of which nothing was cut off.

    Args:
        plan: How it is made.
        texts: The texts.
        found: The ids of each text.
        parts: The parts that it consists of.

    Attributes:
        ids: The ids.
    """

    __slots__ = ("_columns", "_found", "_parts", "_places", "_plan", "_texts", "ids")

    cut_off: None = None
    overflowing: tuple[Rows, ...] = ()

    def __init__(
        self, plan: Plan, texts: tuple[str, ...], found: tuple[list[int], ...], parts: tuple[_Part, ...]
    ) -> None:
        self._plan, self._texts, self._found, self._parts = plan, texts, found, parts
        self._columns: Columns | None = None
        self._places: Places | None = None
        if len(parts) == 1 and parts[0].text == 0:
            self.ids: list[int] = found[0]
        else:
            self.ids = []
            for part in parts:
                self.ids += part.ids if part.text is None else found[part.text]

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
        if self._plan.processing is not None or len(self._texts) > 1:
            at = 0
            for part in self._parts:
                start, at = at, at + self._size(part)
                if part.text is not None:
                    out[part.text] = (start, at)
        return out

    @property
    def n_texts(self) -> int:
        """How many texts it is of."""
        return 1 if len(self._parts) == 1 else len(self.ranges) or 1

    @property
    def offsets(self) -> list[Span]:
        """The characters that each covers."""
        if self._columns is not None:
            return self._columns.placed().offsets
        if len(self._parts) == 1:
            self._places = self._plan.places(self._texts[0])
            return self.columns().placed().offsets if self._places is None else self._places[1]
        out: list[Span] = []
        for part in self._parts:
            if part.text is None:
                out += _NOWHERE * len(part.ids)
                continue
            places = self._plan.places(self._texts[part.text])
            if places is None:
                return self.columns().placed().offsets
            out += places[1]
        return out

    def columns(self) -> Columns:
        """Return spellings, words and offsets."""
        found = self._columns
        if found is None:
            if self._places is not None:
                found = self._plan.texts.columns_at(self._places)
            else:
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
        count = length - len(self.ids)
        if count <= 0:
            return self
        padding = _Part(None, how.pad_type_id, [how.pad_id] * count, [how.pad_token] * count, 1, 0)
        parts = (padding, *self._parts) if how.direction == "left" else (*self._parts, padding)
        return Draft(self._plan, self._texts, self._found, parts)

    def settled(self) -> Rows:
        """Return the same as rows."""
        return Rows(
            self.ids, Lazy(self.columns), self.type_ids, self.special, self.attention, self.cut_off, self.ranges
        )

    def __reduce__(self) -> tuple[object, ...]:
        return Rows, tuple(self.settled())

    def _size(self, part: _Part) -> int:
        return len(part.ids) if part.text is None else len(self._found[part.text])

    def _each(self, field: int) -> list[int]:
        parts = self._parts
        if len(parts) == 1:
            return [parts[0][field]] * len(self.ids)  # type: ignore[list-item]  # a field of numbers, as below
        out: list[int] = []
        for part in parts:
            out += [part[field]] * self._size(part)  # type: ignore[list-item]
        return out

    def _columns_of(self, part: _Part) -> Columns:
        if part.text is None:
            return Columns.blank(list(part.tokens))
        return self._plan.columns(self._texts[part.text], self._found[part.text])
