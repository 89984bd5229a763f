"""`Tokenizer.encode_arrow`: what it takes, and what other libraries make of what it returns."""

import copy
import gc
import itertools
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pytest
from arrow_data import TEXT_TYPES, array_of
from features.toks import TEXT, tokenizer
from hypothesis import given
from hypothesis import strategies as st

import wordsplit

TEXTS = ["hello world", None, "", "naïve 你好 🦜", "hello"]
TYPES = {
    "list<uint32>": pa.list_(pa.uint32()),
    "large_list<uint32>": pa.large_list(pa.uint32()),
    "list<int32>": pa.list_(pa.int32()),
    "large_list<int32>": pa.large_list(pa.int32()),
}


def ids_of(tok, texts):
    return [None if text is None else tok.encode(text) for text in texts]


def address(buffer):
    return np.asarray(buffer).ctypes.data


@pytest.mark.parametrize("kind", [*TEXT_TYPES, "dictionary"])
def test_every_kind_of_texts(kind, engine):
    tok = tokenizer("qwen3", engine)
    rows = [text if text is None else text.encode() for text in TEXTS]
    found = pa.array(tok.encode_arrow(array_of(kind, rows)))
    found.validate(full=True)
    assert found.to_pylist() == ids_of(tok, TEXTS)


@given(st.lists(st.none() | TEXT, max_size=8), st.sampled_from(["qwen3", "neighbourly nfc", "prefix space"]))
def test_random_texts(texts, name):
    tok = tokenizer(name)
    found = pa.array(tok.encode_arrow(pa.array(texts, pa.string())))
    found.validate(full=True)
    assert found.to_pylist() == ids_of(tok, texts)


@pytest.mark.parametrize("arrow_type", TYPES)
def test_every_type_is_the_same_memory(arrow_type):
    tok = tokenizer("qwen3")
    found = tok.encode_arrow(pa.array(TEXTS), arrow_type=arrow_type)
    assert found.type == arrow_type
    assert pa.field(found).type == TYPES[arrow_type]
    for wanted in (None, *TYPES.values()):
        array = pa.array(found, type=wanted)
        stream = pa.chunked_array(found, type=wanted)
        array.validate(full=True)
        assert array.type == stream.type == (wanted or TYPES[arrow_type])
        assert array.to_pylist() == stream.to_pylist() == ids_of(tok, TEXTS)
        assert array.values.buffers()[1].address == address(found.ids)
        assert [chunk.values.buffers()[1].address for chunk in stream.chunks] == [address(found.ids)]
        if pa.types.is_large_list(array.type):
            assert array.buffers()[1].address == address(found.offsets)


def test_a_type_that_is_not_offered_is_ignored():
    found = tokenizer("qwen3").encode_arrow(pa.array(TEXTS))
    for other in (pa.list_(pa.uint16()), pa.list_(pa.string()), pa.string(), pa.struct({"a": pa.uint32()})):
        schema, array = found.__arrow_c_array__(other.__arrow_c_schema__())
        assert pa.Array._import_from_c_capsule(schema, array).type == TYPES["list<uint32>"]
    with pytest.raises(wordsplit.InputTypeError, match="requested_schema"):
        found.__arrow_c_array__("list<uint32>")
    with pytest.raises(wordsplit.InputTypeError, match="requested_schema"):
        found.__arrow_c_stream__(3)


def test_slices_and_chunks_of_the_result():
    tok = tokenizer("qwen3")
    texts = [None if at % 7 == 3 else "word " * (at % 5) for at in range(40)]
    array = pa.array(tok.encode_arrow(pa.array(texts)))
    want = ids_of(tok, texts)
    for start, stop in itertools.combinations(range(0, 41, 3), 2):
        part = array[start:stop]
        part.validate(full=True)
        assert part.to_pylist() == want[start:stop]
    assert pa.concat_arrays([array[3:], array[:3]]).to_pylist() == want[3:] + want[:3]


@pytest.mark.parametrize("texts", [[], [None], [None] * 9, [""], ["", None, ""]])
def test_columns_without_ids(texts):
    tok = tokenizer("qwen3")
    for arrow_type, (kind, data) in itertools.product(
        TYPES, {"array": pa.array(texts, pa.string()), "chunks": pa.chunked_array([texts, texts], pa.string())}.items()
    ):
        found = tok.encode_arrow(data, arrow_type=arrow_type)
        want = ids_of(tok, texts) * (1 if kind == "array" else 2)
        for out in (pa.array(found), pa.chunked_array(found)):
            out.validate(full=True)
            assert out.to_pylist() == want
        assert (len(found), found.n_tokens, found.null_count, found.ids.tolist()) == (
            len(want),
            0,
            want.count(None),
            [],
        )
        assert [array.tolist() for array in found.to_numpy()] == [[], [0] * (len(want) + 1)]
    assert pa.array(tok.encode_arrow(pa.nulls(2))).to_pylist() == [None, None]


