"""Find the encoding of a model."""

from __future__ import annotations

from wordsplit.compat.errors import UnknownModelError
from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tiktoken._openai import VOCABS
from wordsplit.compat.tiktoken.core import Encoding
from wordsplit.compat.tiktoken.registry import get_encoding
from wordsplit.registry import nearest
from wordsplit.vocabs import catalog

__all__ = ["MODEL_PREFIX_TO_ENCODING", "MODEL_TO_ENCODING", "encoding_for_model", "encoding_name_for_model"]

explain_missing_names(__name__)

_NOT_IN_TIKTOKEN = frozenset({"gpt3", "gpt-3", "gpt-oss"})  # names that wordsplit's catalog knows and tiktoken does not
_GPT2 = frozenset({"gpt2", "gpt-2"})


def _tables() -> tuple[dict[str, str], dict[str, str]]:
    models, prefixes = {}, {}
    for name in dict.fromkeys(VOCABS.values()):
        entry = catalog.find_bundled(name)
        if entry is None:  # a build without it
            continue
        begun = tuple(entry.prefixes)
        for alias in entry.aliases:
            if (
                alias not in _NOT_IN_TIKTOKEN
                and ":" not in alias
                and "/" not in alias
                and not alias.startswith("gpt-oss-")
            ):
                models[alias] = "gpt2" if alias in _GPT2 else name
        prefixes.update(dict.fromkeys(begun, name))
    return models, dict(sorted(prefixes.items(), key=lambda item: -len(item[0])))


MODEL_TO_ENCODING, MODEL_PREFIX_TO_ENCODING = _tables()
"""The encoding of a model by its name, and by prefixes of names (longer prefixes first)."""


def encoding_name_for_model(model_name: str) -> str:
    """Return the name of the encoding that a model uses.

    Args:
        model_name: A model's name, in OpenAI's letter case; a prefix such as ``gpt-4o-`` is
            enough.

    Raises:
        UnknownModelError: No model has this name. (A `KeyError`.)

    Example:
        >>> import wordsplit.compat.tiktoken as tiktoken
        >>> tiktoken.encoding_name_for_model("gpt-4o-2024-05-13")
        'o200k_base'
    """
    if model_name in MODEL_TO_ENCODING:
        return MODEL_TO_ENCODING[model_name]
    for prefix, name in MODEL_PREFIX_TO_ENCODING.items():
        if model_name.startswith(prefix):
            return name
    raise UnknownModelError(
        f"no model named {model_name!r} is known. {nearest(model_name, list(MODEL_TO_ENCODING))} "
        "Or name the encoding: get_encoding()"
    )


def encoding_for_model(model_name: str) -> Encoding:
    """Return the encoding that a model uses.

    Args:
        model_name: As for `encoding_name_for_model`.

    Raises:
        UnknownModelError: No model has this name. (A `KeyError`.)

    Example:
        >>> import wordsplit.compat.tiktoken as tiktoken
        >>> tiktoken.encoding_for_model("gpt-4")
        <Encoding 'cl100k_base'>
    """
    return get_encoding(encoding_name_for_model(model_name))
