"""Padding ids that are there already; sizes and roles of a tokenizer; rows of batches in errors."""

import pickle

import numpy as np
import pytest
from features.toks import changed, small, tokenizer

import wordsplit


def test_sizes_and_roles():
    vocab = changed(wordsplit.load_vocab("qwen3"), eos_token_id=1, pad_token_id=2, bos_token_id=3, role_ids={"unk": 4})
    tok = wordsplit.load_tokenizer(vocab)
    assert (tok.eos_token_id, tok.pad_token_id, tok.bos_token_id, tok.unk_token_id) == (1, 2, 3, 4)
    assert (tok.n_vocab, len(tok)) == (151669, 151669)
    holes = wordsplit.load_tokenizer("cl100k_base")
    assert (holes.n_vocab, len(holes)) == (100277, len(wordsplit.load_vocab("cl100k_base")))
    assert len(holes) < holes.n_vocab
    assert holes.unk_token_id is holes.pad_token_id is None


@pytest.mark.parametrize(
    "make", [list, tuple, np.array, lambda ids: iter(list(ids)), lambda ids: np.array(ids, "uint16")]
)
def test_one_row_of_any_kind(make):
    tok = tokenizer("qwen3")
    assert tok.pad(make([1, 2]), length=3) == {"input_ids": [1, 2, 151643], "attention_mask": [1, 1, 0]}
    assert tok.pad(make([1, 2]), multiple_of=4, side="left", pad_id=7)["input_ids"] == [7, 7, 1, 2]
    assert tok.pad(make([1, 2]))["input_ids"] == [1, 2]


def test_several_rows():
    tok = tokenizer("qwen3")
    rows = [[1, 2, 3], [], np.array([4])]
    out = tok.pad(rows, multiple_of=2, pad_id=9)
    assert out["input_ids"] == [[1, 2, 3, 9], [9, 9, 9, 9], [4, 9, 9, 9]]
    assert out["attention_mask"] == [[1, 1, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0]]
    arrays = tok.pad(rows, side="left", return_type="np")
    assert arrays["input_ids"].tolist() == [[1, 2, 3], [151643] * 3, [151643, 151643, 4]]
    assert arrays["attention_mask"].dtype == np.int64
    assert tok.pad(np.array([[1, 2], [3, 4]]), length=2)["input_ids"] == [[1, 2], [3, 4]]
    assert tok.pad([]) == {"input_ids": [], "attention_mask": []}
    assert tok.pad([[]]) == {"input_ids": [[]], "attention_mask": [[]]}


def test_it_is_what_encode_for_model_does():
    tok = tokenizer("qwen3")
    texts = ["Hello, world!", "Hi", ""]
    want = tok.encode_for_model(texts, padding_side="left", pad_to_multiple_of=8, return_type="list")
    assert tok.pad(tok.encode_batch(texts), side="left", multiple_of=8) == want


@pytest.mark.parametrize(
    ("ids", "more", "error", "match"),
    [
        ([[1], [1, 2]], {}, wordsplit.OptionsError, "names no pad token.*pad_id=100257"),
        ([1, 2], {"length": 1}, wordsplit.OptionsError, "does not truncate"),
        ([1, 2], {"pad_id": 10**9}, wordsplit.InvalidTokenIdError, "not a token id"),
        ([1, "a"], {}, wordsplit.InputTypeError, "list of ids"),
        ([[1], ["a"]], {}, wordsplit.InvalidTokenIdError, "integers"),
        (5, {}, wordsplit.InputTypeError, "int"),
        ([1], {"side": "top"}, wordsplit.OptionsError, "left"),
        ([1], {"multiple_of": 0}, wordsplit.OptionsError, "multiple_of"),
    ],
)
def test_what_cannot_be_padded(ids, more, error, match):
    with pytest.raises(error, match=match):
        tokenizer("cl100k_base").pad(ids, **more)


@pytest.mark.parametrize("engine", ["native", "python"])
def test_errors_of_batches_say_which_text(engine):
    tok = wordsplit.load_tokenizer("qwen3", engine=engine, errors="strict")
    for call in (tok.encode_batch, tok.count_batch, tok.encode_batch_to_numpy, tok.encode_for_model):
        for bad, error in (
            ("\ud83d", wordsplit.InvalidTextError),
            (b"\xff", wordsplit.InvalidTextError),
            (5, wordsplit.InputTypeError),
        ):
            with pytest.raises(error, match="^text 17 of the batch: ") as caught:
                call([*["fine"] * 17, bad, "fine", bad])
            assert caught.value.row == 17
            again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
            assert (again.row, str(again)) == (17, str(caught.value))
    with pytest.raises(wordsplit.SpecialTokenError, match="^text 1 of the batch: ") as caught:
        tok.encode_batch(["fine", "<|im_end|>"], special="error")
    assert caught.value.row == 1
    with pytest.raises(wordsplit.InvalidTokenIdError, match="^text 2 of the batch: ") as caught:
        tok.decode_batch([[1], [2], [10**7]])
    assert caught.value.row == 2
    with pytest.raises(wordsplit.InvalidTextError) as caught:
        tok.encode("\ud83d")
    assert caught.value.row is None


@pytest.mark.parametrize("engine", ["native", "python"])
def test_a_byte_that_the_vocab_lacks(engine):
    lacking = wordsplit.Vocab(name="lacking", tokens={0: b"a", 1: b"b"}, pre_tokenizer=small(1, "gpt2").pre_tokenizer)
    tok = wordsplit.load_tokenizer(lacking, engine=engine)
    with pytest.raises(wordsplit.UnknownTokenError, match="^text 2 of the batch: ") as caught:
        tok.encode_batch(["ab", "a", "abc", "c"])
    assert caught.value.row == 2


def test_extreme_arguments():
    tok = tokenizer("qwen3")
    assert tok.encode_batch(["a"] * 3, threads=2**70) == [[64]] * 3
    assert tok.count_batch(["a"], threads=2**70) == [1]
    for call in (tok.decode, tok.decode_bytes, tok.decode_batch):
        with pytest.raises(wordsplit.InputTypeError, match="list of"):
            call(5)
    assert tok.tokens_with_prefix("\ud83d") == tok.tokens_with_prefix("\ufffd")
    assert tok.tokens_that_are_prefixes_of("\ud83d") == tok.tokens_that_are_prefixes_of("\ufffd")
    with pytest.raises(wordsplit.InvalidTextError):
        wordsplit.load_tokenizer("qwen3", errors="strict").tokens_with_prefix("\ud83d")


def test_types_that_methods_return_are_exported():
    tok = tokenizer("qwen3")
    assert type(tok.truncate("a b c", 1)) is wordsplit.Truncated
    assert type(tok.truncate(b"a b c", 1)) is wordsplit.TruncatedBytes
    assert type(tok.truncate(bytearray(b"a b c"), 1).text) is bytes
    assert isinstance(tok.split("a b c", 1)[0], wordsplit.Chunk)
    assert isinstance(tok.explain("a"), wordsplit.Explanation)
    assert isinstance(tok.show("a"), wordsplit.Shown)
    assert isinstance(tok.encode_with_offsets("a"), wordsplit.EncodedText)
    assert all(hasattr(wordsplit, name) for name in wordsplit.__all__)
    assert set(wordsplit.__all__) <= set(dir(wordsplit))
    with pytest.raises(AttributeError, match="nosuch"):
        wordsplit.nosuch  # noqa: B018
