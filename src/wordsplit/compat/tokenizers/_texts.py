"""Encode the inputs of `encode` and `encode_batch`, before template, truncation and padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from wordsplit.compat.tokenizers._by_spelling import BySpelling, by_spelling
from wordsplit.compat.tokenizers._collection import collection_paused
from wordsplit.compat.tokenizers._columns import Columns, Lazy, LazyColumns
from wordsplit.compat.tokenizers._names import Names
from wordsplit.compat.tokenizers._rows import Rows
from wordsplit.engine.offsets import EncodedText
from wordsplit.engine.tracer import AlignedTracer
from wordsplit.errors import InputTypeError, UnsupportedVocabError
from wordsplit.text import Special
from wordsplit.tokenizer import Tokenizer
from wordsplit.unicode.nfc import is_nfc

__all__ = ["Texts", "texts_of"]


class Texts:
    """Encode single texts.

    Args:
        names: The tokens.
        tokenizer: The tokenizer of their vocab, without a template.
        special: How to treat special tokens.
        blank: Whether to leave out spellings, words and offsets.
    """

    def __init__(self, names: Names, tokenizer: Tokenizer, special: Special, *, blank: bool = False) -> None:
        self._names, self._tokenizer, self._special, self._blank = names, tokenizer, special, blank

    def encode(self, text: Any, type_id: int, *, pretokenized: bool) -> Rows:
        """Encode a text, or a list of words."""
        if pretokenized:
            return self._of_words(text, type_id)
        return self._of(_text(text), self._tokenizer.encode(text, self._special), type_id)

    def encode_each(self, texts: Sequence[Any], *, pretokenized: bool) -> list[Rows]:
        """Encode one text, or both texts of a pair."""
        return [self.encode(text, i, pretokenized=pretokenized) for i, text in enumerate(texts)]

    def encode_batch(self, batch: Sequence[Sequence[Any]]) -> list[list[Rows]]:
        """Encode texts and pairs: lists of one or two texts, none of which is a list of words."""
        found = iter(self._tokenizer.encode_batch([_text(text) for texts in batch for text in texts], self._special))
        return [[self._of(text, next(found), i) for i, text in enumerate(texts)] for texts in batch]

    def _of(self, text: str, ids: list[int], type_id: int) -> Rows:
        if self._blank:
            return Rows.of(ids, _blank(len(ids)))  # no type id, too
        return Rows.of(ids, Lazy(lambda: self._columns(text, ids)), type_id)

    def _of_words(self, words: Any, type_id: int) -> Rows:
        if isinstance(words, (str, bytes)) or not all(isinstance(word, str) for word in words):
            raise InputTypeError("with is_pretokenized=True a text is a list or tuple of str")
        texts = list(map(str, words))
        each = [self._tokenizer.encode(word, self._special) for word in texts]

        if self._blank:
            return Rows.of([i for ids in each for i in ids], _blank(sum(map(len, each))))

        def columns() -> Columns:
            every = [self._columns(word, ids) for word, ids in zip(texts, each, strict=True)]
            out = Columns(refused=next((found.refused for found in every if found.refused is not None), None))
            for at, found in enumerate(every):
                out.append(replace(found, words=[at] * len(found.words)))
            return out

        return Rows.of([i for ids in each for i in ids], Lazy(columns), type_id)

    def _columns(self, text: str, ids: list[int]) -> Columns:
        spelled = self._by_spelling
        with collection_paused():
            columns = None if spelled is None else spelled.columns(text, ids)
            if columns is not None:
                return columns
            try:
                return self._traced_columns(text)
            except UnsupportedVocabError as error:  # the ids are known all the same
                return Columns.blank(list(map(self._names.spelled.__getitem__, ids)), error)

    def _traced_columns(self, text: str) -> Columns:
        found, matches = self._traced(text)
        offsets, words = found.char_spans, list[int | None]()
        for word, (start, end) in enumerate(pairwise([*found.span_starts, len(found)])):
            words += (word,) * (end - start)
        tokens = list(map(self._names.spelled.__getitem__, found.ids))
        for at, match in matches.items():  # spelled as in the text, with the white space that they include
            tokens[at] = match
        return Columns(tokens, words, offsets)

    def _traced(self, text: str) -> tuple[EncodedText, dict[int, str]]:
        """Return the ids and offsets of a text, and by index the text of added tokens where it is not their content."""
        names = self._names
        if names.engine_agrees and (names.vocab.normalizer is None or is_nfc(text)):
            found = self._tokenizer.encode_with_offsets(text, self._special)
            if names.reaching.isdisjoint(found.ids):
                if names.respelled.isdisjoint(found.ids):
                    return found, {}
                spans = enumerate(zip(found.ids, found.char_spans, strict=True))
                return found, {at: text[start:end] for at, (i, (start, end)) in spans if i in names.respelled}
        tokenizer = self._tokenizer
        return self._tracer.trace_matches(*tokenizer._inputs.text(text, self._special))  # noqa: SLF001 - as below

    @cached_property
    def _by_spelling(self) -> BySpelling | None:
        return by_spelling(self._names)

    @cached_property
    def _tracer(self) -> AlignedTracer:
        return AlignedTracer(self._tokenizer._engine)  # noqa: SLF001 - of the same package


def texts_of(item: Any, *, pretokenized: bool) -> list[Any]:
    """Return the texts of an item of a batch: one, or two for a pair."""
    if isinstance(item, str) or len(item) != 2 or (pretokenized and isinstance(item[0], str)):
        return [item]
    return list(item)


def _blank(count: int) -> LazyColumns:
    return Lazy(lambda: Columns.blank([""] * count))


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise InputTypeError(f"a text is a str, not {type(text).__name__}; a list of words needs is_pretokenized=True")
    return text
