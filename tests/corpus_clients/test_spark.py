"""Spark really runs the units: the same bytes as on one machine, also when its Python workers are killed."""

import shutil

import pytest
from corpus.written import tree
from corpus_clients.killing import check_runs_with_kills

from wordsplit import CorpusError, corpus

pyspark = pytest.importorskip("pyspark")
py4j = pytest.importorskip("py4j.protocol")
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("spark_session")]  # warnings of Spark's own

if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)


@pytest.mark.parametrize("workers", [None, 1, 4])
def test_the_same_bytes(inputs, whole, settings, tmp_path, workers):
    states = []
    report = corpus.encode(
        inputs, tmp_path / "out", engine="spark", workers=workers, **settings | {"progress": states.append}
    )
    assert tree(tmp_path / "out") == whole
    assert report.run["engine"] == "spark"
    assert states[-1].units_done == states[-1].units


def test_errors_are_those_of_the_worker(inputs, settings, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"text": "a"}\n{"text": 1}\n')
    with pytest.raises(CorpusError, match=r"bad\.jsonl: line 2, column 'text': a text must be a string"):
        corpus.encode([*inputs, bad], tmp_path / "out", engine="spark", **settings)


def test_workers_that_are_killed(inputs, whole, settings, tmp_path):
    gives_up = pyspark.errors.PySparkException, py4j.Py4JError
    check_runs_with_kills("spark", "pyspark.daemon", gives_up, inputs, whole, tmp_path, **settings)
