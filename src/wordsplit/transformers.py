"""Run the fast tokenizers of Hugging Face's `transformers` on wordsplit.

Releases 4.57 and 5 of `transformers` are supported (``pip install 'wordsplit[transformers]'``). It is imported on first
use.

    from wordsplit.transformers import AutoTokenizer  # was: from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained("Qwen/Qwen3-0.6B")

or, for a tokenizer that is there already:

    tokenizer = wordsplit.transformers.accelerate(tokenizer)
"""

from __future__ import annotations

import copy
import json
import os
from typing import Any, TypeVar

from wordsplit.compat import tokenizers as compat
from wordsplit.compat.errors import NotSupportedError
from wordsplit.errors import InputTypeError, WordsplitError

__all__ = ["AutoTokenizer", "accelerate"]

_AnyTokenizer = TypeVar("_AnyTokenizer")


_CLIP_REPLACES = "_wrap_decode_method_backend_tokenizer"
"""The method with which CLIP's tokenizer replaces its backend's `decode`, to decode the ends of words to spaces."""

_ANY_MODEL = {"type": "WordLevel", "vocab": {}, "unk_token": ""}


class _Backend(compat.Tokenizer):
    """The backend of an accelerated tokenizer, whose attributes are objects of `tokenizers`."""

    def get_added_tokens_decoder(self) -> dict[int, Any]:
        """Return the added tokens by id."""
        from tokenizers import AddedToken  # noqa: PLC0415 - transformers has imported it

        return {i: AddedToken(**token.__getstate__()) for i, token in super().get_added_tokens_decoder().items()}

    def _component(self, field: str) -> Any:
        import tokenizers  # noqa: PLC0415 - as above

        node = self._node(field)
        if node is None:
            return None
        try:
            root = {"model": _ANY_MODEL, field: node}
            return getattr(tokenizers.Tokenizer.from_str(json.dumps(root)), field)
        except Exception as error:  # it raises nothing more specific
            raise NotSupportedError(f"Tokenizer.{field}: tokenizers {tokenizers.__version__} says: {error}") from error


def accelerate(tokenizer: _AnyTokenizer) -> _AnyTokenizer:
    """Return a copy of a fast tokenizer that runs on wordsplit and gives the same results.

    The copy is of the same class, with the same settings, special tokens and chat template; the original is not
    changed. A tokenizer that already runs on wordsplit is also copied.

    Args:
        tokenizer: A `transformers.PreTrainedTokenizerFast`, or of a class derived from it.

    Raises:
        InputTypeError: It is not a fast tokenizer. (A `TypeError`.)
        NotSupportedError: Its backend cannot be written to a tokenizer.json, or programs have replaced its methods.
        UnsupportedVocabError: wordsplit does not support a component of it. Other errors are those of
            `compat.tokenizers.Tokenizer.from_str`.
        WordsplitError: `transformers` is not installed.
    """
    transformers = _transformers()
    if not isinstance(tokenizer, transformers.PreTrainedTokenizerFast):
        kind = type(tokenizer).__name__
        raise InputTypeError(
            f"accelerate() takes a fast tokenizer (transformers.PreTrainedTokenizerFast), not {kind}"
            + (", which is a slow one: load it with use_fast=True" if _is_slow(tokenizer) else "")
        )
    original = tokenizer.backend_tokenizer
    backend = _backend(original)
    state = {name: value for name, value in vars(tokenizer).items() if name != "_tokenizer"}
    found: _AnyTokenizer = object.__new__(type(tokenizer))
    vars(found).update(copy.deepcopy(state, {id(tokenizer): found}), _tokenizer=backend)
    if _replaced(original):  # by CLIP's tokenizer: copies that `copy.deepcopy` has made are without
        getattr(found, _CLIP_REPLACES)()
    return found


class AutoTokenizer:
    """`transformers.AutoTokenizer`, with tokenizers that run on wordsplit."""

    @staticmethod
    def from_pretrained(pretrained_model_name_or_path: str | os.PathLike[str], *args: Any, **kwargs: Any) -> Any:
        """Load the tokenizer of a model with `transformers`, and `accelerate` it.

        Args:
            pretrained_model_name_or_path: A folder, or a name on the hub.
            *args: More arguments of `transformers.AutoTokenizer.from_pretrained`.
            **kwargs: As above.

        Returns:
            A `transformers.PreTrainedTokenizerFast`.

        Raises:
            WordsplitError: As for `accelerate`. Other errors are those of `transformers`.
        """
        found = _transformers().AutoTokenizer.from_pretrained(pretrained_model_name_or_path, *args, **kwargs)
        return accelerate(found)


def _backend(original: Any) -> compat.Tokenizer:
    """Return ours for the backend of a tokenizer, without the methods that CLIP's tokenizer has replaced."""
    if replaced := sorted(name for name, value in _replaced(original).items() if not _is_of_clip(value)):
        raise NotSupportedError(f"attributes of the backend have been replaced: {', '.join(replaced)}")
    if isinstance(original, compat.Tokenizer):
        return copy.deepcopy(original)
    try:
        document = original.to_str()
    except Exception as error:  # it raises nothing more specific
        raise NotSupportedError(f"the backend cannot be written to a tokenizer.json: {error}") from error
    found = _Backend.from_str(document)
    found.encode_special_tokens = original.encode_special_tokens
    return found


def _replaced(backend: Any) -> dict[str, Any]:
    """Return the attributes of a backend that programs have set, by name."""
    found: dict[str, Any] = getattr(backend, "__dict__", {})
    if isinstance(backend, compat.Tokenizer):  # which has others, too
        return {name: value for name, value in found.items() if callable(getattr(type(backend), name, None))}
    return found


def _is_of_clip(value: object) -> bool:
    return _CLIP_REPLACES in getattr(value, "__qualname__", "")


def _is_slow(tokenizer: object) -> bool:
    return isinstance(tokenizer, _transformers().PreTrainedTokenizerBase)


def _transformers() -> Any:
    try:
        import transformers  # noqa: PLC0415 - an optional dependency, which takes seconds
    except ImportError as error:
        raise WordsplitError(
            f"wordsplit.transformers needs the package transformers, which cannot be imported ({error}): "
            "pip install 'wordsplit[transformers]'"
        ) from error
    return transformers
