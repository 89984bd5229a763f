"""The tokens and merges of a model as a tokenizer.json spells them.

A file has hundreds of thousands of them. The native core writes their text from the packed tables of the model; the
Python objects for each are created only on request.
"""

from __future__ import annotations

from array import array
from contextlib import suppress
from functools import cached_property
from json.encoder import encode_basestring
from operator import itemgetter
from typing import NamedTuple

from wordsplit.byte_level import from_byte_level, spell_all, to_byte_level
from wordsplit.errors import UnsupportedVocabError
from wordsplit.model import ByteLevelBPE, Model
from wordsplit.tables import TokenTable, Words

try:
    from wordsplit._native import json_merges, json_tokens
except ImportError:  # a pure-Python build
    json_merges = json_tokens = None  # type: ignore[assignment]

__all__ = ["SpelledMerges", "SpelledTokens", "SpelledVocab"]


class SpelledTokens:
    """The base tokens of a model, spelled.

    Args:
        model: The model.
        label: The name of the file, for errors.
    """

    def __init__(self, model: Model, label: str) -> None:
        self._label = label
        self._byte_level = isinstance(model, ByteLevelBPE)
        table = model.token_table
        self.table: TokenTable = table
        unreachable = model.unreachable_ids if isinstance(model, ByteLevelBPE) else ()
        self.text_ids: Words = array("I", sorted(filter(table.__contains__, unreachable)))
        """Those of the tokens that are spelled as their text; others in the byte-level alphabet."""
        if not self._byte_level:
            self.text_ids = table.ids

    def name_of(self, token_id: int) -> str:
        """Return the spelling of a token.

        Raises:
            UnsupportedVocabError: It is not text.
        """
        data = self.table[token_id]
        if self._byte_level and token_id not in self.text_ids:
            return to_byte_level(data)
        try:
            return data.decode()
        except UnicodeDecodeError:
            problem = f"token {data!r:.60} is not UTF-8"
            raise UnsupportedVocabError(problem, file=self._label, field=f"vocab[{token_id}]") from None

    def spells(self, name: str) -> bool:
        """Return whether a token is spelled so."""
        if not self._byte_level:
            return self.table.id_of(name.encode()) is not None
        data = from_byte_level(name)
        if data is not None and self.table.id_of(data) is not None:
            return True
        return any(self.table[i] == name.encode() for i in self.text_ids)

    @cached_property
    def names(self) -> dict[int, str]:
        """The spelling of each token. Raises `UnsupportedVocabError` if one is not text."""
        table = self.table
        if not self._byte_level:
            with suppress(UnicodeDecodeError):  # below is said of which token
                return dict(zip(table.ids, map(bytes.decode, table.each()), strict=True))
            return {i: self.name_of(i) for i in table.ids}
        return dict(zip(table.ids, spell_all(table), strict=True)) | {i: self.name_of(i) for i in self.text_ids}

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each spelling. Raises `UnsupportedVocabError` if two tokens are spelled the same."""
        names = self.names
        ids = dict(zip(names.values(), names, strict=True))
        if len(ids) < len(names):
            i, name = next((i, name) for i, name in names.items() if ids[name] != i)
            problem = f"token {name!r:.60} has id {i}, too"
            raise UnsupportedVocabError(problem, file=self._label, field=f"vocab[{ids[name]}]")
        return ids


class SpelledVocab(NamedTuple):
    """The ``vocab`` of a model in the file, by id, as `tokenizers` writes it.

    Attributes:
        tokens: The tokens.
        more: Added tokens that the file lists there, too.
    """

    tokens: SpelledTokens
    more: dict[str, int]

    def has(self, name: str) -> bool:
        """Return whether a token is spelled so."""
        return name in self.more or self.tokens.spells(name)

    def plain(self) -> dict[str, int]:
        """Return it as `json` reads it."""
        ids = self.tokens.ids | self.more
        return _by_id(ids) if self.more else ids

    def text(self, between: str) -> str:
        """Return its members as JSON, with a text between two of them."""
        tokens, more, listed = self.tokens, self.more, None
        table = tokens.table
        before = {name: i for name, i in more.items() if table.ids and i < table.ids[0]}
        after = {name: i for name, i in more.items() if not table.ids or i > table.ids[-1]}
        apart = len(before) + len(after) == len(more) and not any(map(tokens.spells, more))
        if json_tokens is not None:
            listed = json_tokens(table.blob, table.ends, table.ids, tokens.text_ids, between) if apart else None
        if listed is None:
            return between.join(_members(self.plain()))  # which says what is wrong, if anything
        return between.join([*_members(_by_id(before)), *filter(None, [listed]), *_members(_by_id(after))])


def _by_id(ids: dict[str, int]) -> dict[str, int]:
    return dict(sorted(ids.items(), key=itemgetter(1)))


def _members(ids: dict[str, int]) -> list[str]:
    return [f"{encode_basestring(name)}: {i}" for name, i in ids.items()]


class SpelledMerges(NamedTuple):
    """The ``merges`` of a model in the file.

    Attributes:
        tokens: The tokens.
        flat: The ids of each pair, one after another.
    """

    tokens: SpelledTokens
    flat: Words

    def plain(self) -> list[list[str]]:
        """Return them as `json` reads them."""
        name, flat = self.tokens.names.__getitem__, self.flat
        return list(map(list, zip(map(name, flat[0::2]), map(name, flat[1::2]), strict=True)))

    def text(self, comma: str, between: str) -> str:
        """Return them as JSON, with a text between the parts of each, and one between two of them."""
        tokens, table, found = self.tokens, self.tokens.table, None
        if json_merges is not None:
            found = json_merges(table.blob, table.ends, table.ids, tokens.text_ids, self.flat, comma, between)
        if found is not None:
            return found
        return between.join([comma.join(map(encode_basestring, pair)) for pair in self.plain()])
