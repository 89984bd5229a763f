"""Check arguments of public calls: paths, strings and whole numbers."""

from __future__ import annotations

import errno
import os
from numbers import Integral
from pathlib import Path
from typing import Any

from wordsplit.errors import InputTypeError, OptionsError, UnknownNameError

__all__ = ["absolute_path", "check_integers", "check_strings", "path_text", "whole_number"]


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


def absolute_path(path: str) -> str:
    """Return a path from the root on, as it is otherwise: ``..`` and links are not resolved.

    Raises:
        FileNotFoundError: It is relative, and the working folder has been deleted.
    """
    try:
        return str(Path(path).absolute())
    except FileNotFoundError:
        reason = "a relative path leads nowhere, because the working folder was deleted"
        raise FileNotFoundError(errno.ENOENT, reason, path) from None


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


def whole_number(
    name: str,
    value: Any,
    least: int | None = None,
    bits: int | None = None,
    *,
    what: str = "a whole number",
    why: str = "",
) -> int:
    """Return an option that is a whole number as an ``int``. It may be of NumPy's types, but no boolean.

    Args:
        name: The option, for messages.
        value: Its value.
        least: The least number that is allowed; ``None`` for any.
        bits: The most bits that it may have; ``None`` for any.
        what: What to give, for messages.
        why: The reason for ``least``, for messages.

    Raises:
        OptionsError: It is something else, too small, or too large.

    Example:
        >>> whole_number("max_tokens", 2048, 1, what="a number of tokens")
        2048
    """
    number = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if number is None or (least is not None and number < least) or (bits is not None and number >> bits):
        limits = "" if least is None else f", {least} or more" + (f" ({why})" if why else "")
        limits += "" if bits is None else f", below 2**{bits}"
        raise OptionsError(f"{name}={value!r:.100}: give {what}{limits}")
    return number


def check_integers(least: int | None = None, **given: Any) -> None:
    """Check options that are whole numbers; see `whole_number`.

    Raises:
        OptionsError: One is something else, or less than ``least``.

    Example:
        >>> check_integers(1, length=2048, stride=1024)
    """
    for name, value in given.items():
        whole_number(name, value, least)
