"""polars adds a column of ids, on frames and lazily."""

import pytest
from corpus_clients.texts import TEXTS, TOK, ids

from wordsplit import corpus

pl = pytest.importorskip("polars")


@pytest.mark.parametrize("special", ["text", "parse"])
def test_ids(special):
    frame = pl.DataFrame({"n": range(len(TEXTS)), "text": TEXTS})
    found = frame.with_columns(corpus.polars_ids(TOK, special=special))
    assert found.schema == {"n": pl.Int64, "text": pl.String, "input_ids": pl.List(pl.UInt32)}
    assert found["input_ids"].to_list() == ids(special)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_lazy_frames(engine, tmp_path):
    pl.DataFrame({"text": TEXTS * 20}).write_parquet(tmp_path / "texts.parquet", row_group_size=500)
    lazy = pl.scan_parquet(tmp_path / "texts.parquet").select(corpus.polars_ids(TOK, into="ids"))
    assert lazy.collect_schema() == {"ids": pl.List(pl.UInt32)}
    assert lazy.collect(engine=engine)["ids"].to_list() == ids() * 20
    lazy.sink_parquet(tmp_path / "ids.parquet")
    assert pl.read_parquet(tmp_path / "ids.parquet")["ids"].to_list() == ids() * 20


def test_expressions():
    frame = pl.DataFrame({"doc": [{"body": text} for text in TEXTS]})
    found = frame.select(corpus.polars_ids(TOK, pl.col("doc").struct.field("body"), "ids"))
    assert found["ids"].to_list() == ids()


@pytest.mark.parametrize("dtype", [pl.String, pl.Null, pl.Categorical])
def test_no_texts(dtype):
    for count in (0, 2):
        frame = pl.DataFrame({"text": pl.Series([None] * count, dtype=dtype)})
        found = frame.select(corpus.polars_ids(TOK))["input_ids"]
        assert (found.dtype, found.to_list()) == (pl.List(pl.UInt32), [None] * count)
