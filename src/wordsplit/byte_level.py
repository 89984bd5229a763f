"""The GPT-2 byte-level alphabet: each byte as one printable character.

Files of `tokenizers`, GGUF and vocab.json spell tokens in it. It is undone once, in the loaders; nothing
after them knows of it.
"""

from __future__ import annotations

__all__ = ["from_byte_level", "to_byte_level"]


def _alphabet() -> list[str]:
    """The character of each byte: itself where it prints, else the next of U+0100, U+0101 and so on."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return [chr(byte) if byte in printable else chr(next(spare)) for byte in range(256)]


_CHARS = _alphabet()
# Characters below 256 that are not in the alphabet are sent out of Latin-1's range, so that they fail.
_TO_LATIN_1 = dict.fromkeys(range(256), "\uffff") | {ord(c): chr(byte) for byte, c in enumerate(_CHARS)}


def from_byte_level(token: str) -> bytes | None:
    """The bytes of a token spelled in the alphabet; ``None`` if a character is not of it.

    Example:
        >>> from_byte_level("Ġworld"), from_byte_level("你")
        (b' world', None)
    """
    try:
        return token.translate(_TO_LATIN_1).encode("latin-1")
    except UnicodeEncodeError:
        return None


def to_byte_level(token: bytes) -> str:
    """The spelling of bytes in the alphabet.

    Example:
        >>> to_byte_level(b" world")
        'Ġworld'
    """
    return "".join([_CHARS[byte] for byte in token])
