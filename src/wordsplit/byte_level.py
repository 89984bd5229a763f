"""The GPT-2 byte-level alphabet: each byte as one printable character.

`tokenizers`, GGUF and vocab.json spell tokens in this alphabet. The loaders convert it to raw bytes; code after them
does not see it.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordsplit.tables import TokenTable

__all__ = ["from_byte_level", "spell_all", "to_byte_level"]


def _alphabet() -> list[str]:
    """Return the character of each byte: itself if it is printable, else the next of U+0100, U+0101 and so on."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return [chr(byte) if byte in printable else chr(next(spare)) for byte in range(256)]


_CHARS = _alphabet()
# Map characters below 256 that are not in the alphabet outside Latin-1, so that encoding them fails.
_TO_LATIN_1 = dict.fromkeys(range(256), "\uffff") | {ord(c): chr(byte) for byte, c in enumerate(_CHARS)}


def from_byte_level(token: str) -> bytes | None:
    """Return the bytes of a token spelled in the alphabet; ``None`` if a character is not in it.

    Example:
        >>> from_byte_level("Ġworld"), from_byte_level("你")
        (b' world', None)
    """
    try:
        return token.translate(_TO_LATIN_1).encode("latin-1")
    except UnicodeEncodeError:
        return None


def to_byte_level(token: bytes) -> str:
    """Spell bytes in the alphabet.

    Example:
        >>> to_byte_level(b" world")
        'Ġworld'
    """
    return "".join([_CHARS[byte] for byte in token])


def spell_all(tokens: TokenTable) -> list[str]:
    """Spell all tokens of a table in the alphabet, in their order. For many, this is much faster than one by one."""
    try:
        from wordsplit._native import spellings_of  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        text = bytes(tokens.blob).decode("latin-1").translate(_CHARS)
        return list(map(text.__getitem__, map(slice, chain((0,), tokens.ends), tokens.ends)))
    return spellings_of(tokens.blob, tokens.ends)
