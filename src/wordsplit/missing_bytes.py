"""The treatment of bytes that have no token in a vocab of byte-level BPE."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wordsplit.byte_fallback import ids_of_bytes
from wordsplit.byte_level import to_byte_level

__all__ = ["NEVER_IN_UTF_8", "MissingBytes", "fallback_ids"]

NEVER_IN_UTF_8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})
"""The bytes that no text has."""


@dataclass(frozen=True, kw_only=True)
class MissingBytes:
    """The treatment of bytes without a token: the rules of `tokenizers`.

    A byte is spelled in tokens such as ``<0xC3>`` (``byte_fallback``), or is unknown. Each unknown byte gives
    ``unk_id``, or each run of them in a span (``fuse_unk``). Without ``unk_id`` they are left out before anything
    merges, so that their neighbours may merge.

    Attributes:
        unk_id: The id for unknown bytes.
        fuse_unk: Whether a run of unknown bytes gives one id.
        byte_fallback: Whether the tokens ``<0x00>`` to ``<0xFF>`` spell the character that stands for a byte in the
            byte-level alphabet, byte by byte in UTF-8. It is unknown if one of them is missing.

    Example:
        >>> import wordsplit
        >>> tokens = {0: b"<unk>", 1: b"a", 2: b"c", 3: b"ac"}
        >>> vocab = wordsplit.Vocab(name="ac", tokens=tokens, merges=[(1, 2)], missing_bytes=wordsplit.MissingBytes())
        >>> wordsplit.TokenizerOptions().build(vocab).encode("abc")
        [3]
        >>> known = vocab.replace(missing_bytes=wordsplit.MissingBytes(unk_id=0))
        >>> wordsplit.TokenizerOptions().build(known).encode("abbc")
        [1, 0, 0, 2]
    """

    unk_id: int | None = None
    fuse_unk: bool = False
    byte_fallback: bool = False


def fallback_ids(tokens: Mapping[int, bytes]) -> dict[int, list[int]]:
    """Return the ids that spell each byte in byte fallback, for those of which no part is missing."""
    ids, out = ids_of_bytes(tokens), dict[int, list[int]]()
    for byte in range(256):
        spelled = [ids[part] for part in to_byte_level(bytes([byte])).encode()]
        known = [i for i in spelled if i is not None]
        if len(known) == len(spelled):
            out[byte] = known
    return out
