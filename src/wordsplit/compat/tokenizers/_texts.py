"""Encode the inputs of `encode` and `encode_batch`, before template, truncation and padding."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from wordsplit.compat.tokenizers._collection import collection_paused
from wordsplit.compat.tokenizers._columns import Columns, Lazy, LazyColumns, Places, nowhere
from wordsplit.compat.tokenizers._names import Names
from wordsplit.compat.tokenizers._rows import Rows
from wordsplit.engine.base import Engine
from wordsplit.engine.decoding import Table
from wordsplit.engine.offsets import words_of
from wordsplit.engine.tracer import AlignedTracer
from wordsplit.errors import InputTypeError, UnsupportedVocabError
from wordsplit.text import Special
from wordsplit.tokenizer import Tokenizer
from wordsplit.unicode.nfc import is_nfc

__all__ = ["Texts", "checked_text", "texts_of"]

_MANY = 1000  # tokens or characters: to pause the collection costs as much as some tokens


class Texts:
    """Encode single texts.

    Args:
        names: The tokens.
        tokenizer: The tokenizer of their vocab, without a template.
        special: How to treat special tokens.
        blank: Whether to leave out spellings, words and offsets.
    """

    def __init__(self, names: Names, tokenizer: Tokenizer, special: Special, *, blank: bool = False) -> None:
        self._names, self._special = names, special
        self.tokenizer: Tokenizer = tokenizer
        self.blank: bool = blank
        self.engine: Engine = tokenizer._engine  # noqa: SLF001 - of the same package
        # Ids, what to do with invalid bytes, and whether to skip special tokens -> text, or `None` for a slower way.
        self.decode_quickly: Callable[[Any, str, Any], str | None] = (
            _no_text if names.spelled_as_bytes else self.engine.decode_quickly
        )
        self._as_text = tokenizer._inputs.as_text(special)  # noqa: SLF001 - as above

    def without_columns(self) -> Texts:
        """Return the same with blank spellings, words and offsets."""
        return Texts(self._names, self.tokenizer, self._special, blank=True)

    def encode(self, text: Any) -> list[int]:
        """Encode a text."""
        found: list[int] | None = self.engine.encode_quickly(text, self._special)
        return found if found is not None else self.engine.encode(checked_text(text), self._as_text)

    def encode_batch(self, texts: Iterable[Any]) -> list[list[int]]:
        """Encode texts."""
        return self.tokenizer.encode_batch(list(map(checked_text, texts)), self._special)

    def rows(self, text: str, ids: list[int], type_id: int) -> Rows:
        """Return the rows of a text whose ids are known."""
        if self.blank:
            return Rows.of(ids, _blank(len(ids)))  # no type id either
        return Rows.of(ids, Lazy(lambda: self.columns(text, ids)), type_id)

    def rows_of_words(self, words: Any, type_id: int) -> Rows:
        """Encode a list of words."""
        if isinstance(words, (str, bytes)) or not all(isinstance(word, str) for word in words):
            raise InputTypeError("with is_pretokenized=True a text is a list or tuple of str")
        texts = list(map(str, words))
        each = [self.tokenizer.encode(word, self._special) for word in texts]

        if self.blank:
            return Rows.of([i for ids in each for i in ids], _blank(sum(map(len, each))))

        def columns() -> Columns:
            every = [self.columns(word, ids) for word, ids in zip(texts, each, strict=True)]
            out = Columns.empty(next((found.refused for found in every if found.refused is not None), None))
            for at, found in enumerate(every):
                out.append(found._replace(words=[at] * len(found.words)))
            return out

        return Rows.of([i for ids in each for i in ids], Lazy(columns), type_id)

    def columns(self, text: str, ids: list[int]) -> Columns:
        """Return the columns of a text whose ids are known."""
        if self.blank:
            return _blank_columns(len(ids))
        places = self.places(text)
        if places is not None:
            return self.columns_at(places)
        if len(ids) < _MANY:
            return self._columns(text, ids)
        with collection_paused():
            return self._columns(text, ids)

    @cached_property
    def places(self) -> Callable[[str], Places | None]:
        """Return the ids of a text, their offsets and words; ``None`` if there is no quick way."""
        if self.blank:
            return nowhere
        names, engine, as_text = self._names, self.engine, self._as_text
        if names.is_byte_level:
            if not self._agrees_on_ascii:
                return nowhere
            return lambda text: (*engine.encode_with_words(text, as_text), {}) if text.isascii() else None
        is_plain = names.unclear.isdisjoint

        def place(text: str) -> Places | None:
            found = engine.encode_with_words_quickly(text, as_text)
            return found if found is not None and is_plain(found[0]) else None

        return place

    def columns_at(self, places: Places) -> Columns:
        """Return the columns of what `places` found."""
        ids, offsets, words, unknown = places
        tokens = list(map(self._spelled, ids))
        for at, text in unknown.items():
            tokens[at] = text
        return Columns(tokens, words, offsets)

    def _columns(self, text: str, ids: list[int]) -> Columns:
        names = self._names
        if names.engine_agrees and (text.isascii() or names.vocab.normalizer is None or is_nfc(text)):
            ids, offsets, words = self.engine.encode_with_words(text, self._as_text)
            if not names.reaching or names.reaching.isdisjoint(ids):
                tokens = list(map(self._spelled, ids))
                if names.respelled and not names.respelled.isdisjoint(ids):
                    for at, (i, (start, end)) in enumerate(zip(ids, offsets, strict=True)):
                        if i in names.respelled and names.is_match(i, text[start:end]):
                            tokens[at] = text[start:end]
                return Columns(tokens, words, offsets)
        try:
            found, matches = self._tracer.trace_matches(text, self._as_text)
        except UnsupportedVocabError as error:  # the ids are known all the same
            return Columns.blank(list(map(self._spelled, ids)), error)
        tokens = list(map(self._spelled, found.ids))
        for at, match in matches.items():  # spelled as in the text, with the white space that they include
            tokens[at] = match
        return Columns(tokens, words_of(found), found.char_spans)

    @cached_property
    def _agrees_on_ascii(self) -> bool:
        """Whether the engine says all about every text in ASCII."""
        names = self._names
        return names.engine_agrees and not names.respelled and not names.reaching

    @cached_property
    def _spelled(self) -> Callable[[int], str]:
        spelled, found_as = self._names.spelled, self._names.found_as
        if not found_as:
            return spelled.__getitem__
        return Table(lambda i: found_as.get(i) or spelled[i]).__getitem__

    @cached_property
    def _tracer(self) -> AlignedTracer:
        return AlignedTracer(self.engine)


def texts_of(item: Any, *, pretokenized: bool = False) -> list[Any]:
    """Return the texts of an item of a batch: one, or two for a pair.

    Raises:
        InputTypeError: It is neither a text nor a list. (A `TypeError`.)
    """
    if not hasattr(item, "__len__"):
        raise InputTypeError(f"a batch has texts and pairs, not {type(item).__name__}")
    if isinstance(item, str) or len(item) != 2 or (pretokenized and isinstance(item[0], str)):
        return [item]
    return list(item)


def _no_text(*_: object) -> None:
    return None


def _blank(count: int) -> LazyColumns:
    return Lazy(lambda: _blank_columns(count))


def _blank_columns(count: int) -> Columns:
    return Columns.blank([""] * count)


def checked_text(text: Any) -> str:
    """Return a text.

    Raises:
        InputTypeError: It is none. (A `TypeError`.)
    """
    if not isinstance(text, str):
        raise InputTypeError(f"a text is a str, not {type(text).__name__}; a list of words needs is_pretokenized=True")
    return text
