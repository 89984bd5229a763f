"""Methods whose usual calls go to the native core at once."""

from __future__ import annotations

from functools import cache
from types import FunctionType

__all__ = ["quicken"]


@cache
def quicken(owner: type, *names: str) -> None:
    """Let the native core take the usual calls of methods named ``encode``, ``count`` or ``decode``.

    These have a text or a list of ids as their only argument, and an object with a native engine in its attribute
    ``_core``. All others, and all errors, are left to the method. The call of a Python function alone takes as long as
    encoding a few words.

    This is done when the first native engine is built, because loading the native module takes 10 ms.
    """
    from wordsplit._native import quick_method  # noqa: PLC0415 - as above

    for name in names:
        method = vars(owner)[name]
        if isinstance(method, FunctionType):  # not one that someone has put in its place
            quicker = quick_method(method)
            quicker.__set_name__(owner, name)
            setattr(owner, name, quicker)
