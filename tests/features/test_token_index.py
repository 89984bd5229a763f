"""Tokens by their bytes, against a look at every token."""

from functools import cache

import pytest
from depth import by_depth
from features.toks import BUNDLED, tokenizer
from hypothesis import given, settings
from hypothesis import strategies as st

import wordsplit

NAMES = (*BUNDLED, "small gpt2", "neighbourly")


@pytest.mark.parametrize("name", NAMES[:: by_depth(3, 1, 1)])
def test_the_table_of_all_tokens(name):
    tok = tokenizer(name)
    table = tok.all_token_bytes()
    assert len(table) == tok.vocab.n_vocab
    assert table is not tok.all_token_bytes()
    for i, token in enumerate(table):
        assert tok.is_valid(i) == (token is not None)
        if token is None:
            with pytest.raises(wordsplit.InvalidTokenIdError):
                tok.token_bytes(i)
        else:
            assert tok.token_bytes(i) == token == tok.decode_bytes([i])


@pytest.mark.parametrize("wrong", [-1, 10**12, 1.0, "5", b"5", None, [5]])
def test_what_is_no_id(wrong):
    assert not tokenizer("qwen3").is_valid(wrong)


@cache
def text_tokens(tok):
    special = set(tok.special_tokens.values())
    return {i: t for i, t in enumerate(tok.all_token_bytes()) if t is not None and i not in special}


@cache
def sorted_ids(tok):
    return sorted(text_tokens(tok))


@pytest.mark.parametrize("name", NAMES[:: by_depth(3, 1, 1)])
@settings(max_examples=by_depth(8, 25, 300))
@given(st.data())
def test_prefixes(name, data):
    tok = tokenizer(name)
    tokens = text_tokens(tok)
    some = tokens[data.draw(st.sampled_from(sorted_ids(tok)))]
    cut = data.draw(st.integers(0, len(some)))
    prefix = some[:cut] + data.draw(st.sampled_from([b"", b"\xff", b"\xff\xff", b"a", b"\x00"]))
    found = tok.tokens_with_prefix(prefix)
    assert sorted(found) == sorted(i for i, t in tokens.items() if t.startswith(prefix))
    assert [tokens[i] for i in found] == sorted(tokens[i] for i in found)
    longer = some + prefix
    found = tok.tokens_that_are_prefixes_of(longer)
    assert sorted(found) == sorted(i for i, t in tokens.items() if t and longer.startswith(t))
    assert [len(tokens[i]) for i in found] == sorted(len(tokens[i]) for i in found)


def test_text_is_utf8_and_other_things_are_refused():
    tok = tokenizer("qwen3")
    assert tok.tokens_with_prefix("é") == tok.tokens_with_prefix("é".encode()) != []
    assert tok.tokens_that_are_prefixes_of(memoryview(b"hi")) == tok.tokens_that_are_prefixes_of("hi")
    assert tok.tokens_that_are_prefixes_of(b"") == []
    assert len(tok.tokens_with_prefix(b"")) == len(text_tokens(tok))
    for call in (tok.tokens_with_prefix, tok.tokens_that_are_prefixes_of):
        with pytest.raises(wordsplit.InputTypeError):
            call(3)
