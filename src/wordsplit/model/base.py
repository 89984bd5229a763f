"""The base class of all models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property, partial
from typing import Any

from wordsplit import hints
from wordsplit.tables import MergeList, TokenTable

__all__ = ["Model"]


class Model(ABC):
    """A model, which turns a span into tokens: a value in a `Vocab`.

    Its types are `ByteLevelBPE`, `CharacterBPE`, `Unigram` and `WordPiece`. Each is a frozen dataclass whose fields are
    everything that determines the ids of a span.

    Attributes:
        tokens: The base tokens: a read-only mapping of id to bytes, in order of ids.
        explicit_merges: (left id, right id) in order of rank, as the source lists them; ``None`` for mergeable ranks.
            Models without merges have an empty list.
        merges: The same, derived from the ranks if the source lists none.
        ignore_merges: Whether a span that is a token as a whole gets that id without any merging.
        unreachable_ids: Base tokens that no text can produce.
        merges_are_live: See `ByteLevelBPE`.
        missing_bytes: See `ByteLevelBPE`.
    """

    tokens: Any
    explicit_merges: Any = MergeList(array("I"))
    merges: Any = MergeList(array("I"))
    ignore_merges: bool = False
    unreachable_ids: Any = frozenset()
    merges_are_live: bool = False
    missing_bytes: Any = None

    @property
    def token_table(self) -> TokenTable:
        """The base tokens, as their table."""
        found: TokenTable = self.tokens
        return found

    @property
    def has_whole_words(self) -> bool:
        """Whether a span that is a token as a whole has that id, whatever else the model does."""
        return self.ignore_merges

    @property
    def ends_words(self) -> bool:
        """Whether a letter that ends a word is spelled otherwise, as in CLIP's model.

        The tables of such a model have a byte for the end of a word, and the native core runs it only after a table of
        characters that puts the byte there.
        """
        return False

    @property
    def tiles_text(self) -> bool:
        """Whether tokens are found at their positions: none is moved by text without ids."""
        return True

    @cached_property
    def ids_by_bytes(self) -> Mapping[bytes, int]:
        """The ids of the base tokens that text can produce: bytes -> id."""
        skip = self.unreachable_ids
        if not skip:
            return self.token_table.ids_by_bytes()
        return {token: i for i, token in self.token_table.items() if i not in skip}

    def id_of(self, token: bytes) -> int | None:
        """Return the id of a base token that text can produce; ``None`` if there is none."""
        found: int | None = self.token_table.id_of(token)
        return self.ids_by_bytes.get(token) if found in self.unreachable_ids else found

    @cached_property
    def native_tables(self) -> dict[str, hints.native.VocabTables]:
        """The look-up tables of the native core made so far, shared by all vocabs of the model.

        The key is the spelling of a space, see `wordsplit.model.native.native_tables`.
        """
        return {}

    @property
    @abstractmethod
    def rules(self) -> tuple[Any, ...]:
        """The rules that determine ids, other than tokens and merges; part of the vocab's fingerprint unless empty."""

    def replace(self, **changes: Any) -> Model:
        """Return a copy with some fields changed."""
        return type(self)(**self._arguments() | changes)

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), **self._arguments()), ()

    def _arguments(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]


def packed(merges: Any) -> MergeList | None:
    """Pack merges, unless there are none to pack."""
    return None if merges is None else MergeList.pack(merges)
