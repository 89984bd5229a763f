"""A loader: a text file with one word a line, in order of rank."""

from __future__ import annotations

from wordsplit import Split, Vocab, VocabFormatError
from wordsplit.vocabs import Loader, Overrides, Source


class WordListLoader(Loader):
    """Reads ``.words`` files: the 256 bytes come first, then each line is a token."""

    def recognizes(self, source: Source) -> bool:
        """By the ending."""
        return source.name.endswith(".words")

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read a word list."""
        words = source.read().split(b"\n")
        tokens = dict(enumerate([bytes([b]) for b in range(256)] + [w for w in words if len(w) > 1]))
        if len(set(tokens.values())) < len(tokens):
            raise VocabFormatError("a word comes twice", file=source.label)
        name = overrides.name or source.stem
        return Vocab(name=name, tokens=tokens, pre_tokenizer=[Split(r"\s+")], source=source.label)
