"""Ray Data adds a column of ids in its workers."""

import pyarrow as pa
import pytest
from corpus_clients.texts import TEXTS, TOK, ids

from wordsplit import corpus

ray = pytest.importorskip("ray")
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("ray_cluster")]  # warnings of Ray's own


def encoded(dataset, *args, **options):
    dataset = dataset.map_batches(
        corpus.RayBatches,
        fn_constructor_args=args,
        fn_constructor_kwargs=options,
        batch_format="pyarrow",
        batch_size=50,
        compute=ray.data.ActorPoolStrategy(size=2),
    )
    rows = dataset.take_all()
    return [list(row["input_ids"]) if row["input_ids"] is not None else None for row in sorted(rows, key=by_number)]


def by_number(row):
    return row["n"]


@pytest.fixture
def dataset():
    table = pa.table({"n": range(len(TEXTS)), "text": pa.array(TEXTS, pa.string())})
    return ray.data.from_arrow([table.slice(at, 60) for at in range(0, len(TEXTS), 60)])


def test_ids(dataset):
    assert encoded(dataset, TOK) == ids()


def test_options_and_a_vocab_by_name(dataset):
    assert encoded(dataset, "qwen3", special="parse", arrow_type="large_list<int32>") == ids("parse")


def test_a_vocab_of_the_user(dataset, tmp_path):
    """By value: workers see no file."""
    import wordsplit

    path = tmp_path / "tokenizer.json"
    TOK.vocab.save_tokenizer_json(path)
    own = wordsplit.load_tokenizer(path)
    path.unlink()
    assert encoded(dataset, own) == ids()


def test_the_wrong_format_of_batches(dataset):
    workers = ray.data.ActorPoolStrategy(size=1)
    with pytest.raises(ray.exceptions.RayError, match="batch_format='pyarrow'"):
        dataset.map_batches(corpus.RayBatches, fn_constructor_args=("qwen3",), compute=workers).take_all()
