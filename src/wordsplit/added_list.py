"""A packed list of added tokens. There may be a million of them, so objects are created only on access."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, pairwise
from operator import attrgetter, index, lt
from typing import Any, SupportsIndex, cast

from wordsplit.errors import VocabFormatError
from wordsplit.rules import AddedToken
from wordsplit.tables import MAX_ID, Words, owned

__all__ = ["FLAGS", "AddedTokenList"]

FLAGS = ("special", "lstrip", "rstrip", "single_word", "normalized")
"""The flags of an added token; flag ``i`` is bit ``i`` of its byte in `AddedTokenList.flags`."""

_ROW = attrgetter("content", "id", *FLAGS)


class AddedTokenList(Sequence[AddedToken]):
    """Added tokens ordered by id. Tokens that share an id keep the order in which they were given.

    Attributes:
        blob: The UTF-8 of all contents, concatenated.
        ends: The end of each content in ``blob``.
        ids: The ids, ascending.
        flags: One byte per token; see `FLAGS`.
        order: The tokens' indices sorted by the bytes of their contents, if known. In that case all contents are known
            to be different and not empty.

    Example:
        >>> tokens = AddedTokenList.pack([AddedToken("<b>", 7), AddedToken("<a>", 5, special=False)])
        >>> tokens[0]
        AddedToken(content='<a>', id=5, special=False, lstrip=False, rstrip=False, single_word=False, normalized=False)
        >>> len(tokens), tokens.contents()
        (2, ['<a>', '<b>'])
    """

    __slots__ = ("_contents", "blob", "ends", "flags", "ids", "order")
    blob: bytes | memoryview
    ends: Words
    ids: Words
    flags: bytes | memoryview
    order: Words | None

    def __init__(
        self,
        blob: bytes | memoryview,
        ends: Words,
        ids: Words,
        flags: bytes | memoryview,
        order: Words | None = None,
    ) -> None:
        self.blob, self.ends, self.ids, self.flags, self.order = blob, ends, ids, flags, order
        self._contents: Sequence[str] | None = None  # set if they were given as strings, or on first use

    @classmethod
    def pack(cls, tokens: Iterable[AddedToken]) -> AddedTokenList:
        """Pack tokens in any order."""
        if isinstance(tokens, AddedTokenList):
            return tokens
        rows = list(map(_ROW, tokens))
        if not rows:
            return cls(b"", array("I"), array("I"), b"")
        contents, ids, *flags = zip(*rows, strict=True)
        return cls.of_columns(contents, ids, flags)

    @classmethod
    def of_columns(cls, contents: Sequence[str], ids: Sequence[int], flags: Sequence[Sequence[bool]]) -> AddedTokenList:
        """Pack tokens in any order.

        Args:
            contents: The content of each.
            ids: The id of each.
            flags: For each of `FLAGS`, whether each token has it.
        """
        if set(map(type, ids)) - {int} or min(ids) < 0 or max(ids) > MAX_ID:
            ids = [_id(i) for i in ids]
        if not all(map(lt, ids, ids[1:])):
            order = sorted(range(len(ids)), key=ids.__getitem__)
            contents, ids = [contents[at] for at in order], [ids[at] for at in order]
            flags = [[column[at] for at in order] for column in flags]
        encoded = [content.encode("utf-8", "surrogatepass") for content in contents]
        # Each flag is one large integer with one byte per token, so that flags are combined without a loop over tokens.
        joined = 0
        for bit, column in enumerate(flags):
            joined |= int.from_bytes(bytes(column), "little") << bit
        packed = joined.to_bytes(len(ids), "little")
        made = cls(b"".join(encoded), array("I", accumulate(map(len, encoded))), array("I", ids), packed)
        made._contents = contents
        return made

    def contents(self) -> Sequence[str]:
        """Return the content of each token."""
        if self._contents is None:
            blob = bytes(self.blob)
            if blob.isascii():
                text = blob.decode("ascii")
                self._contents = [text[start:end] for start, end in pairwise((0, *self.ends))]
            else:
                self._contents = list(map(self._content, range(len(self))))
        return self._contents

    def has_id(self, token_id: object) -> bool:
        """Return whether a token has this id."""
        if not isinstance(token_id, int):
            return False
        at = bisect_left(self.ids, token_id)
        return at < len(self) and self.ids[at] == token_id

    def numbers_of(self, *flags: str) -> list[int]:
        """Return the numbers of the tokens with one of `FLAGS`, or with one of several."""
        wanted = sum(1 << FLAGS.index(flag) for flag in flags)
        return [at for at, bits in enumerate(self.flags) if bits & wanted]

    def special_tokens(self) -> dict[str, int]:
        """Return the special tokens: content -> id."""
        tokens = zip(self.contents(), self.ids, self.flags, strict=True)
        return {content: i for content, i, flags in tokens if flags & 1}

    def _content(self, at: int) -> str:
        return str(self.blob[self.ends[at - 1] if at else 0 : self.ends[at]], "utf-8", "surrogatepass")

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        if at < 0:
            at += len(self)
        if not 0 <= at < len(self):
            raise IndexError(at)
        bits = self.flags[at]
        return AddedToken(self._content(at), self.ids[at], *(bool(bits >> bit & 1) for bit in range(len(FLAGS))))

    def __iter__(self) -> Iterator[AddedToken]:
        return map(self.__getitem__, range(len(self)))

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AddedTokenList):
            return self._parts() == other._parts()
        return isinstance(other, (tuple, list)) and len(self) == len(other) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((len(self), tuple(self.ids[:3])))

    def __repr__(self) -> str:
        return f"AddedTokenList({list(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return AddedTokenList, self._parts()

    def _parts(self) -> tuple[bytes, array[int], array[int], bytes]:
        return bytes(self.blob), owned(self.ends), owned(self.ids), bytes(self.flags)


def _id(value: object) -> int:
    """Return an id as an int; NumPy integers are accepted."""
    with suppress(TypeError):
        found = index(cast("SupportsIndex", value))
        if 0 <= found <= MAX_ID and not isinstance(value, bool):
            return found
    raise VocabFormatError(f"{value!r} is not an id: ids are integers from 0 to {MAX_ID}", field="added_tokens")
