"""Errors for names that the modules and objects of a stand-in do not have."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from wordsplit.compat.errors import MissingNameError

__all__ = ["Explained", "explain_missing_names", "missing_from"]


def explain_missing_names(module: str, instead: Mapping[str, str] | None = None) -> None:
    """Give a module the ``__getattr__`` that `missing_from` returns.

    Type checkers do not see it. In a module that defines one, they take any name for an attribute.
    """
    vars(sys.modules[module])["__getattr__"] = missing_from(module, instead)


class Explained:
    """A base of classes whose objects raise `MissingNameError` for names that they do not have."""

    __slots__ = ()
    _instead: ClassVar[Mapping[str, str]] = {}
    """Names that the original has, and what to use instead of each."""

    if not TYPE_CHECKING:  # for which each name would exist

        def __getattr__(self, name: str) -> object:
            return missing_from(type(self).__name__, self._instead)(name)


def missing_from(module: str, instead: Mapping[str, str] | None = None) -> Callable[[str], object]:
    """Return a ``__getattr__`` that raises `MissingNameError`.

    Args:
        module: The name of the module or class.
        instead: Names that the original has, and what to use instead of each.

    Example:
        >>> __getattr__ = missing_from("wordsplit.compat.tiktoken", {"_tiktoken": "use Encoding"})
        >>> __getattr__("_tiktoken")
        Traceback (most recent call last):
        wordsplit.compat.errors.MissingNameError: wordsplit.compat.tiktoken has no '_tiktoken': use Encoding
    """

    def __getattr__(name: str) -> object:  # noqa: N807 - its name in a module
        hint = (instead or {}).get(name)
        error = MissingNameError(f"{module} has no {name!r}" + (f": {hint}" if hint else ""))
        error.name = name
        raise error

    return __getattr__
