"""The encodings by name, in the same module as in `tiktoken`: OpenAI's, and those of plug-ins.

A plug-in is a module in the namespace package ``tiktoken_ext`` with a dict ``ENCODING_CONSTRUCTORS``: a function by
name, which returns the arguments of `Encoding`.
"""

from __future__ import annotations

import copyreg
import importlib
import pkgutil
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from wordsplit.compat.errors import EncodingPluginError, UnknownEncodingError
from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tiktoken import _openai
from wordsplit.compat.tiktoken._openai import Bundled
from wordsplit.compat.tiktoken.core import Encoding
from wordsplit.registry import nearest, quoted

__all__ = ["ENCODINGS", "ENCODING_CONSTRUCTORS", "get_encoding", "list_encoding_names"]

explain_missing_names(__name__)

_PLUGINS = "tiktoken_ext"
_OPENAI = f"{_PLUGINS}.openai_public"  # tiktoken's own plug-in, whose encodings are bundled here
_lock = threading.RLock()

ENCODINGS: dict[str, Encoding] = {}
"""The encodings made so far."""

ENCODING_CONSTRUCTORS: dict[str, Callable[[], dict[str, Any]]] | None = None
"""The constructor of each encoding, once one has been looked up by name or the names have been listed."""


def get_encoding(encoding_name: str) -> Encoding:
    """Return the encoding of a name; the same object each time.

    Args:
        encoding_name: One of `list_encoding_names`.

    Raises:
        UnknownEncodingError: There is none, or the name is not a string. (A `ValueError`.)
        EncodingPluginError: A plug-in is broken. (A `ValueError`.)

    Example:
        >>> import wordsplit.compat.tiktoken as tiktoken
        >>> tiktoken.get_encoding("cl100k_base").encode("hello world")
        [15339, 1917]
    """
    if not isinstance(encoding_name, str):
        raise UnknownEncodingError(f"an encoding's name is a str, not {type(encoding_name).__name__}")
    found = ENCODINGS.get(encoding_name)
    if found is not None:
        return found
    with _lock:
        if encoding_name not in ENCODINGS:
            constructors = _constructors()
            if encoding_name not in constructors:
                raise UnknownEncodingError(
                    f"no encoding named {quoted(encoding_name)}. {nearest(encoding_name, constructors)} "
                    f"Plug-ins: {', '.join(_available_plugin_modules())}"
                )
            make = constructors[encoding_name]
            ENCODINGS[encoding_name] = make.encoding() if isinstance(make, Bundled) else Encoding(**make())
        return ENCODINGS[encoding_name]


def list_encoding_names() -> list[str]:
    """List the names of all encodings.

    Raises:
        EncodingPluginError: A plug-in is broken. (A `ValueError`.)

    Example:
        >>> import wordsplit.compat.tiktoken as tiktoken
        >>> tiktoken.list_encoding_names()[:2]
        ['gpt2', 'r50k_base']
    """
    with _lock:
        return list(_constructors())


@lru_cache
def _available_plugin_modules() -> Sequence[str]:
    """Return the modules of plug-ins, tiktoken's own one even if it is not installed."""
    try:
        package = importlib.import_module(_PLUGINS)
    except ModuleNotFoundError as error:
        if error.name != _PLUGINS:
            raise
        return [_OPENAI]
    found = [module.name for module in pkgutil.iter_modules(package.__path__, f"{_PLUGINS}.")]
    return found if _OPENAI in found else [_OPENAI, *found]


def _find_constructors() -> None:
    """Set `ENCODING_CONSTRUCTORS`, unless it is. If a plug-in is broken, each call raises."""
    global ENCODING_CONSTRUCTORS  # noqa: PLW0603 - programs read it, add to it, and replace it
    with _lock:
        if ENCODING_CONSTRUCTORS is not None:
            return
        found: dict[str, Callable[[], dict[str, Any]]] = {}
        for name in _available_plugin_modules():
            module = _openai if name == _OPENAI else importlib.import_module(name)
            defined = getattr(module, "ENCODING_CONSTRUCTORS", None)
            if defined is None:
                raise EncodingPluginError(f"tiktoken plug-in {name} has no ENCODING_CONSTRUCTORS")
            taken = sorted(found.keys() & defined.keys())
            if taken:
                raise EncodingPluginError(f"tiktoken plug-in {name} defines {taken[0]!r}, which is defined already")
            found.update(defined)
        ENCODING_CONSTRUCTORS = found


def _constructors() -> dict[str, Callable[[], dict[str, Any]]]:
    _find_constructors()
    return ENCODING_CONSTRUCTORS or {}


def _reduced(encoding: Encoding) -> tuple[Any, ...]:
    if ENCODINGS.get(encoding.name) is encoding:
        return get_encoding, (encoding.name,)
    return encoding.__reduce__()


copyreg.pickle(Encoding, _reduced)  # here, because `core` knows no names
