"""The format of SentencePiece: a model file, usually with the extension ``.model``."""

from wordsplit.vocabs.formats.sentencepiece.loader import SentencePieceLoader

__all__ = ["SentencePieceLoader", "plugin"]

plugin = SentencePieceLoader
