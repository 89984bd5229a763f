"""Every scanner x encoder x cache x SIMD level gives the ids of the Python engine."""

import os
import pathlib
import subprocess
import sys

import every_combination
import pytest

import wordsplit
from wordsplit.engine.native import NativeEngine

SCRIPT = pathlib.Path(every_combination.__file__)
SCANNERS = set(wordsplit.list_spanners()) - {"regex"}


@pytest.mark.parametrize("level", ["scalar", "avx2", "best"])
def test_every_combination(level):
    env = os.environ | {"WORDSPLIT_SIMD": level}
    done = subprocess.run([sys.executable, SCRIPT], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    rows = [line.split() for line in done.stdout.splitlines()]
    assert {row[0] for row in rows} == SCANNERS
    for _, *counts, _ in rows:
        assert len(counts) == len(every_combination.ENCODERS)
        assert min(map(int, counts)) > 0, rows  # backtracking as well, which refuses some of the vocabs


def test_a_level_that_is_none(monkeypatch):
    monkeypatch.setenv("WORDSPLIT_SIMD", "sse9")
    with pytest.raises(wordsplit.OptionsError, match="'best', 'avx512', 'avx2', 'scalar'"):
        wordsplit.load_tokenizer("r50k_base")


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
