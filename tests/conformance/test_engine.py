"""Every scanner x encoder x cache x SIMD level gives the ids of the Python engine."""

import os
import pathlib
import random
import subprocess
import sys

import every_combination
import pytest

import wordsplit
from wordsplit import _native
from wordsplit.engine.native import NativeEngine

SCRIPT = pathlib.Path(every_combination.__file__)
SCANNERS = set(wordsplit.list_spanners()) - set(wordsplit.spanners.OF_PATTERN)


@pytest.mark.full
@pytest.mark.parametrize("level", _native.simd_levels())
def test_every_combination(level):
    env = os.environ | {"WORDSPLIT_SIMD": level}
    done = subprocess.run([sys.executable, SCRIPT], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    rows = [line.split() for line in done.stdout.splitlines()]
    assert {row[0] for row in rows} == SCANNERS
    for _, *counts, _ in rows:
        assert len(counts) == len(every_combination.ENCODERS)
        assert min(map(int, counts)) > 0, rows  # backtracking as well, which refuses some of the vocabs


def test_one_wrong_id_is_found(monkeypatch):
    right = NativeEngine.encode_batch

    def wrong(self, texts, as_text, threads):
        ids = right(self, texts, as_text, threads)
        at = max(range(len(texts)), key=lambda i: len(texts[i]))
        if self.options.cache_bytes == 3000 and self.options.encoder == "tail_sweep":
            ids[at][-1] += 1
        return ids

    monkeypatch.setattr(NativeEngine, "encode_batch", wrong)
    with pytest.raises(AssertionError, match="gpt2, tail_sweep, cache_bytes=3000"):
        every_combination.check("gpt2", every_combination.scanners()["gpt2"])


@pytest.mark.parametrize("cache_bytes", [5000, 20_000, 80_000, 16 << 20])
def test_spans_that_differ_in_length_alone(cache_bytes):
    """Runs of one letter, asked for again and again: what is kept of one must not be found for another."""
    vocab = wordsplit.load_vocab("r50k_base")
    tok = wordsplit.TokenizerOptions(cache_bytes=cache_bytes).build(vocab)
    python = wordsplit.TokenizerOptions(engine="python").build(vocab)
    runs = [letter * n for letter in "aAh-=.*_#" for n in range(1, 60)]
    wanted = dict(zip(runs, python.encode_batch(runs), strict=True))
    choose = random.Random(1)
    for _ in range(40):
        texts = choose.choices(runs, k=500)
        assert tok.encode_batch(texts, threads=1) == [wanted[text] for text in texts]
        mixed = "".join(f"{text}\n" for text in texts)
        assert tok.encode(mixed) == [i for text in texts for i in (*wanted[text], 198)]
