"""Ids against the vocabs' own engines, `tokenizers` and `tiktoken`, really run."""

import gzip
import json
import random

import pytest
from depth import by_depth
from generated import BROKE_OTHERS, from_tokens, from_unicode
from oracles import OPENAI, SHARED, oracle_ids

import wordsplit

VOCABS = by_depth(("qwen3", "cl100k_base", "o200k_base"), *[("qwen3", *OPENAI)] * 2)
GENERATED = by_depth(1_500, 100_000, 1_000_000) // len(VOCABS) // 2 + 1  # texts of each kind for each vocab


def check(tok, text):
    for special in (True, False):
        ids = tok.encode(text, special="parse" if special else "text")
        assert ids == oracle_ids(tok.vocab.name, text, special=special), ascii(text[:200])
    assert tok.count(text, special="text") == len(ids)
    if tok.vocab.normalizer is None:
        assert tok.decode(ids) == text


@pytest.fixture(scope="module", params=VOCABS)
def name(request):
    return request.param


def test_inputs_that_broke_others(name, engine):
    tok = wordsplit.load_tokenizer(name, engine=engine)
    for text in BROKE_OTHERS if engine == "native" else BROKE_OTHERS[:: by_depth(8, 1, 1)]:
        check(tok, text)


def test_generated_from_unicode(name, engine):
    tok, rng = wordsplit.load_tokenizer(name, engine=engine), random.Random(f"unicode {name}")
    for _ in range(GENERATED):
        check(tok, from_unicode(rng))


def test_generated_from_tokens(name, engine):
    tok, rng = wordsplit.load_tokenizer(name, engine=engine), random.Random(f"tokens {name}")
    tokens = [*tok.vocab.tokens.values(), *(t.content.encode() for t in tok.vocab.added_tokens)]
    for _ in range(GENERATED):
        check(tok, from_tokens(rng, tokens))


def documents(corpus):
    path = SHARED / f"corpora/{corpus}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)["text"]


@pytest.mark.parametrize("corpus", ["en", "code", "multi"])
def test_corpora_slice(name, corpus):
    tok = wordsplit.load_tokenizer(name)
    for number, text in enumerate(documents(corpus)):
        if number % 50 == 0:
            check(tok, text)


@pytest.mark.long
@pytest.mark.parametrize("corpus", ["en", "code", "multi"])
def test_corpora_in_full(name, corpus, engine):
    tok = wordsplit.load_tokenizer(name, engine=engine)
    every = 1 if engine == "native" else 10  # a tenth for the Python engine, which does a megabyte a second
    for number, text in enumerate(documents(corpus)):
        if number % every == 0:
            check(tok, text)
