"""Segments: a stranger's text yields no control token, and ids are joined as they are."""

import pytest
from features.toks import BUNDLED, TEXT, tokenizer
from hypothesis import given
from hypothesis import strategies as st

import wordsplit

SEGMENTS = st.lists(st.tuples(TEXT, st.booleans()), max_size=6)


@pytest.mark.parametrize("name", [*BUNDLED, "neighbourly", "prefix space"])
@given(segments=SEGMENTS)
def test_each_is_encoded_on_its_own_and_the_whole_gets_bos_and_eos_once(name, segments):
    tok = tokenizer(name)
    vocab = tok.vocab
    want = list(vocab.prefix_ids)
    for text, trusted in segments:
        ids = tok.encode(text, special="parse" if trusted else "no_added")
        want += ids[len(vocab.prefix_ids) : len(ids) - len(vocab.suffix_ids)]
    assert tok.encode_segments(segments) == [*want, *vocab.suffix_ids]


@pytest.mark.parametrize("name", BUNDLED)
@given(texts=st.lists(TEXT, max_size=5))
def test_strangers_have_no_control_over_the_model(name, texts):
    tok = tokenizer(name)
    hostile = [text + literal for text in texts for literal in ("<|endoftext|>", "<|im_", "start|>", "<think>")]
    ids = tok.encode_segments([(text, False) for text in hostile])
    assert not set(ids) & set(tok.special_tokens.values())
    assert tok.decode(tok.encode_segments([(text.encode(), False) for text in hostile])) == tok.decode(ids)


@pytest.mark.parametrize("engine", ["native", "python"])
def test_added_tokens_that_are_not_special(engine):
    tok = tokenizer("qwen3", engine)
    think = tok.token_id("<think>")
    assert "<think>" not in tok.special_tokens
    assert think not in tok.encode_segments([("<think>", False)])
    assert tok.encode_segments([("<think>", False)], untrusted="no_special") == [think]
    assert tok.encode_segments([("<think>", True)]) == [think]


@pytest.mark.parametrize("engine", ["native", "python"])
@pytest.mark.parametrize("name", ["neighbourly", "neighbourly nfc", "qwen3"])
@given(text=TEXT)
def test_no_added_is_the_mode_in_which_every_added_token_is_text(name, engine, text):
    tok = tokenizer(name, engine)
    text += "".join(token.content for token in tok.vocab.added_tokens)
    around = slice(len(tok.vocab.prefix_ids), -len(tok.vocab.suffix_ids) or None)
    added = {token.id for token in tok.vocab.added_tokens} - set(tok.vocab.tokens)
    ids = tok.encode(text, special="no_added")
    assert not added & set(ids[around])
    assert tok.encode_batch([text], special="no_added") == [ids]
    assert tok.count(text, special="no_added") == len(ids)
    assert tok.encode(text, special="text") == tok.encode(text, special=())
    assert tok.encode_segments([(text, False)]) == ids


@pytest.mark.parametrize("wrong", ["text", ("text",), ("text", "no"), ("text", 1), (3, True), None])
def test_a_segment_that_is_none(wrong):
    with pytest.raises(wordsplit.InputTypeError):
        tokenizer("qwen3").encode_segments([wrong])
    with pytest.raises(wordsplit.OptionsError, match="no_special"):
        tokenizer("qwen3").encode_segments([], untrusted="none")
