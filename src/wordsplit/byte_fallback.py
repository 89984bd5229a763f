"""The tokens with which byte fallback spells text without tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wordsplit.tables import TokenTable

__all__ = ["BYTE_TOKENS", "complete_ids", "ids_of_bytes"]

BYTE_TOKENS = tuple(f"<0x{byte:02X}>".encode() for byte in range(256))
"""The spellings of bytes by byte fallback."""


def ids_of_bytes(tokens: Mapping[int, bytes]) -> tuple[int | None, ...]:
    """Return the id of the token for each byte in byte fallback; ``None`` where there is none."""
    return tuple(map(TokenTable.pack(tokens).ids_by_bytes().get, BYTE_TOKENS))


def complete_ids(byte_ids: Sequence[int | None], ids_by_bytes: Mapping[bytes, int]) -> list[int] | None:
    """Return an id for each byte; an empty list without fallback; ``None`` if a byte that matters has no token.

    An ASCII character that is a token never falls back, so its byte needs no token: Gemma has a tab, and no ``<0x09>``.

    Args:
        byte_ids: The id of each byte's token, if it has one; see `ids_of_bytes`.
        ids_by_bytes: The ids of the tokens that text can produce.
    """
    if not any(i is not None for i in byte_ids):
        return []
    out = []
    for byte, token_id in enumerate(byte_ids):
        character = ids_by_bytes.get(bytes([byte])) if byte < 0x80 else None
        found = token_id if token_id is not None else character
        if found is None:
            return None
        out.append(found)
    return out
