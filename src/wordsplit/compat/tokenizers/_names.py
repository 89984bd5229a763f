"""Tokens by their names in a tokenizer.json."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from wordsplit import rules
from wordsplit.byte_level import from_byte_level, to_byte_level
from wordsplit.compat.ids import checked_name
from wordsplit.compat.tokenizers.tokens import AddedToken
from wordsplit.engine.decoding import Table, spellings
from wordsplit.engine.in_core import can_preprocess_natively
from wordsplit.engine.normalization import content_normalizer
from wordsplit.errors import VocabFormatError
from wordsplit.model import ByteLevelBPE
from wordsplit.rules import finds_as_spelled
from wordsplit.unicode.nfc import nfc
from wordsplit.vocab import Vocab
from wordsplit.vocabs.formats.tokenizer_json.spelled_tokens import SpelledTokens

__all__ = ["Names"]


class _Named(dict[int, str | None]):
    """The names of tokens by id, ``None`` for no token. Each is created on first use."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, token_id: int) -> str | None:
        names = self._names
        name = names.added_name_of(token_id) if token_id in names.by_id else names.base_name_of(token_id)
        if name is not None:  # of the others there are any number
            self[token_id] = name
        return name


class _Numbered(dict[str, int | None]):
    """The ids of tokens by name, ``None`` for no token. Each is found on first use."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, name: str) -> int | None:
        token_id = self._names.find_id(name)
        if token_id is not None:  # as above
            self[name] = token_id
        return token_id


class _Added(NamedTuple):
    """Added tokens.

    Attributes:
        tokens: The tokens by content.
        last: The greatest id, or -1.
        new: The number of them that are not also base tokens.
    """

    tokens: dict[str, rules.AddedToken]
    last: int
    new: int


class Names:
    """Names and ids of a vocab's tokens.

    Args:
        vocab: The vocab.
        doubled: Added tokens that the file also lists among the base tokens, while the vocab does not.
        numbered: The added tokens, if they are others than those of the vocab.

    Attributes:
        is_byte_level: Whether the tokens are spelled in the byte-level alphabet.
        doubled: The argument.
        added: The added tokens by content.
        name_of: Returns the name of the token with an id, ``None`` if there is none.
        id_of: Returns the id of the token with a name, ``None`` if there is none.
        spelled: The name of each id that the model finds, created on first use: it differs from that of an added token
            with the same id whose content changes when normalized.
    """

    def __init__(self, vocab: Vocab, doubled: dict[str, int], numbered: _Added | None = None) -> None:
        self._origin = vocab
        self.is_byte_level: bool = isinstance(vocab.model, ByteLevelBPE)
        self.doubled: dict[str, int] = doubled
        if numbered is None:
            self.vocab = vocab
            added = {token.content: token for token in vocab.added_tokens}
            last = max((token.id for token in added.values()), default=-1)
            new = sum(not self._is_base(name, token.id) for name, token in added.items())
            numbered = _Added(added, last, new)
        self._numbered: _Added = numbered
        self.added: dict[str, rules.AddedToken] = numbered.tokens
        self.spelled: Table[str] = Table(lambda i: self.base_name_of(i) or self.name_of(i) or "")
        self.name_of: Callable[[int], str | None] = _Named(self).__getitem__
        self.id_of: Callable[[str], int | None] = _Numbered(self).__getitem__

    @cached_property
    def vocab(self) -> Vocab:
        """The vocab, with all added tokens."""
        return self._origin.replace(added_tokens=self.added.values(), source="")

    @cached_property
    def by_id(self) -> dict[int, rules.AddedToken]:
        """The added tokens by id."""
        ordered = sorted(self.added.values(), key=attrgetter("id"))
        return {token.id: token for token in reversed(ordered)}  # of two with the same id, the first

    @cached_property
    def respelled(self) -> set[int]:
        """The ids of added tokens that represent text other than their content.

        They include white space around them, or their content changes when normalized.
        """
        return {
            i
            for i, token in self.by_id.items()
            if token.lstrip or token.rstrip or (token.normalized and nfc(token.content) != token.content)
        }

    def is_match(self, token_id: int, text: str) -> bool:
        """Return whether a text is a match of an added token, or else of the base token that has its name.

        Added as a token, ``Ġ`` has the id of the space, which the model finds, too.
        """
        content = self.by_id[token_id].content
        return content in text or nfc(content) in text

    @cached_property
    def reaching(self) -> set[int]:
        """The ids of added tokens that include white space after them, in which the next one may begin."""
        return {i for i, token in self.by_id.items() if token.rstrip}

    @cached_property
    def found_as(self) -> dict[int, str]:
        """The normalized texts of added tokens, where they are not their names."""
        return {i: text for i, text in self._otherwise.items() if self.base_name_of(i) is None}

    @cached_property
    def unclear(self) -> set[int]:
        """The ids whose text in the normalized text does not follow from the id alone.

        They are those of added tokens that include white space, and of those that are base tokens of another spelling,
        too.
        """
        strips = {i for i, token in self.by_id.items() if token.lstrip or token.rstrip}
        return strips | (self._otherwise.keys() - self.found_as.keys())

    @cached_property
    def _otherwise(self) -> dict[int, str]:
        vocab = self._origin
        if self.is_byte_level:
            return {}
        normalize = content_normalizer(vocab.normalizer or (), vocab.source)
        as_spelled = finds_as_spelled(vocab.normalizer)

        def found(token: rules.AddedToken) -> str:
            return normalize(token.content) if token.normalized and not as_spelled else token.content

        texts = {i: found(token) for i, token in self.by_id.items()}
        return {i: text for i, text in texts.items() if text != self.spelled[i]}

    @cached_property
    def engine_agrees(self) -> bool:
        """Whether the engine's offsets are those of `tokenizers`.

        For text that NFC does not change and without tokens that are ``reaching``.
        """
        return self.is_byte_level and can_preprocess_natively(self._origin) and not self._origin.add_prefix_space

    def find_id(self, name: str) -> int | None:
        """Find the id of a token; `id_of` remembers it."""
        if checked_name(name) in self.added:
            return self.added[name].id
        data = from_byte_level(name) if self.is_byte_level else name.encode()
        found = None if data is None else self._origin.model.id_of(data)
        return found if found is not None else self._literal.get(name)

    def added_name_of(self, token_id: int) -> str:
        """Return the name of an added token."""
        return self._spellings[token_id]

    def base_name_of(self, token_id: int) -> str | None:
        """Return the name of a base token, even if an added token has the same id."""
        data = self._origin.tokens.get(token_id)
        return None if data is None else self._name(token_id, data)

    def all(self, *, with_added: bool) -> dict[str, int]:
        """Return all tokens by name."""
        names = SpelledTokens(self._origin.model, self._origin.name).names
        out = {name: i for i, name in names.items()} | self.doubled
        return out | {name: token.id for name, token in self.added.items()} if with_added else out

    @property
    def base_size(self) -> int:
        """The number of base tokens in the file."""
        return len(self._origin.tokens) + len(self.doubled)

    def size(self, *, with_added: bool) -> int:
        """Return the number of tokens."""
        return self.base_size + self._numbered.new if with_added else self.base_size

    @cached_property
    def spelled_as_bytes(self) -> dict[int, bytes]:
        """Added tokens with non-ASCII content that the byte-level decoder reads as bytes, if the vocab has no steps."""
        if self.vocab.decoder is not None:
            return {}
        found = {i: from_byte_level(token.content) for i, token in self.by_id.items() if not token.content.isascii()}
        return {i: data for i, data in found.items() if data is not None}

    def with_tokens(self, tokens: Iterable[AddedToken]) -> tuple[Names, int]:
        """Return the names with more added tokens, and how many were added. Their vocab is created on first use.

        Raises:
            VocabFormatError: A token is not text.
        """
        added, last, new = self._numbered
        added, taken = dict(added), 0
        for token in tokens:
            known = added.get(token.content)
            if not token.content or (known is not None and token.with_id(known.id) == known):
                continue
            found = self.find_id(token.content) if known is None else known.id
            if found is None:
                found = max(last + 1, self.base_size)
            last = max(last, found)
            if known is None:
                _check_text(token.content)
                new += not self._is_base(token.content, found)
            added[token.content] = token.with_id(found)
            taken += 1
        if not taken:
            return self, 0
        return Names(self._origin, self.doubled, _Added(added, last, new)), taken

    @cached_property
    def _spellings(self) -> Mapping[int, str]:
        return spellings(self.vocab)

    def _name(self, token_id: int, data: bytes) -> str:
        is_text = not self.is_byte_level or token_id in self._origin.unreachable_ids
        return data.decode() if is_text else to_byte_level(data)

    def _is_base(self, name: str, token_id: int) -> bool:
        return name in self.doubled or token_id in self._origin.tokens

    @cached_property
    def _literal(self) -> dict[str, int]:
        tokens = self._origin.tokens
        return {tokens[i].decode(): i for i in self._origin.unreachable_ids if i in tokens}


def _check_text(content: str) -> None:
    try:
        content.encode()
    except UnicodeEncodeError:
        raise VocabFormatError("it has a lone surrogate", field=f"added_tokens[{content!r:.80}]") from None
