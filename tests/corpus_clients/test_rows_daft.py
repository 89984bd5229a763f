"""Daft adds a column of ids."""

import pytest
from corpus_clients.texts import TEXTS, TOK, ids

from wordsplit import corpus

daft = pytest.importorskip("daft")
pytestmark = pytest.mark.filterwarnings("ignore")  # of Daft's own


@pytest.mark.parametrize("special", ["text", "parse"])
def test_ids(special):
    frame = daft.from_pydict({"text": TEXTS}).with_column("ids", corpus.daft_ids(TOK, special=special)).collect()
    assert frame.schema()["ids"].dtype == daft.DataType.list(daft.DataType.uint32())
    assert frame.to_pydict()["ids"] == ids(special)


def test_partitions_of_files(tmp_path):
    daft.from_pydict({"n": list(range(len(TEXTS))), "text": TEXTS}).into_partitions(4).write_parquet(str(tmp_path))
    frame = daft.read_parquet(f"{tmp_path}/*.parquet").with_columns({"ids": corpus.daft_ids(TOK)}).sort("n")
    assert frame.to_pydict()["ids"] == ids()


def test_expressions_and_no_rows():
    frame = daft.from_pydict({"text": ["hello", "world"]})
    assert frame.select(corpus.daft_ids(TOK, daft.col("text").upper(), "ids")).to_pydict() == {
        "ids": ids(texts=["HELLO", "WORLD"])
    }
    assert frame.where(daft.col("text") == "").select(corpus.daft_ids(TOK)).to_pydict() == {"input_ids": []}
