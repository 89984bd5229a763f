"""Ray really runs the units: the same bytes as on one machine, also when its workers are killed."""

import pytest
from corpus.written import tree
from corpus_clients.killing import check_runs_with_kills

from wordsplit import CorpusError, corpus

ray = pytest.importorskip("ray")
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("ray_cluster")]  # warnings of Ray's own


@pytest.mark.parametrize("workers", [None, 1, 4])
def test_the_same_bytes(inputs, whole, settings, tmp_path, workers):
    states = []
    report = corpus.encode(
        inputs, tmp_path / "out", engine="ray", workers=workers, **settings | {"progress": states.append}
    )
    assert tree(tmp_path / "out") == whole
    assert report.run["engine"] == "ray"
    assert states[-1].units_done == states[-1].units
    assert states[-1].done == states[-1].total


def test_errors_are_those_of_the_worker(inputs, settings, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"text": "a"}\n{"text": 1}\n')
    with pytest.raises(CorpusError, match=r"bad\.jsonl: line 2, column 'text': a text must be a string"):
        corpus.encode([*inputs, bad], tmp_path / "out", engine="ray", **settings)


def test_a_run_is_continued_by_another_engine(inputs, whole, settings, tmp_path):
    corpus.encode(inputs, tmp_path / "out", engine="ray", **settings)
    for unit in (1, 4, 5):
        (tmp_path / f"out/records/{unit:06d}.json").unlink()
    (tmp_path / "out/_SUCCESS").unlink()
    corpus.encode(inputs, tmp_path / "out", engine="local", **settings)
    assert tree(tmp_path / "out") == whole


def test_workers_that_are_killed(inputs, whole, settings, tmp_path):
    check_runs_with_kills("ray", "ray::_encode", ray.exceptions.RayError, inputs, whole, tmp_path, **settings)
