"""Models, which turn the characters or bytes of a span into tokens. A model is a value in a `Vocab`.

Each span encoder and each vocab loader states which models it is for.
"""

from __future__ import annotations

from wordsplit.model.base import Model
from wordsplit.model.byte_level_bpe import ByteLevelBPE
from wordsplit.model.character_bpe import CharacterBPE
from wordsplit.model.unigram import Unigram
from wordsplit.model.word_level import WordLevel
from wordsplit.model.word_piece import WordPiece

__all__ = ["ByteLevelBPE", "CharacterBPE", "Model", "Unigram", "WordLevel", "WordPiece"]
