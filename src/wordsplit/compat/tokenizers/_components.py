"""Rules and models as objects of `tokenizers`: programs look at their classes, and set objects of these."""

from __future__ import annotations

import json
from typing import Any

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.tokenizers.processors import Processing

__all__ = ["component", "spelling"]

_ANY_MODEL = {"type": "WordLevel", "vocab": {}, "unk_token": ""}


def component(field: str, root: dict[str, Any]) -> Any:
    """Return the object of a field of a tokenizer.json, of the class that `tokenizers` has for it.

    Args:
        field: ``model``, ``normalizer``, ``pre_tokenizer``, ``post_processor`` or ``decoder``.
        root: The document. Only this field of it is read.

    Raises:
        NotSupportedError: `tokenizers` is not installed, or does not know the component.
    """
    if root[field] is None:
        return None
    try:
        import tokenizers  # noqa: PLC0415 - all else works without it
    except ImportError as error:
        raise NotSupportedError(
            f"Tokenizer.{field} is an object of the package tokenizers, which cannot be imported ({error}): install "
            "it, or read the field in the JSON of to_str()"
        ) from error
    part = {"model": _ANY_MODEL, field: root[field]}
    try:
        return getattr(tokenizers.Tokenizer.from_str(json.dumps(part)), field)
    except Exception as error:  # it raises nothing more specific
        raise NotSupportedError(f"Tokenizer.{field}: tokenizers {tokenizers.__version__} says: {error}") from error


def spelling(field: str, value: Any) -> Any:
    """Return a component as in a tokenizer.json.

    Args:
        field: The field that it is for.
        value: An object of `tokenizers`, a post-processor of the stand-in, or ``None``.

    Raises:
        NotSupportedError: It is something else, or written in Python.
    """
    if value is None or isinstance(value, Processing):
        return value and value.to_json()
    try:
        return json.loads(value.__getstate__())
    except Exception as error:  # as above
        raise NotSupportedError(
            f"Tokenizer.{field}: {type(value).__name__} cannot be written to a tokenizer.json ({error}), and only "
            "components of such a file are supported"
        ) from error
