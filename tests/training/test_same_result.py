"""The result depends on the texts and the arguments alone."""

import gzip
import json
import random

import pyarrow as pa
import pytest
from pyarrow import parquet
from training.corpora import corpora

from wordsplit.training import BpeTrainer

SETTINGS = [
    {"pattern": "gpt2"},
    {"pattern": "qwen2", "normalizer": "nfc", "special_tokens": ["ab", "\n\n"]},
    {"pattern": r"\w+|\s|[^\w\s]+", "tie_break": "lexicographic", "count": "spans"},
]
TEXTS = [text for texts in corpora(200, seed=11) for text in texts] + ["e\u0301 und der längste Satz " * 400]


def outcome(trainer):
    """Everything that may depend on how the texts came."""
    vocab = trainer.train(progress=False)
    sizes = trainer.n_texts, trainer.n_bytes, trainer.n_spans, trainer.n_distinct
    return vocab.fingerprint, trainer.merges, sizes


@pytest.fixture(params=SETTINGS, ids=["scanner", "engine", "regex"])
def settings(request):
    return request.param


@pytest.fixture
def want(settings):
    return outcome(BpeTrainer(500, **settings, threads=1).update(TEXTS))


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads(settings, want, threads):
    assert outcome(BpeTrainer(500, **settings, threads=threads).update(TEXTS)) == want


def test_order_and_calls(settings, want):
    rng = random.Random(1)
    for _ in range(3):
        shuffled = rng.sample(TEXTS, len(TEXTS))
        trainer = BpeTrainer(500, **settings)
        while shuffled:
            at = rng.randint(1, 100)
            trainer.update(iter(shuffled[:at]))
            del shuffled[:at]
        assert outcome(trainer) == want


def test_bytes_are_as_good_as_texts(settings, want):
    assert outcome(BpeTrainer(500, **settings).update(text.encode() for text in TEXTS)) == want


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz", "x.parquet"])
def test_files(settings, want, tmp_path, name):
    parts = [TEXTS[:50], TEXTS[50:]]
    paths = [tmp_path / f"{at}-{name}" for at in range(2)]
    for path, part in zip(paths, parts, strict=True):
        if path.suffix == ".parquet":
            parquet.write_table(pa.table({"text": part}), path)
        else:
            lines = "".join(json.dumps({"text": text}) + "\n" for text in part).encode()
            path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)
    assert outcome(BpeTrainer(500, **settings).update_files(paths)) == want
    assert outcome(BpeTrainer(500, **settings).update_files(paths[1]).update_files(paths[0])) == want


def test_a_file_of_text_is_one_text(settings, tmp_path):
    whole = "\n".join(TEXTS) * 3
    (tmp_path / "x.txt").write_bytes(whole.encode())
    want = outcome(BpeTrainer(500, **settings, threads=1).update([whole]))
    assert want[2][0] == 1
    assert outcome(BpeTrainer(500, **settings).update_files(tmp_path / "x.txt")) == want
