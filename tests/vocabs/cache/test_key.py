"""The key of a compiled vocab covers every source that decides its content."""

import os
from pathlib import Path

import pytest
from import_graph import FILES, reached_from

from wordsplit.vocabs.cache import key

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
