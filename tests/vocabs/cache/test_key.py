"""The key of a compiled vocab covers every source that decides its content."""

import os
import sys
from pathlib import Path

import pytest
from import_graph import FILES, reached_from
from vocabs.cache.conftest import IDS, ids

import wordsplit
from wordsplit.vocabs.cache import key
from wordsplit.vocabs.cache.untrusted_files import entries

# What reads a vocab, and what lays its tables out.
ROOTS = [name for name in FILES if name.startswith(("wordsplit.vocabs.formats", "wordsplit.vocabs.cache"))]
ROOTS += ["wordsplit.vocabs.resolve", "wordsplit.vocabs.catalog", "wordsplit.vocabs.bundled"]


def covered():
    return {Path(key.PACKAGE + path) for path, _, _ in key._sources(key.PACKAGE)}


def test_every_module_that_they_import_is_covered():
    above = {name for name in reached_from(ROOTS) if name.split(".")[1:2] in [[folder] for folder in key.ABOVE]}
    assert not above
    names = {path.relative_to(key.PACKAGE) for path in covered()}
    missing = [name for name in reached_from(ROOTS) if FILES[name].relative_to(FILES["wordsplit"].parent) not in names]
    assert not missing


def test_the_data_is_covered():
    names = {path.name for path in covered()}
    data = FILES["wordsplit"].parent / "vocabs" / "data"
    assert {path.name for path in data.iterdir() if path.is_file()} <= names


@pytest.mark.parametrize("name", ["merges.py", "vocabs/formats/tiktoken.py", "vocabs/data/catalog.json"])
def test_a_change_of_a_source_changes_the_key(tmp_path, monkeypatch, name):
    for path in ("merges.py", "vocabs/formats/tiktoken.py", "vocabs/data/catalog.json", "cli/encode.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("1")
    monkeypatch.setattr(key, "PACKAGE", str(tmp_path))
    before = key.build_id.__wrapped__()
    assert key.build_id.__wrapped__() == before
    os.utime(tmp_path / "cli/encode.py", ns=(1, 1))  # a layer above
    assert key.build_id.__wrapped__() == before
    os.utime(tmp_path / name, ns=(1, 1))
    assert key.build_id.__wrapped__() != before


def test_versions_whose_files_have_the_same_sizes_and_times(monkeypatch):
    """Nix and images that can be reproduced give every file the same time."""
    before = key.build_id.__wrapped__()
    monkeypatch.setattr("wordsplit.__version__", "0.1.999")
    assert key.build_id.__wrapped__() != before


def test_a_program_of_one_file_has_the_same_key_in_each_run(tmp_path, monkeypatch):
    """PyInstaller's unpack the data to another folder, with other times, in each run, and have the modules inside."""
    program = tmp_path / "program"
    program.write_bytes(b"1")
    found = set()
    for run in ("_MEI1", "_MEI2"):
        package = tmp_path / run / "wordsplit"
        (package / "vocabs").mkdir(parents=True)
        (package / "vocabs" / "catalog.json").write_text(run)
        monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / run), raising=False)
        monkeypatch.setattr(sys, "executable", str(program))
        monkeypatch.setattr(key, "PACKAGE", str(package))
        found.add(key.build_id.__wrapped__())
    assert len(found) == 1
    program.write_bytes(b"12")
    assert key.build_id.__wrapped__() not in found


def test_a_frozen_module_is_covered(tmp_path, monkeypatch):
    (tmp_path / "merges.pyc").write_bytes(b"1")
    monkeypatch.setattr(key, "PACKAGE", str(tmp_path))
    before = key.build_id.__wrapped__()
    os.utime(tmp_path / "merges.pyc", ns=(1, 1))
    assert key.build_id.__wrapped__() != before


@pytest.mark.parametrize(("folder", "stored"), [("_MEI123", 0), ("_internal", 1)])
def test_a_file_that_was_unpacked_for_one_run_is_not_stored(tmp_path, path, monkeypatch, folder, stored):
    file = tmp_path / folder / "data" / "tokenizer.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(path.read_bytes())
    key.build_id()  # kept: that of the other tests
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / folder), raising=False)
    assert ids(wordsplit.load_vocab(file)) == IDS
    assert len(entries(tmp_path / "cache" / "compiled")) == stored
