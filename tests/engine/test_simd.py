"""The SIMD level, and the environment variable that chooses it."""

import sys
from typing import get_args

import pytest

import wordsplit
from wordsplit import _native
from wordsplit.engine.simd import SimdLevel

TEXT = "The na\u00efve caf\u00e9 of \u4e2d\u6587, \U0001f600 and 12345 it's\n\n  " * 40


@pytest.fixture
def only_avx2(monkeypatch):
    monkeypatch.setattr(_native, "simd_levels", lambda: ["scalar", "avx2"])


def test_the_fastest_level_is_the_default(monkeypatch):
    monkeypatch.delenv("WORDSPLIT_SIMD", raising=False)
    assert wordsplit.simd_level() == _native.simd_levels()[-1]
    assert set(_native.simd_levels()) <= set(get_args(SimdLevel))
    assert _native.simd_levels()[0] == "scalar"


@pytest.mark.parametrize("level", _native.simd_levels())
def test_every_level_of_the_machine_gives_the_same_ids(monkeypatch, level):
    wanted = wordsplit.TokenizerOptions(engine="python").build(wordsplit.load_vocab("qwen3")).encode(TEXT)
    monkeypatch.setenv("WORDSPLIT_SIMD", level)
    assert wordsplit.simd_level() == level
    assert wordsplit.load_tokenizer("qwen3").encode(TEXT) == wanted


@pytest.mark.parametrize("value", ["", "best"])
def test_no_choice(monkeypatch, only_avx2, value):
    monkeypatch.setenv("WORDSPLIT_SIMD", value)
    assert wordsplit.simd_level() == "avx2"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("sse9", "WORDSPLIT_SIMD='sse9': use one of 'best', 'avx512', 'avx2', 'neon', 'scalar'$"),
        ("neon", "WORDSPLIT_SIMD='neon': this machine has only 'avx2', 'scalar'$"),
        ("avx512", "WORDSPLIT_SIMD='avx512': this machine has only 'avx2', 'scalar'$"),
    ],
)
def test_a_level_that_cannot_be_used(monkeypatch, only_avx2, value, message):
    monkeypatch.setenv("WORDSPLIT_SIMD", value)
    with pytest.raises(wordsplit.OptionsError, match=message):
        wordsplit.simd_level()
    with pytest.raises(wordsplit.OptionsError, match=message):
        wordsplit.load_tokenizer("r50k_base")


def test_a_build_without_native_code(monkeypatch):
    monkeypatch.delenv("WORDSPLIT_SIMD", raising=False)
    monkeypatch.setitem(sys.modules, "wordsplit._native", None)
    monkeypatch.delattr(wordsplit, "_native")
    assert wordsplit.simd_level() == "scalar"
