"""Encode the inputs of `encode` and `encode_batch`, before template, truncation and padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from wordsplit.compat.tokenizers._columns import Columns, LazyColumns
from wordsplit.compat.tokenizers._names import Names
from wordsplit.compat.tokenizers._rows import Rows
from wordsplit.errors import InputTypeError
from wordsplit.text import Special
from wordsplit.tokenizer import Tokenizer
from wordsplit.unicode.nfc import nfc

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

    def encode_batch(self, texts: Sequence[Any]) -> list[Rows]:
        """Encode texts."""
        found = self._tokenizer.encode_batch(list(map(_text, texts)), self._special)
        return [self._of(text, ids, 0) for text, ids in zip(texts, found, strict=True)]

    def _of(self, text: str, ids: list[int], type_id: int) -> Rows:
        if self._blank:
            return Rows.of(ids, _blank(len(ids)))  # no type id, too
        return Rows.of(ids, LazyColumns(lambda: self._columns(text)), type_id)

    def _of_words(self, words: Any, type_id: int) -> Rows:
        if isinstance(words, (str, bytes)) or not all(isinstance(word, str) for word in words):
            raise InputTypeError("with is_pretokenized=True a text is a list or tuple of str")
        texts = list(map(str, words))
        each = [self._tokenizer.encode(word, self._special) for word in texts]

        if self._blank:
            return Rows.of([i for ids in each for i in ids], _blank(sum(map(len, each))))

        def columns() -> Columns:
            out = Columns()
            for at, word in enumerate(texts):
                found = self._columns(word)
                out += replace(found, words=[at] * len(found.words))
            return out

        return Rows.of([i for ids in each for i in ids], LazyColumns(columns), type_id)

    def _columns(self, text: str) -> Columns:
        found = self._tokenizer.encode_with_offsets(text, self._special)
        offsets, words = found.char_spans, list[int | None]()
        for word, (start, end) in enumerate(pairwise([*found.span_starts, len(found)])):
            words += (word,) * (end - start)
        names = self._names
        tokens = list(map(names.spelled.__getitem__, found.ids))
        if not names.stripping.isdisjoint(found.ids):  # spelled with the white space that they include
            for at, token_id in enumerate(found.ids):
                if token_id in names.stripping:
                    part = text[slice(*offsets[at])]
                    normalized = names.by_id[token_id].normalized and names.vocab.normalizer
                    tokens[at] = nfc(part) if normalized else part
        return Columns(tokens, words, offsets)


def texts_of(item: Any, *, pretokenized: bool) -> list[Any]:
    """Return the texts of an item of a batch: one, or two for a pair."""
    if isinstance(item, str) or len(item) != 2 or (pretokenized and isinstance(item[0], str)):
        return [item]
    return list(item)


def _blank(count: int) -> LazyColumns:
    return LazyColumns(lambda: Columns.blank([""] * count))


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise InputTypeError(f"a text is a str, not {type(text).__name__}; a list of words needs is_pretokenized=True")
    return text
