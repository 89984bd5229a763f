"""Walk the longest matches of an automaton, and step back if a token boundary is not valid.

The algorithm rests on two facts. A sequence of tokens is the byte-pair encoding of its bytes if and only if each
two neighbours, on their own, encode to themselves (`is_valid_token_pair`). And exactly one of the sequences of
tokens that spell a text has this property. To find it: take the longest token that begins here. If it
is not valid after the token before it, try the next shorter one that is a prefix of it (`next_prefix`). If
none is left, step back over the token before and shorten that. One bit per position records
dead ends, so that none is entered twice.

`is_valid_token_pair` undoes the merges of the two tokens, latest first, and checks each pair
across the boundary: if its rank is lower than that of the merge just undone (or the same, when the undone
one is to the right), byte-pair encoding would have merged across the boundary, and the tokens are not valid
neighbours.

Cost: O(n) positions, each of which tries at most the tokens that begin there; memory for one bit per position,
besides the ids. The tables (longest-match automaton, next prefixes, splits) are built once per vocab.

Preconditions, checked when the encoder is built: the merges of both parts of a token have lower ranks than
its own, so that undoing by rank undoes in order. Every vocab trained by merging satisfies this. Tokens that
byte-pair encoding never produces are not in the automaton.

Source: Hendrik van Antwerpen and Alexander Neubeck, "So many tokens, so little time", 2023, and their
crate `bpe`. Unlike that crate, this keeps merge ranks separate from ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from wordsplit.encoders.base import SpanEncoder
from wordsplit.errors import UnsupportedVocabError
from wordsplit.merges import last_merge
from wordsplit.model import ByteLevelBPE

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["Backtracking"]

BYTE = -1  # the rank of a single byte: lower than every merge


class Backtracking(SpanEncoder):
    """Longest match with backtracking, O(n) per span.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("cl100k_base", encoder="backtracking").encode("hello world")
        [15339, 1917]
    """

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab)
        self._model: ByteLevelBPE = vocab.model  # type: ignore[assignment]  # the only one that the strategy is for
        self._tokens = dict(vocab.tokens)
        # token -> (left, right, rank) of the one merge that makes it; a byte has itself as both parts.
        self._made_by = {i: (i, i, BYTE) for i in self.tables.byte_ids if i >= 0}
        self._undo_all(vocab)
        self._trie, self._next_prefix = self._automaton()

    def _undo_all(self, vocab: Vocab) -> None:
        """Find the merge that produces each token, in order of rank, so that its parts are known first."""
        merges = sorted(self.tables.merge_of.items(), key=lambda item: item[1])
        for (left, right), (rank, merged) in merges:
            if left in self._made_by and right in self._made_by and merged not in self._made_by:  # noqa: SIM102
                if self.is_valid_token_pair(left, right, limit=rank):
                    self._made_by[merged] = left, right, rank
        # A token not made by now is never made, or is made by a merge that ranks before one of its parts'.
        for token_id in {merged for _, merged in self.tables.merge_of.values()} - self._made_by.keys():
            token = self._tokens[token_id]
            if all(self.tables.byte_ids[b] >= 0 for b in token) and last_merge(
                self.tables.ids_of_bytes(token), lambda left, right: self.tables.merge_of.get((left, right))
            ):
                raise UnsupportedVocabError(
                    "encoder 'backtracking' needs the merges of a token's parts to rank before its own, and "
                    f"those of token {token_id} ({token!r}) do not; use encoder='heap_merge'",
                    file=vocab.source,
                    field="merges",
                )

    def is_valid_token_pair(self, left: int, right: int, limit: int | None = None) -> bool:
        """Return whether ``left`` followed by ``right`` encodes to exactly these two tokens.

        Args:
            left: A token that byte-pair encoding makes.
            right: Another such token.
            limit: Merges across the boundary of this rank and later do not count.
        """
        merge_of, made_by = self.tables.merge_of, self._made_by
        bound = float("inf") if limit is None else limit
        while True:
            across = merge_of.get((left, right))
            if across is not None and across[0] < bound:
                return False
            left_rank, right_rank = made_by[left][2], made_by[right][2]
            if left_rank == right_rank == BYTE:
                return True
            if left_rank > right_rank:
                bound, left = left_rank, made_by[left][1]
            else:
                bound, right = right_rank + 1, made_by[right][0]

    def _automaton(self) -> tuple[dict[int, int], dict[int, int]]:
        """Build a trie (state << 8 | byte -> state; states of tokens are their ids), and next prefixes."""
        states: dict[bytes, int] = {self._tokens[i]: i for i in self._made_by}
        fresh = -2  # states that are not tokens count down from here; -1 is the root
        trie: dict[int, int] = {}
        next_prefix: dict[int, int] = {}
        for token_id in sorted(self._made_by, key=lambda i: len(self._tokens[i])):
            token = self._tokens[token_id]
            state, last = -1, -1
            for end in range(1, len(token) + 1):
                key = (state << 8) | token[end - 1]
                known = trie.get(key)
                if known is None:
                    known = states.get(token[:end])
                    if known is None:
                        known, fresh = fresh, fresh - 1
                    trie[key] = known
                state = known
                if state >= 0 and end < len(token):
                    last = state
            next_prefix[token_id] = last
        return trie, next_prefix

    def _longest(self, span: bytes, start: int) -> int:
        """Return the longest token that begins at ``start``; there is one, because every byte has a token."""
        trie, state, best = self._trie, -1, -1
        for i in range(start, len(span)):
            following = trie.get((state << 8) | span[i])
            if following is None:
                break
            state = following
            if state >= 0:
                best = state
        return best

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        if self._model.lacks_bytes_of(span):  # so that there are no matches for all of it
            out.extend(token_id for token_id, _, _ in self.tables.traced(span))
            return
        tokens, next_prefix, n = self._tokens, self._next_prefix, len(span)
        dead = bytearray(n + 1)
        base, at = len(out), 0
        token = self._longest(span, 0)
        while at < n:
            end = at + len(tokens[token])
            if not dead[end] and (len(out) == base or self.is_valid_token_pair(out[-1], token)):
                out.append(token)
                at = end
                if at < n:
                    token = self._longest(span, at)
                continue
            token = next_prefix[token]
            if token < 0:
                dead[at] = 1
                token = out.pop()
                at -= len(tokens[token])
        # A text always has a byte-pair encoding, so the walk cannot run out of tokens to step back over.


plugin = Backtracking
