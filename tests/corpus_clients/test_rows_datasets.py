"""datasets adds a column of ids: on one machine, in several processes, and to a stream."""

import subprocess
import sys

import pytest
from corpus_clients.texts import TEXTS, TOK, ids

from wordsplit import corpus

datasets = pytest.importorskip("datasets")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the forks of datasets


@pytest.fixture
def dataset():
    datasets.disable_progress_bars()
    features = datasets.Features({"text": datasets.Value("string")})
    return datasets.Dataset.from_dict({"text": TEXTS}, features=features).with_format("arrow")


@pytest.mark.parametrize("special", ["text", "parse"])
def test_ids(dataset, special):
    found = dataset.map(corpus.datasets_batch(TOK, special=special), batched=True, batch_size=37)
    assert found.features["input_ids"] == datasets.List(datasets.Value("uint32"))
    assert found.with_format(None)["input_ids"][:] == ids(special)


def test_processes(dataset):
    add_ids = corpus.datasets_batch(TOK, keep=[], threads=1)
    found = dataset.map(add_ids, batched=True, batch_size=37, num_proc=2)
    assert found.column_names == ["input_ids"]
    assert found.with_format(None)["input_ids"][:] == ids()


def test_streams(dataset):
    stream = dataset.to_iterable_dataset(num_shards=3).with_format("arrow")
    found = stream.map(corpus.datasets_batch(TOK), batched=True, batch_size=37).with_format(None)
    assert [row["input_ids"] for row in found] == ids()


def test_the_cache_knows_the_function_again():
    """The files that `map` has written are found by another process, too."""
    code = (
        "from datasets.fingerprint import Hasher; from wordsplit import corpus; "
        "print(*(Hasher.hash(corpus.datasets_batch('qwen3', special=s)) for s in ('text', 'text', 'parse')))"
    )
    found = [subprocess.check_output([sys.executable, "-c", code], text=True).split() for _ in range(2)]
    assert found[0] == found[1]
    assert found[0][0] == found[0][1] != found[0][2]
