"""Check arguments of public calls: paths, strings and whole numbers."""

from __future__ import annotations

import os
from numbers import Integral
from typing import Any

from wordsplit.errors import InputTypeError, OptionsError, UnknownNameError

__all__ = ["check_integers", "check_strings", "path_text"]


def path_text(path: str | os.PathLike[str], what: str) -> str:
    """Return a path as a string.

    Args:
        path: The path.
        what: The subject of the error's sentence, such as ``"a corpus"``.

    Raises:
        InputTypeError: It is not a path.
        UnknownNameError: No file can have this name.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InputTypeError(f"{what} is named by a str or a PathLike, not {type(path).__name__}")
    text = os.fsdecode(path)
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise UnknownNameError(f"{what} named {text!r:.100}: no path has lone surrogates") from None
    return text


def check_strings(**given: Any) -> None:
    """Check options that are strings, or ``None``.

    Raises:
        OptionsError: One is something else.

    Example:
        >>> check_strings(pattern="cl100k", pre=None)
    """
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            raise OptionsError(f"{name}={value!r:.100}: give a string")


def check_integers(least: int | None = None, **given: Any) -> None:
    """Check options that are whole numbers, of NumPy's types, too.

    Args:
        least: The least number that is allowed; ``None`` for any.
        **given: The options.

    Raises:
        OptionsError: One is something else, or less.

    Example:
        >>> check_integers(1, length=2048, stride=1024)
    """
    for name, value in given.items():
        if not isinstance(value, Integral) or (least is not None and value < least):
            wanted = "a whole number" if least is None else f"a whole number from {least}"
            raise OptionsError(f"{name}={value!r:.100}: give {wanted}")
