"""The GGUF format: the vocab in the metadata of a model file of llama.cpp."""

from wordsplit.vocabs.formats.gguf.loader import GgufLoader
from wordsplit.vocabs.formats.gguf.writer import save

__all__ = ["GgufLoader", "plugin", "save"]

plugin = GgufLoader
