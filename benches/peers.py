"""The libraries that are compared: one small class each, all with the same few methods.

An adapter calls the quickest public way to the same result, and does no more than turn it into the type that the cell
asks for. A method that a library does not offer is left out, and the cell stays empty.

    encode(text) -> list of ids                 encode_batch(texts) -> list of lists, by `threads` threads
    encode_flat(texts) -> ids and offsets, in whatever array or buffer the library makes
    decode(ids) -> str                          count(text) -> int
    offsets(text) -> (start, end) of each id    pair(text) -> list of ids of the text and another

Special tokens: the documents hold none (see corpora.py), so each library is called the way its own guide shows for
plain text; where it has a call that does not look for them, that call is used. wordsplit looks for them.
"""

# ruff: noqa: PLC0415, ARG002 - each library is imported when its adapter is made; all adapters have one signature

from __future__ import annotations

import itertools
from pathlib import Path

from patterns import PATTERNS

OPENAI = ("cl100k_base", "o200k_base")
ALL = ("qwen3", *OPENAI)
MODELS = ("llama2", "gemma3", "bert", "unigram")  # that see characters
SENTENCEPIECE = ("sp_unigram", "sp_bpe")  # `.model` files
FROM_FILES = (*MODELS, *SENTENCEPIECE, *PATTERNS)  # that no library comes with


class Peer:
    """A library. Subclasses set the class attributes and bind the methods in `__init__`.

    Args:
        vocab: The vocab's name.
        files: The folder of `vocab_files.write`.
        threads: How many threads a batch may use.
    """

    name: str
    requirement: str
    venv = "main"
    vocabs: tuple[str, ...] = ALL
    note = ""
    compiled = False  # whether it keeps what it has loaded, so that the second process is the one to time

    encode_batch = encode_flat = decode = count = offsets = pair = None

    def __init__(self, vocab: str, files: Path, threads: int) -> None:
        raise NotImplementedError


class Wordsplit(Peer):
    name, requirement, venv = "wordsplit", "", "wordsplit"
    vocabs = (*ALL, *FROM_FILES)

    def __init__(self, vocab, files, threads, **options):
        import wordsplit

        if vocab in (*MODELS, *SENTENCEPIECE):
            options |= {"add_bos": False, "add_eos": False}
        tok = wordsplit.load_tokenizer(self.source(vocab, files), **options)
        self.encode, self.decode, self.count = tok.encode, tok.decode, tok.count
        self.encode_batch = lambda texts: tok.encode_batch(texts, threads=threads)
        self.encode_flat = lambda texts: tok.encode_batch_to_numpy(texts, threads=threads)

    def source(self, vocab, files):
        """Return the vocab to load: that of the package, if it has it."""
        kind = "model" if vocab in SENTENCEPIECE else "json"
        return files / f"{vocab}.{kind}" if vocab in FROM_FILES else vocab


class WordsplitCompiled(Wordsplit):
    """From the compiled cache."""

    name, compiled = "wordsplit:compiled", True


class WordsplitJson(Wordsplit):
    """From the same tokenizer.json as the peers."""

    name = "wordsplit:json"

    def source(self, vocab, files):
        import wordsplit

        return wordsplit.load_vocab(files / f"{vocab}.json", format="tokenizer_json")


class WordsplitJsonCompiled(WordsplitJson):
    name, compiled = "wordsplit:json compiled", True


class WordsplitHeapMerge(Wordsplit):
    """With one encoder for spans of every length, for the hostile inputs."""

    name = "wordsplit:heap_merge"

    def __init__(self, vocab, files, threads):
        super().__init__(vocab, files, threads, encoder="heap_merge")


class WordsplitBacktracking(Wordsplit):
    name = "wordsplit:backtracking"

    def __init__(self, vocab, files, threads):
        super().__init__(vocab, files, threads, encoder="backtracking")


class Tiktoken(Peer):
    name, requirement = "tiktoken", "tiktoken==0.14.0"
    vocabs = (*ALL, *PATTERNS)
    note = "qwen3 and its other patterns: the same ranks, without the NFC normalizer"

    def __init__(self, vocab, files, threads):
        import tiktoken
        from tiktoken_ext import openai_public

        def local(_url, expected_hash=None):
            ranks = "qwen3" if vocab in PATTERNS else vocab
            return tiktoken.load.load_tiktoken_bpe(str(files / f"{ranks}.tiktoken"), expected_hash)

        if vocab in OPENAI:
            openai_public.load_tiktoken_bpe = local  # the same file (vocab_files.py), without the network
            enc = tiktoken.get_encoding(vocab)
        else:
            pattern = (files / f"{vocab}.pattern").read_text(encoding="utf-8")
            enc = tiktoken.Encoding(vocab, pat_str=pattern, mergeable_ranks=local(""), special_tokens={})
        self.encode, self.decode = enc.encode_ordinary, enc.decode
        self.encode_batch = lambda texts: enc.encode_ordinary_batch(texts, num_threads=threads)


