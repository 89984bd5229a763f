"""Text input: rules for lone surrogates in a `str` and for bytes that are not UTF-8, which apply everywhere.

* ``errors="replace"``: a lone surrogate becomes U+FFFD, and a surrogate pair becomes its character, as in
  `tiktoken`. Bytes that are not UTF-8 are kept, because byte-level vocabs can encode any byte.
* ``errors="strict"``: both raise `InvalidTextError`.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from typing import Literal, TypeVar

from wordsplit.errors import InputTypeError, InvalidTextError, OptionsError

__all__ = ["Special", "Text", "as_list", "check", "check_handler", "each", "is_utf8", "to_bytes"]

T = TypeVar("T")

_ENCODE_ONLY = ("xmlcharrefreplace", "namereplace")  # of Python's error handlers

Text = str | bytes | bytearray | memoryview
"""A text: a ``str``, or UTF-8."""

Special = Literal["parse", "text", "no_added", "error"] | Collection[str]
"""How to treat the literals of special tokens in a text; see `wordsplit.Tokenizer`."""


def check(text: Text, errors: str) -> str | bytes:
    """Return the text as ``str`` or ``bytes``, checked as ``errors`` requires.

    Raises:
        InvalidTextError: It is not valid, and ``errors`` is ``"strict"``.
        InputTypeError: It is neither ``str`` nor bytes.
    """
    if isinstance(text, str):
        return text
    if not isinstance(text, (bytes, bytearray, memoryview)):
        hint = "; fill nulls, or use encode_arrow(), which keeps them" if text is None else ""
        raise InputTypeError(f"text must be str or bytes, not {type(text).__name__}{hint}")
    data = bytes(text)
    if errors == "strict":
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidTextError(
                f"byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8 ({error.reason}); "
                "use errors='replace' to encode the bytes as they are"
            ) from None
    return data


def is_unicode(text: str) -> bool:
    """Return whether a string has no lone surrogates. In an argument they are bytes that are not UTF-8."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def to_bytes(text: str | bytes, errors: str) -> bytes:
    """Return the text as UTF-8.

    Raises:
        InvalidTextError: It has a lone surrogate, and ``errors`` is ``"strict"``.
    """
    if isinstance(text, bytes):
        return text
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        if errors == "strict":
            raise InvalidTextError(
                f"lone surrogate U+{ord(text[error.start]):04X} at character {error.start}; "
                "use errors='replace' to encode U+FFFD instead"
            ) from None
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def each(items: Iterable[T], what: str) -> Iterator[T]:
    """Return an iterator over a caller's items.

    Raises:
        InputTypeError: The value is not iterable, or is a single text.
    """
    if not isinstance(items, (str, bytes, bytearray)):
        with suppress(TypeError):
            return iter(items)
    raise InputTypeError(f"give a list of {what}, not {type(items).__name__}")


def as_list(items: Iterable[T], what: str) -> list[T]:
    """Return a caller's items as a new list. Columns of pandas, polars, NumPy and Arrow have a method for that.

    Raises:
        InputTypeError: The value is not iterable, or is a single text.
    """
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(items, name):
            found = getattr(items, name)()
            if isinstance(found, list):
                return found
    return list(each(items, what))


def check_handler(errors: object) -> None:
    """Check the name of an error handler for decoding.

    Raises:
        OptionsError: There is no error handler of that name, or it can only encode.
    """
    if isinstance(errors, str) and errors not in _ENCODE_ONLY:
        with suppress(LookupError, ValueError):
            codecs.lookup_error(errors)
            return
    raise OptionsError(f"errors={errors!r:.100}: use 'replace', 'strict' or 'ignore'")


def is_utf8(data: bytes) -> bool:
    """Return whether bytes are valid UTF-8.

    Example:
        >>> is_utf8("é".encode()), is_utf8("é".encode("latin-1"))
        (True, False)
    """
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
