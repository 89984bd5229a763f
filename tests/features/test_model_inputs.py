"""Rows for models: every row is its text's ids, and padding is where the mask says."""

import builtins

import numpy as np
import pytest
from features.toks import TEXT, changed, tokenizer
from hypothesis import given
from hypothesis import strategies as st

import wordsplit

TEXTS = st.lists(TEXT, max_size=5)


@pytest.mark.parametrize("name", ["qwen3", "cl100k_base"])
@given(
    texts=TEXTS,
    padding=st.sampled_from([True, "longest", "max_length", False]),
    truncation=st.sampled_from([True, False, "right", "left"]),
    max_length=st.integers(2, 20),
    multiple=st.sampled_from([None, 1, 8]),
    side=st.sampled_from(["left", "right"]),
    eos=st.booleans(),
)
def test_rows(name, texts, padding, truncation, max_length, multiple, side, eos):
    tok = tokenizer(name)
    options = {"padding": padding, "truncation": truncation, "max_length": max_length, "pad_to_multiple_of": multiple}
    options |= {"padding_side": side, "add_eos": eos, "return_type": "list"}
    out = tok.encode_for_model(texts, **options)
    assert list(out) == ["input_ids", "attention_mask"]
    room = max_length - eos
    lengths = set()
    for text, row, mask in zip(texts, out["input_ids"], out["attention_mask"], strict=True):
        ids = tok.encode(text)
        if truncation:
            ids = ids[max(0, len(ids) - room) :] if truncation == "left" else ids[:room]
        ids += [tok.eos_token_id] * eos
        assert [i for i, m in zip(row, mask, strict=True) if m] == ids
        pad = 0 if side == "left" else 1
        assert mask == sorted(mask, reverse=bool(pad))
        pad_id = tok.eos_token_id if tok.vocab.pad_token_id is None else tok.vocab.pad_token_id
        assert all(i == pad_id for i, m in zip(row, mask, strict=True) if not m)
        lengths.add(len(row))
    if padding and texts and (padding != "max_length" or truncation):
        assert len(lengths) == 1
        (width,) = lengths
        assert width % (multiple or 1) == 0
        if padding == "max_length":
            assert width == -(-max_length // (multiple or 1)) * (multiple or 1)


def test_arrays_have_two_dimensions_whatever_there_is():
    tok = tokenizer("qwen3")
    for texts, shape in (([], (0, 0)), ([""], (1, 0)), (["a b", ""], (2, 2))):
        out = tok.encode_for_model(texts)
        assert out["input_ids"].shape == out["attention_mask"].shape == shape
        assert out["input_ids"].dtype == out["attention_mask"].dtype == np.int64
    with pytest.raises(wordsplit.OptionsError, match="padding=True"):
        tok.encode_for_model(["a b", ""], padding=False)


def test_bos_and_eos_frame_what_is_left():
    vocab = changed(tokenizer("cl100k_base").vocab, bos_token_id=100257, eos_token_id=100258, pad_token_id=100260)
    tok = wordsplit.load_tokenizer(vocab)
    rows = tok.encode_for_model(
        ["one two three four", "one"], truncation=True, max_length=4, add_bos=True, add_eos=True, return_type="list"
    )
    assert rows["input_ids"] == [[100257, 606, 1403, 100258], [100257, 606, 100258, 100260]]
    framed = wordsplit.load_tokenizer(vocab, add_bos=True)
    assert framed.encode_for_model(["one"], return_type="list")["input_ids"] == [[100257, 606]]
    assert framed.encode_for_model(["one"], add_bos=False, return_type="list")["input_ids"] == [[606]]
    with pytest.raises(wordsplit.OptionsError, match="no room"):
        tok.encode_for_model(["one"], truncation=True, max_length=1, add_bos=True, add_eos=True)


def test_mistakes_have_a_way_out(monkeypatch):
    tok = tokenizer("small gpt2")
    with pytest.raises(wordsplit.OptionsError, match="pad_token_id"):
        tok.encode_for_model(["a", "a a a"])
    assert tok.encode_for_model(["a", "a"])["input_ids"].shape == (2, 1)  # nothing to pad
    tok = tokenizer("qwen3")
    for wrong in (
        {"padding": "most"},
        {"truncation": "middle"},
        {"padding_side": "top"},
        {"return_type": "tf"},
        {"max_length": 0},
        {"pad_to_multiple_of": "8"},
        {"truncation": True},
        {"padding": "max_length"},
    ):
        with pytest.raises(wordsplit.OptionsError, match=next(iter(wrong))):
            tok.encode_for_model(["a"], **wrong)
    with pytest.raises(wordsplit.OptionsError, match="add_bos"):
        tok.encode_for_model(["a"], add_bos=True)
    with pytest.raises(wordsplit.InputTypeError):
        tok.encode_for_model("one text")
    real = builtins.__import__

    def without_torch(name, *rest):
        if name == "torch":
            raise ImportError
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_torch)
    with pytest.raises(wordsplit.OptionsError, match="pip install torch"):
        tok.encode_for_model(["a"], return_type="torch")


def test_torch_if_it_is_there():
    torch = pytest.importorskip("torch")
    out = tokenizer("qwen3").encode_for_model(["Hello, world!", "Hi"], return_type="torch")
    assert out["input_ids"].dtype == out["attention_mask"].dtype == torch.int64
    assert out["attention_mask"].tolist() == [[1, 1, 1, 1], [1, 0, 0, 0]]