def test_the_column_itself():
    tok = tokenizer("qwen3")
    found = tok.encode_arrow(pa.table({"text": TEXTS, "n": range(5)}), field="text", arrow_type="large_list<int32>")
    assert repr(found) == f"<EncodedColumn: 5 rows (1 null), {found.n_tokens} tokens, large_list<int32>>"
    assert repr(tok.encode_arrow(pa.array(["a"] * 2000))) == "<EncodedColumn: 2,000 rows, 2,000 tokens, list<uint32>>"
    assert list(found) == ids_of(tok, TEXTS)
    assert (found[-1], found[-5], found[np.int64(1)]) == ([14990], [14990, 1879], None)
    for row in (5, -6):
        with pytest.raises(IndexError, match=f"row {row} of a column of 5 rows"):
            found[row]
    assert (len(found), found.null_count, found.n_tokens) == (5, 1, len(found.ids))
    assert tok.encode_arrow(pa.array([], pa.string()))


@pytest.mark.parametrize("arrow_type", TYPES)
def test_numpy_arrays_of_the_same_memory(arrow_type):
    found = tokenizer("qwen3").encode_arrow(pa.array(TEXTS), arrow_type=arrow_type)
    ids, offsets = found.to_numpy()
    assert (ids.dtype, offsets.dtype) == (np.int32 if arrow_type.endswith("<int32>") else np.uint32, np.int64)
    assert (ids.ctypes.data, offsets.ctypes.data) == (address(found.ids), address(found.offsets))
    assert not ids.flags.writeable
    want, bounds = tokenizer("qwen3").encode_batch_to_numpy([text or "" for text in TEXTS])
    assert (ids.tolist(), offsets.tolist()) == (want.tolist(), bounds.tolist())


@pytest.mark.parametrize("arrow_type", TYPES)
def test_copies_and_pickles(arrow_type):
    found = tokenizer("qwen3").encode_arrow(pa.array(TEXTS), arrow_type=arrow_type)
    for again in (copy.copy(found), copy.deepcopy(found), *(pickle.loads(pickle.dumps(found, p)) for p in range(2, 6))):  # noqa: S301
        assert (repr(again), list(again)) == (repr(found), list(found))
        assert pa.array(again).equals(pa.array(found))
    _, arguments = found.__reduce__()
    ids, offsets, validity, _ = arguments
    for wrong in (
        (ids[:-4], offsets, validity),
        (ids, offsets[8:], validity),
        (ids, offsets[::-1], validity),
        (ids, b"", validity),
        (ids, offsets, validity * 2),
    ):
        with pytest.raises(wordsplit.ArrowError, match="do not fit together"):
            found.__reduce__()[0](*wrong, arrow_type)


def test_results_outlive_everything_else():
    texts = pa.array(["hello world " * 10_000] * 5)
    found = tokenizer("qwen3").encode_arrow(texts)
    array, (ids, _) = pa.array(found), found.to_numpy()
    want = found[0] * 5
    del found, texts
    gc.collect()
    for _ in range(3):  # would write over memory that has been freed
        tokenizer("qwen3").encode_arrow(pa.array(["other text " * 10_000] * 5))
    assert ids.tolist() == array.values.to_pylist() == want


def test_children_that_are_moved_out_of_the_result():
    array = pa.array(tokenizer("qwen3").encode_arrow(pa.array(["hello world"] * 3)))
    values = array.values
    del array
    assert values.to_pylist() == [14990, 1879] * 3


@pytest.mark.parametrize("special", ["parse", "text", "no_added", {"<|im_end|>"}])
def test_special_tokens(special, engine):
    tok = tokenizer("qwen3", engine)
    texts = ["a<|im_end|>b<|im_start|><think>", "plain"]
    assert list(tok.encode_arrow(pa.array(texts), special)) == tok.encode_batch(texts, special)


