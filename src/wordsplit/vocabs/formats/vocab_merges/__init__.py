"""vocab.json with merges.txt, as GPT-2 was published, and wordsplit's file of rules beside them."""

from wordsplit.vocabs.formats.vocab_merges.loader import VocabMergesLoader, save

__all__ = ["VocabMergesLoader", "plugin", "save"]

plugin = VocabMergesLoader
