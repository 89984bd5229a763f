"""What a module of a stand-in says of names that it does not have."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from wordsplit.compat.errors import MissingNameError

__all__ = ["explain_missing_names", "missing_from"]


def explain_missing_names(module: str, instead: Mapping[str, str] | None = None) -> None:
    """Give a module the ``__getattr__`` that `missing_from` returns.

    Type checkers do not see it. In a module that defines one, they take any name for an attribute.
    """
    vars(sys.modules[module])["__getattr__"] = missing_from(module, instead)


def missing_from(module: str, instead: Mapping[str, str] | None = None) -> Callable[[str], object]:
    """Return a ``__getattr__`` that raises `MissingNameError`.

    Args:
        module: The name of the module or class.
        instead: Names that the original has, and what to use in place of each.

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
