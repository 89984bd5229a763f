"""Text in: `str` with lone surrogates, bytes that are not UTF-8. One rule for every entry point.

* ``errors="replace"``: a lone surrogate becomes U+FFFD, and a pair of them the character they spell, as
  `tiktoken` does. Bytes that are not UTF-8 are kept as they are: byte-level vocabs can spell any byte.
* ``errors="strict"``: both raise `InvalidTextError`.
"""

from __future__ import annotations

from wordsplit.errors import InputTypeError, InvalidTextError

__all__ = ["to_text"]


def to_text(text: str | bytes | bytearray | memoryview, errors: str) -> str:
    """Text to encode, as a ``str`` in which a byte that is not UTF-8 stands as U+DC80 to U+DCFF.

    Raises:
        InvalidTextError: It is not valid, and ``errors`` is ``"strict"``.
        InputTypeError: It is neither ``str`` nor bytes.
    """
    if isinstance(text, str):
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            if errors == "strict":
                raise InvalidTextError(
                    f"lone surrogate U+{ord(text[error.start]):04X} at character {error.start}; "
                    "use errors='replace' to encode U+FFFD in its place"
                ) from None
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text
    if not isinstance(text, (bytes, bytearray, memoryview)):
        raise InputTypeError(f"text must be str or bytes, not {type(text).__name__}")
    data = bytes(text)
    if errors == "strict":
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidTextError(
                f"byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8 ({error.reason}); "
                "use errors='replace' to encode the bytes as they are"
            ) from None
    return data.decode("utf-8", "surrogateescape")
