"""Columns of ids for pipelines: what is the same for all libraries. The libraries themselves: tests/corpus_clients."""

import pickle

import cloudpickle
import pyarrow as pa
import pytest

import wordsplit
from wordsplit import InputTypeError, OptionsError, UnknownNameError, corpus
from wordsplit.corpus import rows

TOK = wordsplit.load_tokenizer("qwen3")
TEXTS = ["hello world", None, "", "naïve 你好 🦜", "a <|im_end|> b"]
IDS = [None if text is None else TOK.encode(text, special="text") for text in TEXTS]
TABLE = pa.table({"n": range(5), "text": pa.array(TEXTS, pa.string())}, metadata={"made": "here"})


@pytest.mark.parametrize("add", [corpus.RayBatches(TOK), corpus.datasets_batch(TOK)], ids=["ray", "datasets"])
def test_tables_and_batches(add):
    found = add(TABLE)
    assert found["input_ids"].to_pylist() == IDS
    assert found.drop_columns(["input_ids"]).equals(TABLE, check_metadata=True)
    (batch,) = TABLE.to_batches()
    assert add(batch).equals(found.to_batches()[0], check_metadata=True)
    assert add(TABLE.slice(1, 3))["input_ids"].to_pylist() == IDS[1:4]
    assert add(TABLE.slice(0, 0))["input_ids"].type == pa.list_(pa.uint32())


def test_options():
    nested = pa.table({"doc": pa.array([{"body": text} for text in TEXTS])})
    add = corpus.RayBatches(TOK, "doc.body", "ids", special="parse", arrow_type="large_list<int32>")
    assert add(nested)["ids"].to_pylist() == [None if text is None else TOK.encode(text) for text in TEXTS]
    assert add(nested)["ids"].type == pa.large_list(pa.int32())
    assert corpus.datasets_batch(TOK, keep=["n"])(TABLE).column_names == ["n", "input_ids"]
    assert corpus.RayBatches()(TABLE)["input_ids"].to_pylist() == IDS
    assert corpus.RayBatches(TOK.vocab)(TABLE)["input_ids"].to_pylist() == IDS


def test_the_tokenizer_is_built_once_in_each_process():
    rows._unpickled.cache_clear()
    for _ in range(3):
        (batch,) = pickle.loads(cloudpickle.dumps(corpus.spark_batches(TOK)))(TABLE.to_batches())  # noqa: S301
        assert batch["input_ids"].to_pylist() == IDS
        assert batch["input_ids"].type == pa.list_(pa.int32())
        assert pickle.loads(cloudpickle.dumps(corpus.datasets_batch(TOK)))(TABLE)["input_ids"].to_pylist() == IDS  # noqa: S301
    assert rows._unpickled.cache_info().misses == 1


def test_streams_are_encoded_as_they_are_read():
    read = []

    def batches():
        for number in range(3):
            read.append(number)
            yield TABLE.to_batches()[0]

    reader = corpus.arrow_batches(pa.RecordBatchReader.from_batches(TABLE.schema, batches()), TOK)
    assert (read, reader.schema.names) == ([], ["n", "text", "input_ids"])
    assert reader.read_next_batch()["input_ids"].to_pylist() == IDS
    assert read == [0]
    assert reader.read_all()["input_ids"].to_pylist() == IDS * 2
    assert corpus.arrow_batches(TABLE, TOK).read_all().equals(corpus.RayBatches(TOK)(TABLE), check_metadata=True)
    assert corpus.arrow_batches(TABLE.slice(0, 0), TOK).read_all().num_rows == 0


def test_mistakes():
    add = corpus.RayBatches(TOK)
    with pytest.raises(InputTypeError, match=r"a dict, not Arrow data.*batch_format='pyarrow'.*with_format\('arrow'\)"):
        add({"text": TEXTS})
    with pytest.raises(OptionsError, match="'m'.*no such column"):
        corpus.datasets_batch(TOK, keep=["n", "m"])(TABLE)
    with pytest.raises(InputTypeError, match="body"):
        corpus.RayBatches(TOK, "body")(TABLE)
    with pytest.raises(InputTypeError, match="int64"):
        corpus.RayBatches(TOK, "n")(TABLE)
    for call in (lambda: corpus.RayBatches(TOK, into="n")(TABLE), lambda: corpus.arrow_batches(TABLE, TOK, into="n")):
        with pytest.raises(OptionsError, match=r"into='n'.*another name"):
            call()
    for make in (corpus.RayBatches, corpus.spark_batches, corpus.datasets_batch):
        with pytest.raises(UnknownNameError):
            make("no-such-vocab")
        for name, wrong in (("special", "txt"), ("threads", 0)):
            with pytest.raises(OptionsError, match=f"{name}={wrong!r}"):
                make(TOK, **{name: wrong})
    with pytest.raises(InputTypeError, match="into=3: give the name"):
        corpus.RayBatches(TOK, into=3)(TABLE)
    with pytest.raises(InputTypeError, match="keep='n': give a list of names"):
        corpus.datasets_batch(TOK, keep="n")
    for wrong in ([1], TABLE["text"]):
        with pytest.raises(InputTypeError, match=f"with columns, such as a table.*not {type(wrong).__name__}: "):
            corpus.arrow_batches(wrong, TOK)