class StandInForTiktoken(Peer):
    name, requirement, venv = "wordsplit:tiktoken", "", "wordsplit"
    vocabs = OPENAI

    def __init__(self, vocab, files, threads):
        from wordsplit.compat import tiktoken

        enc = tiktoken.get_encoding(vocab)
        self.encode, self.decode = enc.encode_ordinary, enc.decode
        self.encode_batch = lambda texts: enc.encode_ordinary_batch(texts, num_threads=threads)


class Tokenizers(Peer):
    name, requirement = "tokenizers-0.23.3", "tokenizers==0.23.3"
    vocabs = (*ALL, *MODELS, *PATTERNS)
    bare: tuple[str, ...] = ()  # vocabs of which it takes the bare file

    def package(self):
        import tokenizers

        return tokenizers

    def __init__(self, vocab, files, threads):
        kind = "bare.json" if vocab in self.bare else "json"
        tok = self.package().Tokenizer.from_file(str(files / f"{vocab}.{kind}"))
        encode = tok.encode
        self.offsets = lambda text: encode(text, add_special_tokens=False).offsets
        self.pair = lambda text: encode(text, "and a pair", add_special_tokens=False).ids
        self.encode = lambda text: encode(text, add_special_tokens=False).ids
        batch = getattr(
            tok, "encode_batch_fast", tok.encode_batch
        )  # the pre-release has one batch call, without offsets
        self.encode_batch = lambda texts: [e.ids for e in batch(texts, add_special_tokens=False)]
        self.decode = lambda ids: tok.decode(ids, skip_special_tokens=False)
        self.count = lambda text: len(encode(text, add_special_tokens=False))


class Tokenizers1(Tokenizers):
    name, requirement, venv = "tokenizers-1.0.0rc3", "tokenizers==1.0.0rc3", "tokenizers-1"
    bare = ("cl100k_base",)
    note = "cl100k_base: without special tokens, in the common spelling of the pattern; it does not take tiktoken's"

    def __init__(self, vocab, files, threads):
        super().__init__(vocab, files, threads)
        self.offsets = self.pair = None  # this pre-release has neither


class StandInForTokenizers(Tokenizers):
    name, requirement, venv = "wordsplit:tokenizers", "", "wordsplit"

    def package(self):
        from wordsplit.compat import tokenizers

        return tokenizers


class Gigatoken(Peer):
    name, requirement = "gigatoken", "gigatoken==0.10.0"
    vocabs = (*ALL, *MODELS, *PATTERNS)

    def __init__(self, vocab, files, threads):
        import gigatoken

        if vocab in OPENAI:
            tok = gigatoken.Tokenizer.from_tiktoken(files / f"{vocab}.tiktoken")
        else:
            tok = gigatoken.Tokenizer(str(files / f"{vocab}.json"))
        encode, parallel = tok.encode, threads > 1
        self.encode = lambda text: encode(text).tolist()
        self.encode_batch = lambda texts: tok.encode_batch_list(texts, parallel=parallel)
        self.encode_flat = lambda texts: tok.encode_batch(texts, parallel=parallel)
        self.decode = lambda ids: tok.decode(ids).decode("utf-8", "replace")
        self.count = lambda text: len(encode(text))


class Fastokens(Peer):
    name, requirement = "fastokens", "fastokens==0.3.5"
    vocabs = (*ALL, *MODELS, *PATTERNS)

    def __init__(self, vocab, files, threads):
        from fastokens._native import Tokenizer

        if vocab in OPENAI:
            tok = Tokenizer.from_tiktoken(str(files / f"{vocab}.tiktoken"), encoding=vocab)
        else:
            tok = Tokenizer.from_file(str(files / f"{vocab}.json"))
        self.encode = lambda text: tok.encode_ordinary(text).ids
        self.encode_batch = lambda texts: [e.ids for e in tok.encode_batch(texts)]
        self.encode_flat = tok.encode_batch_flat
        self.decode = tok.decode
        self.count = lambda text: len(tok.encode_ordinary(text))


class Snaptokens(Peer):
    name, requirement = "snaptokens", "snaptokens==0.2.6"
    note = "OpenAI: from a tokenizer.json without special tokens; it refuses gaps between ids"

    def __init__(self, vocab, files, threads):
        from snaptokens import Tokenizer

        tok = Tokenizer.from_file(str(files / f"{vocab}.{'bare.json' if vocab in OPENAI else 'json'}"))
        self.encode = lambda text: tok.encode(text).ids
        self.encode_batch = lambda texts: [e.ids for e in tok.encode_batch(texts)]
        self.encode_flat = tok.encode_batch_flat
        self.decode = tok.decode
        self.count = lambda text: len(tok.encode(text))


