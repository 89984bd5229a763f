"""Tokens by their names in a tokenizer.json."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from wordsplit.byte_level import from_byte_level, to_byte_level
from wordsplit.compat.tokenizers.tokens import AddedToken
from wordsplit.vocab import Vocab

__all__ = ["Names"]


class _Spelled(dict[int, str]):
    """The names of tokens by id, each made on first use."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, token_id: int) -> str:
        name = self[token_id] = self._names.name_of(token_id) or ""
        return name


class Names:
    """Names and ids of a vocab's tokens.

    Args:
        vocab: The vocab.
        doubled: Added tokens that the file also lists among the base tokens, while the vocab does not.

    Attributes:
        stripping: The ids of added tokens that include white space around them.
        spelled: The name of each id, made on first use.
    """

    def __init__(self, vocab: Vocab, doubled: dict[str, int]) -> None:
        self.vocab = vocab
        self.doubled = doubled
        self.added = {token.content: token for token in vocab.added_tokens}
        self.by_id = {token.id: token for token in reversed(vocab.added_tokens)}
        self.stripping = {i for i, token in self.by_id.items() if token.lstrip or token.rstrip}
        self.spelled = _Spelled(self)

    def id_of(self, name: str) -> int | None:
        """Return the id of a token."""
        if name in self.added:
            return self.added[name].id
        data = from_byte_level(name)
        found = None if data is None else self.vocab.ids_by_bytes.get(data)
        return found if found is not None else self._literal.get(name)

    def name_of(self, token_id: int) -> str | None:
        """Return the name of a token."""
        if token_id in self.by_id:
            return self.by_id[token_id].content
        data = self.vocab.tokens.get(token_id)
        if data is None:
            return None
        return data.decode() if token_id in self.vocab.unreachable_ids else to_byte_level(data)

    def all(self, *, with_added: bool) -> dict[str, int]:
        """Return all tokens by name."""
        base, literal = self.vocab.tokens, self.vocab.unreachable_ids
        out = {token.decode() if i in literal else to_byte_level(token): i for i, token in base.items()} | self.doubled
        return out | {name: token.id for name, token in self.added.items()} if with_added else out

    @property
    def base_size(self) -> int:
        """The number of base tokens in the file."""
        return len(self.vocab.tokens) + len(self.doubled)

    def size(self, *, with_added: bool) -> int:
        """Return the number of tokens."""
        new = [name for name, token in self.added.items() if not self._is_base(name, token.id)]
        return self.base_size + len(new) if with_added else self.base_size

    @cached_property
    def spelled_as_bytes(self) -> dict[int, bytes]:
        """Added tokens with non-ASCII content that the byte-level decoder reads as bytes."""
        found = {i: from_byte_level(token.content) for i, token in self.by_id.items() if not token.content.isascii()}
        return {i: data for i, data in found.items() if data is not None}

    def with_tokens(self, tokens: Iterable[AddedToken]) -> tuple[Names, int]:
        """Return the names with more added tokens, and how many were added."""
        added, taken = dict(self.added), 0
        last = max((token.id for token in added.values()), default=-1)
        for token in tokens:
            known = added.get(token.content)
            if not token.content or (known is not None and token.with_id(known.id) == known):
                continue
            found = self.id_of(token.content)
            if found is None:
                found = max(last + 1, self.base_size)
            last = max(last, found)
            added[token.content] = token.with_id(found)
            taken += 1
        if not taken:
            return self, 0
        return Names(self.vocab.replace(added_tokens=added.values(), source=""), self.doubled), taken

    def _is_base(self, name: str, token_id: int) -> bool:
        return name in self.doubled or token_id in self.vocab.tokens

    @cached_property
    def _literal(self) -> dict[str, int]:
        return {self.vocab.tokens[i].decode(): i for i in self.vocab.unreachable_ids if i in self.vocab.tokens}
