"""The table of schemes, the patterns in C++ that are generated from it, and the spanners made of it."""

import subprocess
import sys
from pathlib import Path

import pytest

import wordsplit
from wordsplit import _native, spanners
from wordsplit.patterns.schemes import TABLE

ROOT = Path(__file__).resolve().parents[2]
SCANNERS = [name for name, row in TABLE.items() if row.scanner == name]


def test_the_patterns_in_cpp_are_up_to_date():
    subprocess.run([sys.executable, ROOT / "tools/generate_patterns.py", "--check"], check=True)


def test_each_scanner_is_a_row_of_both_tables():
    assert sorted(_native.scheme_names()) == sorted(SCANNERS)
    assert {row.scanner for row in TABLE.values()} == {*SCANNERS, None}
    assert set(SCANNERS) < set(spanners.names())


@pytest.mark.parametrize("name", TABLE)
def test_a_scheme_of_a_scanner_is_found_in_all_spellings(name):
    row = TABLE[name]
    for steps in (row.steps, *row.also):
        vocab = wordsplit.Vocab(name="x", tokens={0: b"a"}, pre_tokenizer=steps)
        assert spanners.scanner_of(vocab) == row.scanner


@pytest.mark.parametrize("name", SCANNERS)
def test_a_scanner_has_the_name_of_its_scheme(name):
    vocab = wordsplit.Vocab(name="x", tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=TABLE[name].steps)
    assert wordsplit.load_tokenizer(vocab).options.spanner == name
    assert wordsplit.load_tokenizer(vocab, spanner=name).spans("a  1b\n") == wordsplit.load_tokenizer(
        vocab, spanner="regex"
    ).spans("a  1b\n")
    assert (ROOT / f"native/include/wordsplit/scanners/{name}.hpp").exists()  # as its docstring says


def test_cl100k_is_the_scanner_of_cl100k_base():
    tok = wordsplit.load_tokenizer("cl100k_base", spanner="cl100k")
    assert tok.options.spanner == "cl100k"
    assert tok.encode("hello world") == [15339, 1917]
    assert tok.spans("a \n ") == ["a", " \n "]  # white space at the end is one span, unlike Llama 3's
    with pytest.raises(wordsplit.UnsupportedVocabError, match="'llama3'"):
        wordsplit.load_tokenizer("cl100k_base", spanner="llama3")
