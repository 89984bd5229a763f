"""Ten million strings, against `tokenizers` and `tiktoken`."""

import os
import random
from itertools import chain

import pytest
from generated import random_char
from oracles import OPENAI, openai, qwen3

import wordsplit

VOCABS = ("qwen3", *OPENAI)
STRINGS = int(os.environ.get("WORDSPLIT_STRINGS", "10_000_000"))  # of all vocabs together
BATCH = 10_000
COMMON = " \n\r\t'aAzZ09.,!/-_sStTlLdDmMrReEvV\u017f\u0301\u0300\u3000\u4f60\u00e9"


def pieces_of(vocab, rng):
    """What strings are put together from: a third of Unicode, a third of tokens, a third of what patterns are about."""
    tokens = [token.decode("utf-8", "ignore") for token in rng.sample(list(vocab.tokens.values()), 20_000)]
    special = [text for text, i in vocab.special_tokens.items() if vocab.token_bytes(i).decode() == text][:100]
    scalars = [random_char(rng) for _ in range(20_000)]
    return [*tokens, *special, *scalars, *rng.choices(COMMON, k=20_000)]


def oracle(name, texts, *, special):
    if name == "qwen3":
        engine = qwen3()
        engine.encode_special_tokens = not special
        return [found.ids for found in engine.encode_batch(texts, add_special_tokens=False)]
    engine = openai(name)
    return [engine.encode(text, allowed_special="all") if special else engine.encode_ordinary(text) for text in texts]


@pytest.mark.long
@pytest.mark.parametrize("name", VOCABS)
def test_ten_million_strings(name):
    tok, rng = wordsplit.load_tokenizer(name), random.Random(f"differential {name}")
    pieces = pieces_of(tok.vocab, rng)
    for at in range(-(-STRINGS // len(VOCABS) // BATCH)):
        texts = ["".join(rng.choices(pieces, k=rng.randrange(1, 12))) for _ in range(BATCH)]
        special = at % 2 == 0
        ours = tok.encode_batch(texts, special="parse" if special else "text")
        theirs = oracle(name, texts, special=special)
        if ours != theirs:
            wrong = next(text for text, a, b in zip(texts, ours, theirs, strict=True) if a != b)
            pytest.fail(f"{name}, special tokens {'parsed' if special else 'as text'}: {wrong!a}")
        if tok.vocab.normalizer is None:
            assert tok.decode(list(chain.from_iterable(ours))) == "".join(texts)
