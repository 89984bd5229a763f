"""Rules and models of a tokenizer as values: read from its tokenizer.json, and written to it."""

from __future__ import annotations

from typing import Any

from wordsplit.compat.tokenizers._component import Component, node_of
from wordsplit.compat.tokenizers.decoders import Decoder
from wordsplit.compat.tokenizers.models import Model
from wordsplit.compat.tokenizers.normalizers import Normalizer
from wordsplit.compat.tokenizers.pre_tokenizers import PreTokenizer
from wordsplit.compat.tokenizers.processors import PostProcessor
from wordsplit.errors import InputTypeError, WordsplitError

__all__ = ["component", "spelling"]

_FAMILIES: dict[str, type[Component]] = {
    "model": Model,
    "normalizer": Normalizer,
    "pre_tokenizer": PreTokenizer,
    "post_processor": PostProcessor,
    "decoder": Decoder,
}


def component(field: str, node: Any) -> Any:
    """Return the value of a field of a tokenizer.json.

    Args:
        field: ``model``, ``normalizer``, ``pre_tokenizer``, ``post_processor`` or ``decoder``.
        node: Its value in the file.

    Raises:
        NotSupportedError: There is no such kind of component.
    """
    return None if node is None else _FAMILIES[field].from_json(node)


def spelling(field: str, value: Any) -> Any:
    """Return a component as in a tokenizer.json.

    Args:
        field: The field that it is for.
        value: A component of the stand-in or of `tokenizers`, or ``None``.

    Raises:
        InputTypeError: It is something else. (A `TypeError`.)
        NotSupportedError: It is written in Python.
        UnsupportedVocabError: wordsplit does not support it.
    """
    family = _FAMILIES[field]
    if value is None and field != "model":
        return None
    if value is None or (isinstance(value, Component) and not isinstance(value, family)):
        raise InputTypeError(f"Tokenizer.{field} is a {family.__name__}, not {type(value).__name__}")
    try:
        node = node_of(value)
    except WordsplitError as error:
        raise type(error)(f"Tokenizer.{field}: {error}") from error
    if node is not None:
        from wordsplit.compat.tokenizers._running import check  # noqa: PLC0415 - imports the package regex

        check(field, node)
    return node
