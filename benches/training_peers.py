"""The libraries that train, one small class each.

An adapter trains on a `Text` and returns the new tokens in the order in which they came to be, as bytes, and if the
library has a call for counting alone the seconds that it took. Where a library reads only files, it gets a file.

Spans never cross the border of a document, save for a library that cuts its files into lines: the spans are others
there, and so its tokens are compared with those of `tokenizers` on the same file.
"""

# ruff: noqa: PLC0415, ARG002 - each library is imported when its adapter trains; all adapters have one signature

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import corpora

SEPARATOR = "<|endoftext|>"  # no document holds it, see corpora.py
PATTERNS = {
    "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+",
}
Trained = tuple[list[bytes], float | None]


class Text(NamedTuple):
    """The training text: a corpus, all of it, so many times."""

    corpus: str
    times: int

    def documents(self) -> Iterator[str]:
        """Its documents, from a list in memory."""
        return itertools.chain.from_iterable(itertools.repeat(corpora.everything(self.corpus), self.times))

    def file(self, between: str) -> Path:
        """A file of its documents, with this string after each."""
        kind = "lines" if between == "\n" else "documents"
        path = corpora.CACHE / f"{self.corpus}-{self.times}-{kind}.txt"
        if not path.exists():
            part = path.with_suffix(".part")
            with part.open("w", encoding="utf-8", newline="") as file:
                file.writelines(document + between for document in self.documents())
            part.replace(path)
        return path


class Trainer:
    """A library. Subclasses set the class attributes.

    Attributes:
        reference: Whose tokens it should find, on the same input: the name of another trainer.
        counts: Whether counting is measured by itself, rather than as a training to no merge at all.
        judges: Whether it is there for its tokens alone, and not timed.
    """

    name: str
    requirement: str
    venv = "training"
    patterns: tuple[str, ...] = tuple(PATTERNS)
    reference = "tokenizers"
    counts = judges = False
    note = ""

    def prepare(self, text: Text) -> object:
        """The input, ready before the clock starts."""
        return text.documents()

    def train(self, ready: object, vocab_size: int, pattern: str, threads: int) -> Trained:
        raise NotImplementedError


class Wordsplit(Trainer):
    name, requirement, venv, counts = "wordsplit", "", "wordsplit", True
    options: dict[str, str] = {}  # noqa: RUF012 - never changed
    note = "ties by lowest ids, where tokenizers has its own order of ids: other tokens where frequencies are equal"

    def train(self, ready, vocab_size, pattern, threads):
        from wordsplit.training import BpeTrainer

        trainer = BpeTrainer(vocab_size, pattern=pattern, threads=threads, **self.options)
        start = time.perf_counter()
        trainer.update(ready)
        counting = time.perf_counter() - start
        trainer.train(progress=False)
        return [left + right for left, right, _ in trainer.merges], counting


class WordsplitTokenizers(Wordsplit):
    name, options, note = "wordsplit:tokenizers", {"compat": "tokenizers"}, 'with compat="tokenizers"'


class Tokenizers(Trainer):
    name, requirement = "tokenizers", "tokenizers==0.23.3"

    def train(self, ready, vocab_size, pattern, threads):
        tokenizer, trainer = self._parts(vocab_size, pattern)
        tokenizer.train_from_iterator(ready, trainer)
        return self._tokens(tokenizer)

    def _parts(self, vocab_size, pattern):
        from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

        tokenizer = Tokenizer(models.BPE())
        byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=pattern == "gpt2")
        if pattern == "gpt2":
            tokenizer.pre_tokenizer = byte_level
        else:
            split = pre_tokenizers.Split(Regex(PATTERNS[pattern]), "isolated")
            tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        return tokenizer, trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False)

    def _tokens(self, tokenizer):
        return _unspelled(json.loads(tokenizer.to_str())["model"]["vocab"]), None


class TokenizersLines(Tokenizers):
    name, reference, judges = "tokenizers:lines", "tokenizers:lines", True
    note = "from a file, which it cuts into lines: the judge of those that do so, not timed"

    def prepare(self, text):
        return str(text.file("\n"))

    def train(self, ready, vocab_size, pattern, threads):
        tokenizer, trainer = self._parts(vocab_size, pattern)
        tokenizer.train([ready], trainer)
        return self._tokens(tokenizer)


class Gigabpe(Trainer):
    name, requirement, patterns, reference = "gigabpe", "gigabpe==0.1.0", ("gpt2",), "tokenizers:lines"
    note = (
        "from a file, which it cuts into lines; bytes that do not occur get no token, and more merges are made instead"
    )

    def prepare(self, text):
        return str(text.file("\n"))

    def train(self, ready, vocab_size, pattern, threads):
        import gigabpe

        vocab, _ = gigabpe.train_bpe([ready], vocab_size, special_tokens=[], pretokenizer="bytelevel", threads=threads)
        return _unspelled(vocab), None


class Gigatoken(Trainer):
    name, requirement, patterns = "gigatoken", "gigatoken==0.10.0", ("gpt2",)
    note = "from a file with a separator between documents"

    def prepare(self, text):
        return text.file(SEPARATOR)

    def train(self, ready, vocab_size, pattern, threads):
        import gigatoken

        vocab, _ = gigatoken.train_bpe(gigatoken.TextFileSource([ready], separator=SEPARATOR), vocab_size, [])
        return [vocab[i] for i in sorted(vocab)][256:], None


class Rustbpe(Trainer):
    name, requirement = "rustbpe", "rustbpe==0.1.0"

    def train(self, ready, vocab_size, pattern, threads):
        import rustbpe

        tokenizer = rustbpe.Tokenizer()
        tokenizer.train_from_iterator(ready, vocab_size, pattern=PATTERNS[pattern])
        return [bytes(token) for token, _ in tokenizer.get_mergeable_ranks()][256:], None


class Bpeasy(Trainer):
    name, requirement = "bpeasy", "bpeasy==0.1.6"

    def train(self, ready, vocab_size, pattern, threads):
        import bpeasy

        vocab = bpeasy.train_bpe(ready, PATTERNS[pattern], 1_000_000, vocab_size)
        return sorted(vocab, key=vocab.__getitem__)[256:], None


def _unspelled(vocab: dict[str, int]) -> list[bytes]:
    """The tokens of a vocab after the bytes, by id, from their byte-level spelling."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    spelled = {chr(byte): byte for byte in printable}
    spelled |= {chr(0x100 + i): byte for i, byte in enumerate(sorted({*range(256)}.difference(printable)))}
    tokens = sorted(vocab, key=vocab.__getitem__)
    return [bytes(map(spelled.__getitem__, token)) for token in tokens if len(token) > 1]


WORDSPLITS = (Wordsplit, WordsplitTokenizers)
OTHERS = (Tokenizers, TokenizersLines, Gigatoken, Gigabpe, Rustbpe, Bpeasy)
TRAINERS = {trainer.name: trainer for trainer in (*WORDSPLITS, *OTHERS)}
