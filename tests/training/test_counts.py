"""Counts: added up, saved, resumed, spilled to disk, and bounded."""

from __future__ import annotations

import gzip
import json
import pickle
import random
import subprocess
import sys
import tempfile

import pytest

from wordsplit import OptionsError, TrainingWarning, VocabFormatError
from wordsplit.training import BpeTrainer

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "then", "it", "saw", "another", "cat", "with", "a", "hat"]
TEXTS = [" ".join(random.Random(seed).choices(WORDS, k=30)) for seed in range(60)]


def files(folder):
    (folder / "a.txt").write_text("\n".join(TEXTS[:20]), encoding="utf-8")
    (folder / "b.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in TEXTS[20:40]), encoding="utf-8")
    with gzip.open(folder / "c.txt.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(TEXTS[40:]))
    return [folder / name for name in ("a.txt", "b.jsonl", "c.txt.gz")]


def result(trainer):
    return trainer.train(), trainer.merges, trainer.n_texts, trainer.n_bytes, trainer.n_spans, trainer.n_distinct


def test_sum():
    a, b = BpeTrainer(400).update(TEXTS[:25]), BpeTrainer(500).update(TEXTS[25:])
    whole = BpeTrainer(400).update(TEXTS)
    assert result(a + b) == result(whole)
    assert result((a + b) + BpeTrainer(300)) == result(whole)
    assert result(a) == result(BpeTrainer(400).update(TEXTS[:25]))  # as it was


def test_counts_made_in_other_processes():
    a, b = (pickle.loads(pickle.dumps(BpeTrainer(400).update(texts))) for texts in (TEXTS[:25], TEXTS[25:]))  # noqa: S301 - our own
    assert result(a + b) == result(BpeTrainer(400).update(TEXTS))
    assert result(pickle.loads(pickle.dumps(BpeTrainer(400)))) == result(BpeTrainer(400))  # noqa: S301 - as above


def test_frequencies_beyond_32_bits(tmp_path):
    trainer, path = BpeTrainer(258).update(["ab ab"]), tmp_path / "a.counts"
    for _ in range(40):
        (trainer + trainer).save_counts(path)
        trainer = BpeTrainer.from_counts(path)
    trainer.train()
    assert [merge.frequency for merge in trainer.merges] == [2**41, 2**40]
    assert trainer.n_spans == 2**41


def test_sums_of_other_spans_are_refused():
    for other in ({"pattern": "gpt2"}, {"normalizer": "nfc"}, {"special_tokens": ["<|x|>"]}):
        with pytest.raises(OptionsError, match="counts were made with a different"):
            BpeTrainer(300) + BpeTrainer(300, **other)
    with pytest.raises(TypeError):
        BpeTrainer(300) + 1


def test_files(tmp_path):
    paths = files(tmp_path)
    texts = ["\n".join(TEXTS[:20]), *TEXTS[20:40], "\n".join(TEXTS[40:])]
    assert result(BpeTrainer(400).update_files(paths)) == result(BpeTrainer(400).update(texts))
    assert result(BpeTrainer(400).update_files(paths[0])) == result(BpeTrainer(400).update(texts[:1]))


def test_save_and_go_on(tmp_path):
    first, second = tmp_path / "first.counts", tmp_path / "second.counts"
    BpeTrainer(400).update(TEXTS[:25]).save_counts(first)
    trainer = BpeTrainer.from_counts(first).update(TEXTS[25:])
    whole = BpeTrainer(400).update(TEXTS)
    assert result(trainer) == result(whole)
    trainer.save_counts(first)
    whole.save_counts(second)
    assert first.read_bytes() == second.read_bytes()
    fewer = BpeTrainer.from_counts(first, 270, min_frequency=9)
    assert fewer.train().n_vocab == 270
    assert min(merge.frequency for merge in fewer.merges) >= 9
    assert BpeTrainer.from_counts(first, count="spans", tie_break="lexicographic").train() != whole.train()


def test_saved_counts_cannot_change_their_spans(tmp_path):
    path = tmp_path / "a.counts"
    BpeTrainer(400).update(TEXTS).save_counts(path)
    with pytest.raises(OptionsError, match="special_tokens|added tokens"):
        BpeTrainer.from_counts(path, special_tokens=["<|x|>"])
    with pytest.raises(OptionsError, match="pattern= cannot be changed"):
        BpeTrainer.from_counts(path, pattern="gpt2")


def test_damaged_counts(tmp_path):
    path = tmp_path / "a.counts"
    BpeTrainer(400).update(TEXTS).save_counts(path)
    good = path.read_bytes()
    for at in [0, 5, 20, 30, len(good) // 2, len(good) - 1]:
        path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        with pytest.raises(VocabFormatError, match="a.counts"):
            BpeTrainer.from_counts(path)
        path.write_bytes(good[:at])
        with pytest.raises(VocabFormatError, match="a.counts"):
            BpeTrainer.from_counts(path)
    with pytest.raises(VocabFormatError, match="No such file"):
        BpeTrainer.from_counts(tmp_path / "none.counts")


@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_an_interruption_loses_and_doubles_nothing(tmp_path, monkeypatch, after):
    from wordsplit.training import batches

    monkeypatch.setattr(batches, "_CHARACTERS", 200)
    paths, saved = files(tmp_path), tmp_path / "saved.counts"
    trainer = BpeTrainer(400)
    seen = []

    def stop(event):
        seen.append(event)
        if len(seen) > 2 * after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trainer.update_files(paths, progress=stop)
    trainer.save_counts(saved)
    resumed = BpeTrainer.from_counts(saved)
    assert 0 < resumed.n_bytes < sum(map(len, TEXTS))
    resumed.update_files(paths, resume=True)
    assert result(resumed) == result(BpeTrainer(400).update_files(paths))
    spans = resumed.n_spans
    assert resumed.update_files(paths, resume=True).n_spans == spans
    assert resumed.update_files(paths).n_spans == 2 * spans


def test_spilled_counts_are_the_same(monkeypatch):
    texts = ["".join(random.Random(seed).choices("abcdefg ", k=300)) for seed in range(200)]
    whole = BpeTrainer(400).update(texts)
    spilled = BpeTrainer(400)
    spilled._counts._most = 0  # every batch goes to disk
    for text in texts:
        spilled.update([text])
    assert len(spilled._counts._runs) == 200
    assert result(spilled) == result(whole)


def test_too_many_spans_for_the_memory(monkeypatch):
    """The rarest are left out, and which is the same for any order."""
    from wordsplit.training import merging

    monkeypatch.setattr(merging, "_NEEDED", (16 << 20) // 2000)  # room for 2,000 bytes
    texts = [
        " ".join("".join(random.Random(seed + k).choices("abcdef", k=6)) for k in range(20)) for seed in range(300)
    ]
    results = []
    for order in (texts, texts[::-1]):
        trainer = BpeTrainer(400, memory_limit=16 << 20).update(order)
        with pytest.warns(
            TrainingWarning, match="rare spans, with counts of .* do not fit into memory_limit=16,777,216"
        ):
            results.append((trainer.train(), trainer.merges))
    assert results[0] == results[1]
    counts = {}
    for text in texts:
        for word in text.split(" "):
            counts[word] = counts.get(word, 0) + 1
    kept = sum(merge.frequency for merge in results[0][1] if len(merge.left + merge.right) > 6)
    assert 0 < kept < sum(counts.values())


RANDOM_SPANS = """
import random, resource, sys
from wordsplit.training import BpeTrainer
random.seed(1)
def texts():
    for _ in range(int(sys.argv[1])):
        yield random.randbytes(1 << 16).hex() .translate(str.maketrans("0123456789", "ghijklmnop"))
def words():
    for text in texts():
        yield " ".join(text[at : at + 8] for at in range(0, len(text), 8))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
trainer = BpeTrainer(400, memory_limit=64 << 20, threads=2).update(words())
import warnings
warnings.simplefilter("ignore")
vocab = trainer.train(progress=False)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10, vocab.n_vocab, trainer.n_distinct)
"""


def test_memory_is_bounded_whatever_the_input():
    """Random words, nearly all of them distinct: 64 MiB are enough for any number of them."""
    done = subprocess.run([sys.executable, "-c", RANDOM_SPANS, "160"], capture_output=True, text=True, check=True)
    megabytes, n_vocab, distinct = map(int, done.stdout.split())
    assert n_vocab == 400
    assert distinct > 2_000_000  # 60 bytes of memory for each in the tables, and more to merge them
    assert megabytes < 120  # the limit, the batches that are read ahead, and what Python takes


def test_a_temporary_file_that_cannot_be_written_names_its_folder(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    monkeypatch.setattr(tempfile, "tempdir", str(gone))
    trainer = BpeTrainer(300).update(TEXTS)
    with pytest.raises(FileNotFoundError, match="TMPDIR names another folder") as caught:
        trainer.save_counts(tmp_path / "a.counts")
    assert caught.value.filename == str(gone)
