"""Completions of the unstable end of a text, as tiktoken computes them.

The results are exactly tiktoken's, including its limits: the last span is unstable, and so is the run of white space
that it may be part of; each token that begins at or within the unstable bytes is tried once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from wordsplit.compat.tiktoken._pieces import Pieces
from wordsplit.unicode import belongs

__all__ = ["completions", "encode_bytes"]


def completions(pieces: Pieces, ids: list[int], last: int) -> tuple[list[int], list[list[int]]]:
    """Return the stable ids, and the possible completions of the rest, sorted.

    Args:
        pieces: Encodes pieces.
        ids: The ids of the text.
        last: How many of them the last span has; 0 after a special token.
    """
    stable, unstable = _parted(pieces, ids, last)
    if not unstable:
        return stable, []
    tokens = pieces.vocab.ids_by_bytes
    found: set[tuple[int, ...]] = {(tokens[token],) for token in _beginning_with(pieces.sorted_tokens, unstable)}
    texts: list[str] = []
    for possible in _straddling(pieces.sorted_tokens, unstable):
        try:
            texts.append(possible.decode())
        except UnicodeDecodeError:
            found.add(_enough(pieces, pieces.merge(possible), len(unstable)))
    found.update(_enough(pieces, encoded, len(unstable)) for encoded in pieces.tokenizer.encode_batch(texts))
    space = _space_at_end(unstable)
    if 0 < space < len(unstable):  # a split may appear before it
        found.add((*pieces.merge(unstable[:-space]), *pieces.merge(unstable[-space:])))
    return stable, [list(each) for each in sorted(found)]


def encode_bytes(pieces: Pieces, data: bytes) -> list[int]:
    """Encode bytes. From the last span before the first invalid UTF-8 on, they are one span."""
    try:
        return pieces.tokenizer.encode(data.decode())
    except UnicodeDecodeError as error:
        valid = error.start
    text = data[:valid].decode()
    stable, unstable = _parted(pieces, pieces.tokenizer.encode(text), pieces.last_length(text))
    return stable + pieces.encode_piece(unstable + data[valid:])


def _parted(pieces: Pieces, ids: list[int], last: int) -> tuple[list[int], bytes]:
    """Return the stable ids, and the bytes of the unstable ones."""
    at = len(ids) - last
    if last and _is_space(pieces, ids[at]):
        while at and _is_space(pieces, ids[at - 1]):
            at -= 1
    return ids[:at], pieces.tokenizer.decode_bytes(ids[at:])


def _is_space(pieces: Pieces, token_id: int) -> bool:
    token = pieces.vocab.tokens.get(token_id)
    return token is not None and not token.strip(b" \n\t")


def _beginning_with(tokens: list[bytes], prefix: bytes) -> Iterator[bytes]:
    at = bisect_left(tokens, prefix)
    while at < len(tokens) and tokens[at].startswith(prefix):
        yield tokens[at]
        at += 1


def _straddling(tokens: list[bytes], unstable: bytes) -> Iterator[bytes]:
    """Yield the unstable bytes, extended by each token that begins within them and may extend beyond."""
    for at in range(1, len(unstable)):
        for token in _beginning_with(tokens, unstable[at:]):
            yield unstable[:at] + token


def _enough(pieces: Pieces, ids: list[int], size: int) -> tuple[int, ...]:
    """Return the first ids that together spell ``size`` bytes."""
    for count, token_id in enumerate(ids, 1):
        size -= len(pieces.vocab.tokens[token_id])
        if size <= 0:
            return tuple(ids[:count])
    return tuple(ids)


def _space_at_end(data: bytes) -> int:
    """Return the number of bytes of the last character if it is white space, else 0."""
    char = data.decode("utf-8", "ignore")[-1:]
    size = len(char.encode())
    return size if char and data.endswith(char.encode()) and belongs("s", ord(char)) else 0
