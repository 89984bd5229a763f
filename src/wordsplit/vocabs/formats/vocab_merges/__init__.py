"""vocab.json with merges.txt, the format in which GPT-2 was published, with wordsplit's additional file of rules."""

from wordsplit.vocabs.formats.vocab_merges.loader import VocabMergesLoader, save

__all__ = ["VocabMergesLoader", "plugin", "save"]

plugin = VocabMergesLoader
