"""Tokens by their bytes: what constrained decoding asks of a vocabulary.

One table of all tokens in order of their bytes: those that begin with given bytes stand together in it, and binary
search finds them. It is made at the first question, in a quarter of a second for 150,000 tokens.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from itertools import chain, pairwise

from wordsplit.vocab import Vocab

__all__ = ["TokenIndex", "all_token_bytes"]


def all_token_bytes(vocab: Vocab) -> list[bytes | None]:
    """The bytes of every token, by id; ``None`` for ids that are none."""
    out: list[bytes | None] = [None] * vocab.n_vocab
    table, blob = vocab.tokens, bytes(vocab.tokens.blob)
    for i, (start, end) in zip(table.ids, pairwise(chain((0,), table.ends)), strict=True):
        out[i] = blob[start:end]
    for added in reversed(vocab.added_tokens):  # of two that share an id, it decodes to the first
        out[added.id] = added.content.encode("utf-8", "surrogatepass")
    return out


class TokenIndex:
    """Tokens in order of their bytes.

    Args:
        tokens: id -> bytes.

    Example:
        >>> index = TokenIndex({5: b"the", 6: b"then", 7: b"th", 8: b"a"})
        >>> index.beginning_with(b"th"), index.prefixes_of(b"theory")
        ([7, 5, 6], [7, 5])
    """

    def __init__(self, tokens: Mapping[int, bytes]) -> None:
        self._ids = sorted(tokens, key=tokens.__getitem__)
        self._tokens = [tokens[i] for i in self._ids]
        self._longest = max(map(len, self._tokens), default=0)

    @classmethod
    def of(cls, vocab: Vocab) -> TokenIndex:
        """The index of the tokens of a vocab, less its special ones."""
        special = set(vocab.special_tokens.values())
        tokens = enumerate(all_token_bytes(vocab))
        return cls({i: token for i, token in tokens if token is not None and i not in special})

    def beginning_with(self, prefix: bytes) -> list[int]:
        """The ids of the tokens that begin with ``prefix``, in order of their bytes."""
        first = bisect_left(self._tokens, prefix)
        head = prefix.rstrip(b"\xff")  # what begins with this is below the next one that does not
        last = bisect_left(self._tokens, head[:-1] + bytes([head[-1] + 1]), lo=first) if head else len(self._tokens)
        return self._ids[first:last]

    def prefixes_of(self, data: bytes) -> list[int]:
        """The ids of the tokens that ``data`` begins with, shortest first."""
        out: list[int] = []
        for size in range(1, min(len(data), self._longest) + 1):
            head = data[:size]
            first = bisect_left(self._tokens, head)
            out += self._ids[first : bisect_right(self._tokens, head, lo=first)]
        return out
