"""Segments: a stranger's text yields no control token, and ids are joined as they are."""

import pytest
from everyday.toks import BUNDLED, TEXT, tokenizer
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
        ids = tok.encode(text, special="parse" if trusted else "text")
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


def test_added_tokens_that_are_not_special():
    tok = tokenizer("qwen3")
    think = tok.token_id("<think>")
    assert "<think>" not in tok.special_tokens
    assert tok.encode_segments([("<think>", False)]) == [think]
    assert think not in tok.encode_segments([("<think>", False)], untrusted="no_added")
    assert tok.encode_segments([("<think>", True)], untrusted="no_added") == [think]


@pytest.mark.parametrize("wrong", ["text", ("text",), ("text", "no"), ("text", 1), (3, True), None])
def test_a_segment_that_is_none(wrong):
    with pytest.raises(wordsplit.InputTypeError):
        tokenizer("qwen3").encode_segments([wrong])
    with pytest.raises(wordsplit.OptionsError, match="no_special"):
        tokenizer("qwen3").encode_segments([], untrusted="none")
