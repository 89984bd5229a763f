"""Columns of NumPy, pandas, polars and Arrow as batches, and batches as lists, arrays and Arrow columns."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import wordsplit

TEXTS = ["hello world", "", "naïve 🦜<|im_end|>", "a\n\nb"]


def pandas_series(texts):
    return pytest.importorskip("pandas").Series(texts)


COLUMNS = {
    "numpy": np.array,
    "numpy objects": lambda texts: np.array(texts, dtype=object),
    "numpy strings": lambda texts: np.array(texts, dtype=np.dtypes.StringDType()),
    "arrow": pa.array,
    "arrow chunks": lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
    "arrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "polars": pl.Series,
    "pandas": pandas_series,
    "tuple": tuple,
    "dict views": lambda texts: dict.fromkeys(texts).keys(),
}


@pytest.fixture(scope="module")
def tok():
    return wordsplit.load_tokenizer("qwen3")


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("special", ["parse", "text"])
def test_columns(tok, kind, special):
    texts = COLUMNS[kind](TEXTS)
    want = [tok.encode(text, special) for text in TEXTS]
    assert tok.encode_batch(texts, special) == tok.encode_batch(texts, special, output="list") == want
    assert tok.count_batch(texts, special) == list(map(len, want))
    ids, offsets = tok.encode_batch(texts, special, output="numpy")
    assert [ids[start:end].tolist() for start, end in zip(offsets, offsets[1:], strict=False)] == want
    column = tok.encode_batch(texts, special, output="arrow")
    assert column.type == "list<uint32>"
    assert pa.array(column).to_pylist() == want


def test_no_texts(tok):
    assert tok.encode_batch(np.array([], dtype=str)) == []
    assert len(tok.encode_batch([], output="arrow")) == 0
    assert tok.encode_batch([], output="numpy")[1].tolist() == [0]


def test_nulls(tok):
    texts = pa.array(["hello", None])
    with pytest.raises(wordsplit.InputTypeError, match=r"text 1 of the batch.*use encode_arrow\(\)"):
        tok.encode_batch(texts)
    assert pa.array(tok.encode_batch(texts, output="arrow")).to_pylist() == [[14990], None]


@pytest.mark.parametrize("texts", [np.array("abc"), np.array([["a"]]), np.array([1]), "abc", 3, None])
def test_what_is_no_batch_of_texts(tok, texts):
    for output in ("list", "numpy", "arrow"):
        with pytest.raises(wordsplit.InputTypeError):
            tok.encode_batch(texts, output=output)


def test_an_output_that_is_none(tok):
    with pytest.raises(wordsplit.OptionsError, match="'list', 'numpy' or 'arrow'"):
        tok.encode_batch(["a"], output="torch")


def test_bytes_and_tokens_of_ids(tok):
    batch = [tok.encode(text) for text in TEXTS]
    assert tok.decode_bytes_batch(batch) == [text.encode() for text in TEXTS]
    assert tok.decode_bytes_batch(np.array([[14990], [1879]])) == [b"hello", b" world"]
    assert tok.decode_bytes_batch([batch[2]], skip_special=True) == ["naïve 🦜".encode()]
    assert tok.ids_to_tokens(np.array([14990, 1879])) == tok.ids_to_tokens((14990, 1879)) == [b"hello", b" world"]
    with pytest.raises(wordsplit.InvalidTokenIdError) as caught:
        tok.decode_bytes_batch([[1], [10**9]])
    assert caught.value.row == 1
    with pytest.raises(wordsplit.InvalidTokenIdError):
        tok.ids_to_tokens([-1])


def test_the_tokens_of_a_vocab():
    vocab = wordsplit.load_vocab("cl100k_base")
    tokens = vocab.to_dict()
    assert list(tokens) == sorted(tokens)
    table = wordsplit.TokenizerOptions().build(vocab).all_token_bytes()
    assert tokens == {i: data for i, data in enumerate(table) if data is not None}
    tokens.clear()
    assert vocab.to_dict()
