"""Merge tables for the encoders written in Python, and merges derived from ranks."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

from wordsplit.errors import UnknownTokenError, VocabFormatError
from wordsplit.vocab import MergeList

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["MergeTables", "derive_merges", "last_merge", "live_merges"]

_LONG = 64  # tokens of more bytes are merged by a heap: a sweep for each merge takes seconds for some thousand bytes


class MergeTables:
    """What an encoder looks up, as plain dicts.

    Attributes:
        byte_ids: The id of each single byte; -1 where the vocab has no token for it.
        merge_of: (left id, right id) -> (rank, merged id). If a pair is listed twice the later rank
            counts, as in `tokenizers`.

    Raises:
        VocabFormatError: A merge names an id that is no token, or makes bytes that are no token.
    """

    def __init__(self, vocab: Vocab) -> None:
        ids, tokens = vocab.ids_by_bytes, dict(vocab.tokens)
        self.vocab_name: str = vocab.name
        self.byte_ids: list[int] = [ids.get(bytes([b]), -1) for b in range(256)]
        self.merge_of: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, (left, right) in enumerate(vocab.merges):
            try:
                merged = ids[tokens[left] + tokens[right]]
            except KeyError:
                raise VocabFormatError(
                    f"({left}, {right}) names an unknown token, or makes none", field=f"merges[{rank}]"
                ) from None
            self.merge_of[left, right] = rank, merged

    def ids_of_bytes(self, span: bytes) -> list[int]:
        """The ids of the single bytes of ``span``.

        Raises:
            UnknownTokenError: The vocab has no token for one of them.
        """
        byte_ids = self.byte_ids
        out = [byte_ids[b] for b in span]
        if -1 in out:
            raise UnknownTokenError(
                f"{self.vocab_name} has no token for byte 0x{span[out.index(-1)]:02X} (in {span[:40]!r})"
            )
        return out


def derive_merges(vocab: Vocab) -> MergeList:
    """The merges of a vocab of mergeable ranks: for each token the last merge of its own encoding.

    In such a vocab any two adjacent tokens merge if their concatenation is a token T, at the rank of T.
    But wherever that happens in a text, the merges inside those bytes were the very ones that encoding
    T alone makes, since byte-pair encoding looks at nothing outside the pair. So of all the pairs that
    make T, one at most is ever used: the last merge of T's own encoding. A token whose own encoding
    does not end in it is never made, and has no merge.
    """
    ids, tokens = vocab.ids_by_bytes, dict(vocab.tokens)

    def merge(left: int, right: int) -> tuple[int, int] | None:
        merged = ids.get(tokens[left] + tokens[right])
        return None if merged is None else (merged, merged)

    flat = array("I")
    for token_id in sorted(ids.values()):
        token = tokens[token_id]
        try:
            flat.extend(last_merge([ids[token[i : i + 1]] for i in range(len(token))], merge) or ())
        except KeyError:
            continue  # a byte of it is no token, so no text can reach it
    return MergeList(flat)


def live_merges(vocab: Vocab) -> list[tuple[int, int]]:
    """The merges of a vocab that are ever used, in order of rank: for each token the one that makes it."""
    tables = vocab.merge_tables
    live = []
    for token in vocab.ids_by_bytes:
        if all(tables.byte_ids[byte] >= 0 for byte in token):
            last = last_merge(tables.ids_of_bytes(token), lambda *pair: tables.merge_of.get(pair))
            if last is not None:
                live.append(last)
    return sorted(live, key=lambda pair: tables.merge_of[pair])


def last_merge(buffer: list[int], merge: Callable[[int, int], tuple[int, int] | None]) -> tuple[int, int] | None:
    """The last merge of byte-pair encoding, if it ends in one token.

    Args:
        buffer: The ids of the bytes of a token; used up.
        merge: The (rank, merged id) of a pair, or ``None``.

    Returns:
        The (left, right) merged last; ``None`` if no merge was made or more than one token is left.
    """
    if len(buffer) > _LONG:
        from wordsplit.encoders.heap_merge import merge_by_heap  # noqa: PLC0415 - few vocabs have such tokens

        last = merge_by_heap(buffer, lambda pair: merge(*pair))
        return last if sum(token >= 0 for token in buffer) == 1 else None
    last = None
    while len(buffer) > 1:
        best = None
        for i in range(len(buffer) - 1):
            found = merge(buffer[i], buffer[i + 1])
            if found is not None and (best is None or found < best):
                best, at = found, i
        if best is None:
            return None
        last = buffer[at], buffer[at + 1]
        buffer[at : at + 2] = [best[1]]
    return last