def test_special_tokens_that_are_refused(engine):
    tok = tokenizer("qwen3", engine)
    texts = pa.array(["fine", None, "a<|im_end|>"])
    with pytest.raises(wordsplit.SpecialTokenError, match=r"text 2 of the batch: .*'<\|im_end\|>'") as caught:
        tok.encode_arrow(texts, special="error")
    assert caught.value.row == 2
    assert list(tok.encode_arrow(texts[:2], special="error")) == [tok.encode("fine"), None]


def test_bytes_that_are_not_utf8(engine):
    rows = pa.array([b"fine", None, b"caf\xe9 \xff"], pa.binary())
    tok = tokenizer("qwen3", engine)
    assert list(tok.encode_arrow(rows)) == [tok.encode("fine"), None, tok.encode(b"caf\xe9 \xff")]
    strict = tokenizer("strict", engine)
    with pytest.raises(wordsplit.InvalidTextError, match="text 2 of the batch: byte 0xE9 at offset 3") as caught:
        strict.encode_arrow(rows)
    assert caught.value.row == 2
    assert list(strict.encode_arrow(rows[:2])) == [tok.encode("fine"), None]


@pytest.mark.parametrize("wrong", ["list<uint16>", "string", None, 3, pa.list_(pa.uint32())])
def test_a_type_that_does_not_exist(wrong):
    with pytest.raises(wordsplit.OptionsError, match="use one of 'list<uint32>'"):
        tokenizer("qwen3").encode_arrow(pa.array(["a"]), arrow_type=wrong)


def test_without_the_native_module(monkeypatch):
    tok = tokenizer("small gpt2", "python")
    monkeypatch.setitem(sys.modules, "wordsplit._native", None)
    monkeypatch.delattr(wordsplit, "_native")
    with pytest.raises(wordsplit.WordsplitError, match="needs wordsplit's native module"):
        tok.encode_arrow(pa.array(["a"]))


PROGRAM = """
import signal, sys, pyarrow as pa, wordsplit
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells make background processes ignore it
tok = wordsplit.load_tokenizer("qwen3", cache_bytes=0)
texts = pa.array(["some text, 12345 and more of it\\n" * 30_000] * 50)
print("ready", flush=True)
try:
    while True:
        tok.encode_arrow(texts, threads=int(sys.argv[1]))
except KeyboardInterrupt:
    print(*tok.encode_arrow(pa.array(["hello world"])))
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c(threads):
    with subprocess.Popen([sys.executable, "-c", PROGRAM, threads], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=60) == ("[14990, 1879]\n", None)
        finally:
            process.kill()
        assert time.monotonic() - sent < 20
    assert process.returncode == 0


@pytest.fixture
def polars():
    return pytest.importorskip("polars")


@pytest.mark.parametrize("arrow_type", TYPES)
def test_polars_takes_and_gives(polars, arrow_type):
    tok = tokenizer("qwen3")
    frame = polars.DataFrame({"text": TEXTS, "n": range(5)})
    categories = frame["text"].cast(polars.Categorical)
    for data, field in ((frame, "text"), (frame["text"], None), (categories, None), (frame["text"].rechunk(), None)):
        found = tok.encode_arrow(data, field=field, arrow_type=arrow_type)
        assert list(found) == ids_of(tok, TEXTS)
        series = polars.Series("ids", found)
        assert series.dtype == polars.List(polars.Int32 if arrow_type.endswith("<int32>") else polars.UInt32)
        assert series.to_list() == polars.from_arrow(found).to_list() == ids_of(tok, TEXTS)
        assert series.to_arrow().values.buffers()[1].address == address(found.ids)
        assert frame.with_columns(ids=series).select(polars.col("ids").list.len()).to_series().to_list() == [
            ids if ids is None else len(ids) for ids in found
        ]
    appended = polars.concat([frame["text"], frame["text"]], rechunk=False)
    assert list(tok.encode_arrow(appended)) == ids_of(tok, TEXTS) * 2


def test_duckdb_takes_and_gives():
    duckdb = pytest.importorskip("duckdb")
    tok = tokenizer("qwen3")
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT 'row ' || i AS text, i FROM range(5000) AS t(i) ORDER BY i")
        found = tok.encode_arrow(relation, field="text")
        assert list(found) == tok.encode_batch([f"row {at}" for at in range(5000)])
        encoded = pa.table({"ids": found})  # noqa: F841 - DuckDB finds it by its name
        counted = connection.sql("SELECT sum(len(ids)), count(*) FROM encoded").fetchall()
        assert counted == [(found.n_tokens, 5000)]
