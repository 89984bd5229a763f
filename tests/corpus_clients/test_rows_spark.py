"""Spark adds a column of ids in its Python workers."""

import os
import shutil

import pytest
from corpus_clients.texts import TEXTS, TOK, ids

from wordsplit import OptionsError, corpus

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)
pytestmark = pytest.mark.filterwarnings("ignore")  # of Spark's own


@pytest.fixture
def frame(spark_session):
    rows = spark_session.sparkContext.parallelize(list(enumerate(TEXTS)), 8)
    return spark_session.createDataFrame(rows, "n long, text string")


@pytest.mark.parametrize("special", ["text", "parse"])
def test_ids(frame, special):
    schema = corpus.spark_schema(frame, "ids")
    found = frame.mapInArrow(corpus.spark_batches(TOK, into="ids", special=special), schema)
    assert found.schema == schema
    assert found.schema["ids"].dataType.simpleString() == "array<int>"
    assert [(row.text, row.ids) for row in found.orderBy("n").collect()] == list(zip(TEXTS, ids(special), strict=True))


def test_files(frame, tmp_path):
    from pyarrow import parquet

    add_ids = corpus.spark_batches(TOK)
    frame.mapInArrow(add_ids, corpus.spark_schema(frame)).write.parquet(str(tmp_path / "out"))
    found = parquet.read_table(tmp_path / "out").sort_by("n")
    assert found["input_ids"].to_pylist() == ids()


def test_no_rows(frame):
    none = frame.where("n < 0")
    assert none.mapInArrow(corpus.spark_batches(TOK), corpus.spark_schema(none)).collect() == []


def test_the_tokenizer_is_built_once_in_each_worker(frame):
    add_ids = corpus.spark_batches(TOK)

    def built(batches):
        import pyarrow as pa

        from wordsplit.corpus import rows

        for _ in add_ids(batches):
            pass
        found = rows._unpickled.cache_info()
        yield pa.RecordBatch.from_pydict({"pid": [os.getpid()], "hits": [found.hits], "misses": [found.misses]})

    for _ in range(2):
        found = frame.mapInArrow(built, "pid long, hits long, misses long").collect()
        assert len(found) == 8
        assert {row.misses for row in found} == {1}
    assert max(row.hits for row in found) >= 2  # or each task would have had a process of its own


def test_a_name_that_is_taken(frame):
    with pytest.raises(OptionsError, match="into='n'"):
        corpus.spark_schema(frame, "n")
