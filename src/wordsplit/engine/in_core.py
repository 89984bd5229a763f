"""The steps that the native core does itself before it looks for spans; `wordsplit.engine.pieces` does the rest."""

from __future__ import annotations

from wordsplit.model import CharacterBPE
from wordsplit.rules import rewriting_steps
from wordsplit.vocab import Vocab

__all__ = ["can_mark_spaces_natively", "can_preprocess_natively"]


def can_preprocess_natively(vocab: Vocab) -> bool:
    """Return whether the native core can do what `Preprocessor` does for a vocab."""
    if isinstance(vocab.model, CharacterBPE) and vocab.model.drops_characters:
        return False  # offsets need the omitted parts
    return vocab.normalizer in (None, "nfc") and not rewriting_steps(vocab.pre_tokenizer)


def can_mark_spaces_natively(vocab: Vocab) -> bool:
    """Return whether the native core can do what `Preprocessor` does for a vocab that only spells spaces otherwise."""
    return vocab.space_mark is not None and vocab.has_native_model