class Tokie(Peer):
    name, requirement = "tokie", "tokie==0.1.4"
    vocabs = (*MODELS, *PATTERNS)

    def __init__(self, vocab, files, threads):
        import tokie

        tok = tokie.Tokenizer.from_json(str(files / f"{vocab}.json"))
        self.encode = lambda text: tok.encode(text, add_special_tokens=False).ids
        self.encode_batch = lambda texts: [e.ids for e in tok.encode_batch(texts, add_special_tokens=False)]
        self.decode = tok.decode
        self.count = tok.count_tokens


class SentencePiece(Peer):
    name, requirement = "sentencepiece", "sentencepiece==0.2.3"
    vocabs = SENTENCEPIECE

    def __init__(self, vocab, files, threads):
        import sentencepiece

        tok = sentencepiece.SentencePieceProcessor(model_file=str(files / f"{vocab}.model"))
        self.encode, self.decode = tok.encode, tok.decode
        self.encode_batch = lambda texts: tok.encode(texts, num_threads=threads)
        self.count = lambda text: len(tok.encode(text))


class Quicktok(Peer):
    name, requirement = "quicktok", "quicktok-v1==0.4.0"

    def __init__(self, vocab, files, threads):
        import quicktok

        tok = quicktok.get_encoding(vocab)
        self.encode, self.decode, self.count = tok.encode_ordinary, tok.decode, tok.count
        self.encode_flat = lambda texts: tok.encode_batch(texts, threads)
        self.encode_batch = lambda texts: _rows(*tok.encode_batch(texts, threads))


class Splintr(Peer):
    name, requirement = "splintr", "splintr-rs==0.22.0"

    def __init__(self, vocab, files, threads):
        import splintr

        if vocab in OPENAI:
            tok = splintr.Tokenizer.from_pretrained(vocab)
        else:
            tok = splintr.from_json(str(files / f"{vocab}.json"))
        self.encode, self.decode = tok.encode_ordinary, tok.decode
        self.encode_batch, self.encode_flat = tok.encode_batch, tok.encode_batch_flat


class Wordchipper(Peer):
    name, requirement, vocabs = "wordchipper", "wordchipper==0.9.2", OPENAI

    def __init__(self, vocab, files, threads):
        from wordchipper import Tokenizer, TokenizerOptions

        options = TokenizerOptions.default()
        options.set_parallel(threads > 1)
        options.set_accelerated_lexers(True)
        tok = Tokenizer.from_pretrained(vocab, options)
        if tok.vocab_size < 1000:
            raise LookupError(f"its {vocab} holds {tok.vocab_size} tokens: the wheel ships no vocab")
        self.encode, self.encode_batch, self.decode = tok.encode, tok.encode_batch, tok.decode


class BpeOpenai(Peer):
    name, requirement, vocabs = "bpe-openai", "bpe-openai==0.1.4", OPENAI

    def __init__(self, vocab, files, threads):
        import bpe_openai

        enc = bpe_openai.get_encoding(vocab)
        self.encode, self.decode = enc.encode_ordinary, enc.decode
        self.encode_batch = lambda texts: enc.encode_ordinary_batch(texts, num_threads=threads)


class Toktok(Peer):
    name, requirement, vocabs = "toktok", "toktok-rs==0.3.0", OPENAI
    note = "encode and decode are not among its public calls, which only count"

    def __init__(self, vocab, files, threads):
        import toktok

        tok = toktok._encoding(vocab)  # noqa: SLF001 - "for anyone who knowingly wants the full surface"
        self.encode, self.decode, self.count = tok.encode_ordinary, tok.decode, tok.count
        self.encode_flat = lambda texts: tok.encode_batch_to_numpy(texts, threads)
        self.encode_batch = lambda texts: _rows(*tok.encode_batch_to_numpy(texts, threads))


def _rows(ids, offsets):
    flat = ids.tolist()
    return [flat[start:end] for start, end in itertools.pairwise(offsets.tolist())]


WORDSPLITS = {  # by kind of cell; Wordsplit alone takes part in all others
    "hostile": (Wordsplit, WordsplitHeapMerge, WordsplitBacktracking),
    "short": (Wordsplit, StandInForTiktoken, StandInForTokenizers),
    "load": (Wordsplit, WordsplitCompiled, WordsplitJson, WordsplitJsonCompiled),
}
OTHERS = (
    Tiktoken,
    Tokenizers,
    Tokenizers1,
    Gigatoken,
    Fastokens,
    Snaptokens,
    Tokie,
    SentencePiece,
    Quicktok,
    Splintr,
    Wordchipper,
    BpeOpenai,
    Toktok,
)
PEERS = {peer.name: peer for peer in (*itertools.chain(*WORDSPLITS.values()), *OTHERS)}


def judge(vocab: str) -> str:
    """The library whose ids are right."""
    if vocab in OPENAI:
        return Tiktoken.name
    return SentencePiece.name if vocab in SENTENCEPIECE else Tokenizers.name
