"""The bundled vocabularies: sizes, sources, and that their merges are what they promise to be."""

import hashlib
import zlib
from array import array

import pytest
from depth import by_depth

import wordsplit
from wordsplit.vocabs import catalog
from wordsplit.vocabs.bundled import read_data, unpack_in_python

NAMES = ["qwen3", "r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony"]


def test_together_they_are_small():
    files = {catalog._table()[name]["file"] for name in NAMES} | {"catalog.json"}
    assert sum(len(read_data(file)) for file in files) < 2_200_000


@pytest.mark.parametrize("name", NAMES)
def test_official_files_have_the_recorded_sha256(name, shared):
    for source in catalog.find(name).sources:
        data = (shared / "vocabs" / source["path"]).read_bytes()
        assert (hashlib.sha256(data).hexdigest(), len(data)) == (source["sha256"], source["size"])


@pytest.mark.parametrize("name", NAMES)
def test_native_and_python_unpack_alike(name):
    native = pytest.importorskip("wordsplit._native")
    data = zlib.decompress(read_data(catalog._table()[name]["file"]))
    blob, ends, flat = unpack_in_python(data)
    assert native.unpack_bundled(data) == (blob, ends.tobytes(), flat.tobytes())


@pytest.mark.parametrize("name", NAMES[:: by_depth(7, 1, 1)])
def test_the_merges_are_live(name):
    """The search that the promise saves finds the same: one merge a token, and it the last of its encoding."""
    native = pytest.importorskip("wordsplit._native")
    vocab = wordsplit.load_vocab(name)
    made = {}
    for left, right in vocab.merges:
        made[vocab.tokens[left] + vocab.tokens[right]] = (left, right)
    assert len(made) == len(vocab.merges) == vocab.n_base - 256
    table = vocab.tokens
    searched = native.VocabTables(table.blob, table.ends, table.ids, vocab.merges.flat, array("I"))
    assert searched.supports_backtracking
    for token_id in table:
        assert searched.made_by(token_id) == vocab.native_tables.made_by(token_id)


def test_an_index_out_of_place_is_refused():
    native = pytest.importorskip("wordsplit._native")
    for data in (b"", bytes(257), bytes(256) + b"\xff" * 6):
        with pytest.raises(ValueError, match="bundled"):
            native.unpack_bundled(data)
