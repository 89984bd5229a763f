"""Tokens by their bytes, against a look at every token."""

from functools import cache

import pytest
from depth import by_depth
from features.toks import BUNDLED, tokenizer
from hypothesis import given, settings
from hypothesis import strategies as st

import wordsplit
from wordsplit.model import WordLevel
from wordsplit.rules import Decode

NAMES = (*BUNDLED, "small gpt2", "neighbourly")
IN_STEPS = ("like llama2", "like bert", "like t5")


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
    table = {i: token for i, token in enumerate(tok.all_token_bytes()) if token is not None and i not in special}
    return table if tok.vocab.decoder is None else {i: behind(tok, i, token) for i, token in table.items()}


def behind(tok, token_id, spelled):
    """What a token adds to a text that ends with a letter."""
    if b"<0x" in spelled:
        return bytes([int(spelled[3:5], 16)])
    before = [tok.token_id("a")]
    return tok.decode([*before, token_id]).removeprefix(tok.decode(before)).encode()


@cache
def sorted_ids(tok):
    return sorted(text_tokens(tok))


@pytest.mark.parametrize("name", [*NAMES[:: by_depth(3, 1, 1)], *IN_STEPS])
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


def test_spaces_and_bytes_of_models_that_spell_them():
    tok = tokenizer("like llama2")
    spelled = [tok.token_bytes(i).decode() for i in tok.tokens_that_are_prefixes_of("\n at")]
    assert spelled == ["<0x0A>"]
    spelled = [tok.token_bytes(i).decode() for i in tok.tokens_that_are_prefixes_of(" at")]
    assert spelled == ["<0x20>", "▁", "▁a", "▁at"]
    bert = tokenizer("like bert")
    assert [bert.token_bytes(i) for i in bert.tokens_with_prefix(" a")] == [b"a", b"ae"]


def test_pieces_of_sentencepiece():
    step = Decode("pieces_and_bytes", "<unk>\0<s>", content=" ?? ", prepended=True)
    tokens = dict(enumerate(map(str.encode, ["<unk>", "<s>", "▁a", "▁", "b", "<0xE4>"])))
    vocab = wordsplit.Vocab(name="pieces", model=WordLevel(tokens=tokens, unk_id=0), decoder=[step])
    tok = wordsplit.load_tokenizer(vocab)
    assert tok.tokens_with_prefix(" ") == [3, 0, 2]
    assert tok.tokens_with_prefix(b"\xe4") == [5]
    assert 1 not in tok.tokens_with_prefix("")  # it decodes to nothing


def test_texts_with_a_space_between_and_letters_that_stand_for_bytes():
    """What a token adds to others does not depend on which they are."""
    tokens = dict(enumerate([b"the", b"cat"]))
    vocab = wordsplit.Vocab(name="words", model=WordLevel(tokens=tokens), decoder=[Decode("join", content=" ")])
    tok = wordsplit.load_tokenizer(vocab)
    assert tok.decode([0, 1]) == "the cat"
    assert (tok.tokens_with_prefix(" c"), tok.tokens_with_prefix("c")) == ([1], [])
    added = [wordsplit.AddedToken("Größe", 2, special=False)]
    tok = wordsplit.load_tokenizer(vocab.replace(decoder=[Decode("byte_level")], added_tokens=added))
    assert tok.decode([0, 2], errors="surrogateescape").encode(errors="surrogateescape") == b"theGr\xf6\xdfe"
    assert tok.tokens_with_prefix(b"Gr\xf6\xdf") == [2]


def test_text_is_utf8_and_other_things_are_refused():
    tok = tokenizer("qwen3")
    assert tok.tokens_with_prefix("é") == tok.tokens_with_prefix("é".encode()) != []
    assert tok.tokens_that_are_prefixes_of(memoryview(b"hi")) == tok.tokens_that_are_prefixes_of("hi")
    assert tok.tokens_that_are_prefixes_of(b"") == []
    assert len(tok.tokens_with_prefix(b"")) == len(text_tokens(tok))
    for call in (tok.tokens_with_prefix, tok.tokens_that_are_prefixes_of):
        with pytest.raises(wordsplit.InputTypeError):
            call(3)
