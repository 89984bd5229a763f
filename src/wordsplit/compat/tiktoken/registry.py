"""The encodings by name, each made once."""

from __future__ import annotations

import threading

from wordsplit.compat.errors import UnknownEncodingError
from wordsplit.compat.tiktoken.core import Encoding
from wordsplit.registry import nearest
from wordsplit.vocabs.resolve import load_vocab

__all__ = ["ENCODINGS", "VOCABS", "get_encoding", "list_encoding_names"]

VOCABS = {
    "gpt2": "r50k_base",  # the same ids under another name
    "r50k_base": "r50k_base",
    "p50k_base": "p50k_base",
    "p50k_edit": "p50k_edit",
    "cl100k_base": "cl100k_base",
    "o200k_base": "o200k_base",
    "o200k_harmony": "o200k_harmony",
}
"""The bundled vocab of each encoding."""

ENCODINGS: dict[str, Encoding] = {}
"""Those made so far."""

_lock = threading.Lock()


def get_encoding(encoding_name: str) -> Encoding:
    """The encoding of a name; the same object each time.

    Args:
        encoding_name: One of `list_encoding_names`.

    Raises:
        UnknownEncodingError: There is none, or the name is no string. (A `ValueError`.)

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
    if encoding_name not in VOCABS:
        raise UnknownEncodingError(f"no encoding named {encoding_name!r}. {nearest(encoding_name, list(VOCABS))}")
    with _lock:
        if encoding_name not in ENCODINGS:
            ENCODINGS[encoding_name] = Encoding.of_vocab(load_vocab(VOCABS[encoding_name]), encoding_name)
        return ENCODINGS[encoding_name]


def list_encoding_names() -> list[str]:
    """The names of all encodings.

    Example:
        >>> import wordsplit.compat.tiktoken as tiktoken
        >>> tiktoken.list_encoding_names()[:2]
        ['gpt2', 'r50k_base']
    """
    return list(VOCABS)
