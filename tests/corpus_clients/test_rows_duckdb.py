"""DuckDB encodes in SQL, and its results are encoded as a stream."""

import pyarrow as pa
import pytest
from corpus_clients.texts import TEXTS, TOK, ids

from wordsplit import corpus

duckdb = pytest.importorskip("duckdb")
MANY = TEXTS * 30  # several of DuckDB's vectors of 2,048 rows


@pytest.fixture
def connection():
    texts = pa.table({"n": range(len(MANY)), "text": pa.array(MANY, pa.string())})
    with duckdb.connect() as found:
        found.register("arrow_texts", texts)
        found.execute("CREATE TABLE texts AS SELECT * FROM arrow_texts")
        yield found


@pytest.mark.parametrize("special", ["text", "parse"])
def test_sql(connection, special):
    corpus.duckdb_function(connection, TOK, special=special)
    found = connection.sql("SELECT token_ids(text) AS ids FROM texts ORDER BY n")
    assert [str(dtype) for dtype in found.types] == ["UINTEGER[]"]
    assert [row for (row,) in found.fetchall()] == ids(special, MANY)


def test_sql_with_conditions_and_constants(connection):
    corpus.duckdb_function(connection, TOK, "ids")
    assert connection.sql("SELECT ids('hello world'), ids(NULL), ids('')").fetchall() == [([14990, 1879], None, [])]
    found = connection.sql("SELECT text, ids(text) FROM texts WHERE n % 7 = 3 AND len(ids(text)) > 2").fetchall()
    expected = zip(MANY[3::7], ids(texts=MANY[3::7]), strict=True)
    assert found == [(text, row) for text, row in expected if row is not None and len(row) > 2]
    assert connection.sql("SELECT ids(text) FROM texts WHERE n < 0").fetchall() == []


def test_relations(connection):
    found = corpus.arrow_batches(connection.sql("SELECT * FROM texts ORDER BY n"), TOK)
    assert isinstance(found, pa.RecordBatchReader)
    assert found.read_all()["input_ids"].to_pylist() == ids(texts=MANY)


def test_streams_go_back_into_sql(connection):
    encoded = corpus.arrow_batches(connection.sql("SELECT * FROM texts"), TOK)
    with duckdb.connect() as other:
        other.register("encoded", encoded)
        ((total,),) = other.sql("SELECT sum(len(input_ids)) FROM encoded").fetchall()
    assert total == sum(len(row) for row in ids(texts=MANY) if row is not None)
