"""The plan by which texts become encodings: the settings of a tokenizer, worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import chain, count, islice
from typing import Any

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.tokenizers._columns import Columns, Lazy, Places, nowhere
from wordsplit.compat.tokenizers._draft import Draft, Part
from wordsplit.compat.tokenizers._finish import finish
from wordsplit.compat.tokenizers._processing import Processing
from wordsplit.compat.tokenizers._rows import Rows
from wordsplit.compat.tokenizers._texts import Texts, checked_text
from wordsplit.compat.tokenizers._trimming import trimmed
from wordsplit.compat.tokenizers._windows import windows_of
from wordsplit.lengths import Truncation

__all__ = ["EmptyPlan", "Plan"]


class Plan:
    """The plan by which one or two texts become an encoding.

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
        self._trim = None if processing is None else processing.trim
        self._parts = [_parts(texts, processing, count, special=special) for count in (1, 2)]
        self._most = [
            None if truncation is None else truncation.max_length - sum(len(part.ids) for part in parts or ())
            for parts in self._parts
        ]

    @cached_property
    def _windows(self) -> Truncation | None:
        """The windows of a text that is too long; ``None`` if its rows must be cut, which finds any error."""
        how, most, parts, trim = self.truncation, self._most[0], self._parts[0], self._trim
        if how is None or most is None or parts is None or how.strategy == "only_second" or how.stride >= most:
            return None
        # Where a space was prepended, offsets depend on which token is the first of its piece.
        plain = trim is None or not trim.prefix_space
        once = [part.text for part in parts].count(0) == 1
        return how if plain and once else None

    def columns(self, text: str, ids: list[int]) -> Columns:
        """Return the columns of a text whose ids are known."""
        found = self.texts.columns(text, ids)
        return found if self._trim is None else trimmed(found, prefix_space=self._trim.prefix_space)

    def columns_at(self, places: Places) -> Columns:
        """Return the columns of what `places` found."""
        return self.texts.columns_at(places)

    @cached_property
    def places(self) -> Callable[[str], Places | None]:
        """Return the ids of a text, their offsets and words; ``None`` if there is no quick way."""
        return self.texts.places if self._trim is None else nowhere

    def of_text(self, text: Any) -> Draft | Rows:
        """Encode a text."""
        ids = self.texts.encode(text)
        parts = self._parts[0]
        if self.truncation is None and parts is not None:  # the common case
            return Draft(self, (text,), (ids,), parts)
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
        return finish(texts, self.processing, self.truncation, special=self.special)

    def _of(self, texts: tuple[str, ...], found: tuple[list[int], ...]) -> Draft | Rows:
        at = len(texts) - 1
        most, parts = self._most[at], self._parts[at]
        if parts is None or (most is not None and not sum(map(len, found)) <= most > 0):
            if parts is not None and self._windows and most is not None and most > 0 and at == 0:
                return windows_of(self, texts[0], found[0], parts, self._windows, most)
            return self.of_rows([self.texts.rows(text, found[i], i) for i, text in enumerate(texts)])
        return Draft(self, texts, found, parts)


class EmptyPlan(Plan):
    """The plan of a model of BPE without tokens: no text has any. The template may have some.

    Args:
        processing: The post-processor, if there is one.
        truncation: The truncation settings, if there are any.
        special: Whether the template adds its special tokens.
    """

    def __init__(self, processing: Processing | None, truncation: Truncation | None, *, special: bool) -> None:
        self.processing, self.truncation, self.special = processing, truncation, special

    def of_text(self, text: Any) -> Rows:
        """Return the encoding of a text."""
        return self._of(text)

    def of_pair(self, first: Any, second: Any) -> Rows:
        """Return the encoding of a pair of texts."""
        return self._of(first, second)

    def of_batch(self, batch: list[tuple[Any, ...]]) -> list[Draft | Rows]:
        """Return the encodings of texts and pairs."""
        return [self._of(*texts) for texts in batch]

    def of_words(self, texts: list[Any]) -> Rows:
        """Return the encoding of one or two lists of words."""
        return self._of(*map("".join, texts))

    def _of(self, *texts: Any) -> Rows:
        """Return the encoding of one or two texts."""
        return self.of_rows(list(map(_no_tokens, texts, count())))


def _no_tokens(text: Any, type_id: int) -> Rows:
    checked_text(text)
    return Rows.of([], Lazy(Columns.empty), type_id)


def _parts(texts: Texts, processing: Processing | None, count: int, *, special: bool) -> tuple[Part, ...] | None:
    """Return the parts of an encoding of one or two texts; ``None``: `finish` has to make it. See `finish`."""
    if processing is None:
        return tuple(Part(text, 0 if texts.blank else text) for text in range(count))
    template = processing.template
    if template is None:
        return None
    try:
        pieces = template.pieces(count)
    except NotSupportedError:  # which is raised for a text, not for the tokenizer
        return None
    parts = []
    for piece in pieces:
        if piece.is_text:
            parts.append(Part(piece.at, piece.type_id))
        elif special:
            parts.append(Part(None, piece.type_id, *template.special[piece.name], special=1))
    return tuple(parts)
