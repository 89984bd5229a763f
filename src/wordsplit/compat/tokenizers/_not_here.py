"""What tokenizers of `tokenizers` have and these do not: each raises an error that says what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from wordsplit.compat.errors import NotSupportedError

__all__ = ["NotHere"]


class NotHere:
    """Parts that cannot be looked at or replaced, and training."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        del args, kwargs
        raise NotSupportedError(
            "model, normalizer, pre_tokenizer and decoder are fixed by the tokenizer.json: change the file, "
            "or see wordsplit.load_vocab() for what they are"
        )

    def _refuse_training(self, *args: Any, **kwargs: Any) -> NoReturn:
        del args, kwargs
        raise NotSupportedError("wordsplit.compat.tokenizers trains no vocabularies: train with tokenizers itself")

    model: property = property(_refuse, _refuse)
    normalizer: property = model
    pre_tokenizer: property = model
    decoder: property = model
    train: Callable[..., NoReturn] = _refuse_training
    train_from_iterator: Callable[..., NoReturn] = _refuse_training
