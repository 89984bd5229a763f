"""Methods whose usual calls go to the native core at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["quick"]

Method = TypeVar("Method", bound="Callable[..., Any]")


def quick(method: Method) -> Method:
    """Let the native core take the usual calls of a method named ``encode``, ``count`` or ``decode``.

    These have a text or a list of ids as their only argument, and an object with a native engine in its attribute
    ``_core``. All others, and all errors, are left to the method. A Python function alone takes as long as some words.
    """
    try:
        from wordsplit._native import quick_method  # noqa: PLC0415 - as below
    except ImportError:  # a pure-Python build, or a subinterpreter
        return method
    found: Method = quick_method(method)
    return found
