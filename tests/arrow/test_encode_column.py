"""Columns encoded into lists: the ids of `encode_batch`, in memory that is used again only if nothing else has it."""

import concurrent.futures

import numpy as np
import pyarrow as pa
import pytest
from features.toks import tokenizer

import wordsplit
from wordsplit import _native
from wordsplit.engine.columns import text_column

TEXTS = ["hello world", None, "", "naïve 你好 🦜 <|im_end|>", *(f"row {at}\n" * (at % 50) for at in range(200)), None]
BYTES = [b"caf\xe9", b"\xff\xfe", None, b"plain"]


def few(rows, engine):
    """The rows, but not many for an engine that takes long."""
    return rows if engine == "native" else rows[:9]


def encoded(tok, rows, special="parse", threads=None, into=None):
    lists = _native.TokenLists() if into is None else into
    data = pa.array(rows, pa.binary() if isinstance(next(iter(rows), None), bytes) else pa.string())
    tok._inputs.column(text_column(data), special, threads, lists)
    return lists


def listed(lists):
    array = pa.array(lists)
    array.validate(full=True)
    assert array.type == pa.list_(pa.uint32())
    assert (len(lists), lists.nulls, lists.tokens) == (len(array), array.null_count, len(array.values))
    ids, offsets = np.asarray(lists.ids), np.asarray(lists.offsets)
    assert (ids.dtype, offsets.dtype, len(offsets)) == (np.uint32, np.int64, len(lists) + 1)
    rows = array.to_pylist()
    assert [row or [] for row in rows] == [ids[a:b].tolist() for a, b in zip(offsets[:-1], offsets[1:], strict=True)]
    return rows


@pytest.mark.parametrize(
    "rows", [TEXTS, BYTES, [], [None, None], [""]], ids=["texts", "bytes", "none", "nulls", "empty"]
)
@pytest.mark.parametrize("name", ["qwen3", "neighbourly", "deepseek", "no pattern"])
def test_ids_are_those_of_a_batch(name, engine, rows):
    tok, rows = tokenizer(name, engine), few(rows, engine)
    want = iter(tok.encode_batch([row for row in rows if row is not None]))
    want = [None if row is None else next(want) for row in rows]
    for threads in (1, 2, None):
        assert listed(encoded(tok, rows, threads=threads)) == want


@pytest.mark.parametrize("special", ["text", "no_added", {"<|im_end|>"}])
def test_special_tokens(special, engine):
    tok = tokenizer("qwen3", engine)
    rows = [row for row in few(TEXTS, engine) if row is not None]
    assert listed(encoded(tok, rows, special)) == tok.encode_batch(rows, special)


def test_a_spanner_written_in_python_with_a_native_encoder():
    tok = wordsplit.load_tokenizer("qwen3", spanner="regex")
    assert type(tok._engine).__name__ == "NativeEncoding"
    assert listed(encoded(tok, TEXTS)) == listed(encoded(tokenizer("qwen3"), TEXTS))


def test_memory_is_used_again_if_nothing_shares_it():
    tok = tokenizer("qwen3")
    texts, other = ["some text " * 1000] * 20, ["another"] * 20
    lists = encoded(tok, texts)
    first = np.asarray(lists.ids).ctypes.data
    for rows in (texts, other):
        encoded(tok, rows, into=lists)
        assert np.asarray(lists.ids).ctypes.data == first
    for share in (lambda: lists.ids, lambda: lists.offsets, lambda: pa.array(lists), lists.__arrow_c_stream__):
        encoded(tok, texts, into=lists)
        before, shared = listed(lists), share()
        at = np.asarray(lists.ids).ctypes.data
        encoded(tok, other, into=lists)
        assert np.asarray(lists.ids).ctypes.data != at
        assert listed(lists) == tok.encode_batch(other)
        if isinstance(shared, pa.Array):
            assert shared.to_pylist() == before
        del shared


def test_views_are_read_only_and_outlive_the_lists():
    lists = encoded(tokenizer("qwen3"), ["hello world"] * 3)
    ids, offsets, array = lists.ids, lists.offsets, pa.array(lists)
    del lists
    assert (ids.tolist(), offsets.tolist()) == ([14990, 1879] * 3, [0, 2, 4, 6])
    assert array.to_pylist() == [[14990, 1879]] * 3
    assert (ids.format, ids.readonly, offsets.format, offsets.readonly) == ("I", True, "q", True)
    assert np.frombuffer(ids, np.uint32).ctypes.data == array.values.buffers()[1].address
    with pytest.raises(TypeError):
        ids[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        np.frombuffer(ids, np.uint32)[0] = 1
    assert bytes(ids) == np.asarray(ids).tobytes()


def test_an_error_names_its_row_and_leaves_the_lists_usable(engine):
    strict = tokenizer("strict", engine)
    lists = _native.TokenLists()
    with pytest.raises(wordsplit.InvalidTextError, match="text 0 of the batch: byte 0xE9 at offset 3"):
        encoded(strict, BYTES, into=lists)
    with pytest.raises(wordsplit.SpecialTokenError, match="text 3 of the batch"):
        encoded(strict, TEXTS, "error", into=lists)
    few = wordsplit.Vocab(tokens={0: b"a", 1: b"b"}, name="few", pre_tokenizer=())
    with pytest.raises(wordsplit.UnknownTokenError, match="text 2 of the batch: .*0x7A"):
        encoded(wordsplit.load_tokenizer(few, engine=engine), ["a", None, "bz"], into=lists)
    assert listed(encoded(strict, ["hello world"], into=lists)) == [[14990, 1879]]


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_threads_that_are_no_number(threads):
    with pytest.raises(wordsplit.OptionsError, match="threads="):
        encoded(tokenizer("qwen3"), ["a"], threads=threads)


def test_many_python_threads_at_once():
    tok = tokenizer("qwen3")
    batches = [[f"batch {n} row {at} 你好 " * 20 for at in range(100)] for n in range(16)]
    want = [tok.encode_batch(batch) for batch in batches]

    def work(n):
        lists = _native.TokenLists()
        return [listed(encoded(tok, batches[at], threads=1 + at % 2, into=lists)) for at in range(n, 16, 4)]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for n, found in enumerate(pool.map(work, range(4))):
            assert found == want[n::4]


def test_threads_that_encode_into_the_same_lists_do_no_harm():
    tok, lists = tokenizer("qwen3"), _native.TokenLists()
    batches = [[f"batch {n} row {at} " * 50 for at in range(100)] for n in range(4)]
    want = [tok.encode_batch(batch) for batch in batches]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for _ in range(10):
            for done in [pool.submit(encoded, tok, batch, into=lists) for batch in batches]:
                done.result()
            assert listed(lists) in want
