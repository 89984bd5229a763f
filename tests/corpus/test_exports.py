"""Exports, read by their documented layouts with numpy, pyarrow and the standard library.

tests/corpus_clients reads them with the libraries that they are for.
"""

import csv
import gzip
import hashlib
import json
import os
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

import wordsplit
from wordsplit import CorpusError, InputTypeError, InvalidTokenIdError, OptionsError, PluginError, UnknownNameError
from wordsplit.corpus import export, exports, from_ids
from wordsplit.corpus.exports import batches as batches_module

RANDOM = np.random.default_rng(11)
LENGTHS = [5, 0, 17, 0, 0, 3, 300, 1, 1, 9, 0, 25, 70_000, 4, 0]
NAMES = ["datatrove", "dolma", "lance", "litdata", "llm.c", "mds", "megatron", "npy", "parquet", "raw"]
WRITES = [name for name in NAMES if name != "lance"]  # which needs a package


class Made:
    """A corpus with its documents as lists."""

    def __init__(self, folder, name, largest, has_keys=True):
        self.texts = [RANDOM.integers(0, largest, length).tolist() for length in LENGTHS]
        self.texts[0][0] = largest
        self.flat = [i for text in self.texts for i in text]
        self.ends = np.cumsum(LENGTHS).tolist()
        self.keys = [f'é"{i},' for i in range(len(LENGTHS))] if has_keys else None
        vocab = wordsplit.load_vocab("r50k_base" if largest < 1 << 16 else "cl100k_base")
        self.corpus = from_ids(folder / "corpus", self.texts, keys=self.keys, format=name, vocab=vocab, shard_tokens=30)
        self.wide = largest >= 1 << 16
        self.unsigned = "<u4" if self.wide else "<u2"


@pytest.fixture(
    scope="module",
    params=["raw-narrow", "raw-wide", "megatron-narrow", "megatron-wide", "parquet-narrow", "raw-nokeys"],
)
def made(request, tmp_path_factory):
    name, kind = request.param.split("-")
    return Made(tmp_path_factory.mktemp("made"), name, 100_000 if kind == "wide" else 50_000, kind != "nokeys")


@pytest.fixture(scope="module", autouse=True)
def no_waiting():
    """Syncing files takes most of the time; `test_files_are_synced` tests it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(batches_module, "_IDS", 100)
    monkeypatch.setattr(batches_module, "_DOCUMENTS", 4)


def test_names():
    assert exports.names() == NAMES


def test_npy(made, tmp_path):
    files = export(made.corpus, tmp_path / "out", "npy")
    assert files == [tmp_path / "out" / "ends.npy", tmp_path / "out" / "ids.npy"]
    ids, ends = np.load(files[1], mmap_mode="r"), np.load(files[0])
    assert (ids.tolist(), ends.tolist()) == (made.flat, made.ends)
    assert (ids.dtype, ends.dtype) == (made.unsigned, "<u8")


def test_raw(made, tmp_path):
    files = export(made.corpus, tmp_path / "out", "raw")
    assert {path.name for path in files} >= {"manifest.json", "_SUCCESS", "000000.tokens"}
    opened = wordsplit.corpus.open(tmp_path / "out")
    assert (opened.format, opened.dtype) == ("raw", made.unsigned)
    assert (opened.vocab_fingerprint, opened.n_vocab) == (made.corpus.vocab_fingerprint, made.corpus.n_vocab)
    assert [text.tolist() for text in opened] == made.texts
    assert [opened.key(i) for i in range(len(opened))] == (made.keys or [None] * len(opened))
    assert len(list(opened.shards())) == len(list(made.corpus.shards()))


def test_megatron(made, tmp_path):
    files = export(made.corpus, tmp_path / "some.data" / "train", "megatron")
    folder = tmp_path / "some.data"
    keys = {"train.keys", "train.key_ends"} if made.keys else set()
    assert (
        {path.name for path in files} == {path.name for path in folder.iterdir()} == {"train.bin", "train.idx", *keys}
    )
    index = (folder / "train.idx").read_bytes()
    magic, version, code, sequences, documents = struct.unpack_from("<9sQBQQ", index)
    assert (magic, version, code) == (b"MMIDIDX\0\0", 1, 4 if made.wide else 8)
    assert (sequences, documents) == (len(LENGTHS), len(LENGTHS) + 1)
    assert np.frombuffer(index, "<i4", sequences, 34).tolist() == LENGTHS
    size = 4 if made.wide else 2
    begins = np.frombuffer(index, "<i8", sequences, 34 + 4 * sequences)
    assert begins.tolist() == [(end - length) * size for end, length in zip(made.ends, LENGTHS, strict=True)]
    assert np.fromfile(folder / "train.bin", "<i4" if made.wide else "<u2").tolist() == made.flat


def test_parquet(made, tmp_path):
    files = export(made.corpus, tmp_path / "out", "parquet", shard_tokens=200)
    assert [path.name for path in files] == [f"train-{i:05d}-of-00003.parquet" for i in range(3)]
    tables = [parquet.read_table(path) for path in files]
    assert [text for table in tables for text in table["input_ids"].to_pylist()] == made.texts
    assert tables[0].schema.names == (["input_ids", "id"] if made.keys else ["input_ids"])
    if made.keys:
        assert [key for table in tables for key in table["id"].to_pylist()] == made.keys
    # A file ends with the document that brings it to 200 ids.
    assert [table.num_rows for table in tables] == [7, 6, 2]


def test_litdata(made, tmp_path):
    files = export(made.corpus, tmp_path / "out", "litdata", shard_tokens=1000)
    index = json.loads((tmp_path / "out" / "index.json").read_text())
    dtype, name = ("<i4", "no_header_tensor:16") if made.wide else ("<u2", "no_header_tensor:20")
    assert index["config"]["data_format"] == [name]
    found = []
    for i, chunk in enumerate(index["chunks"]):
        assert chunk["filename"] == f"chunk-0-{i}.bin"
        data = (tmp_path / "out" / chunk["filename"]).read_bytes()
        assert chunk["chunk_bytes"] == len(data)
        items, begin, end = struct.unpack_from("<III", data)
        assert (items, begin, end) == (chunk["chunk_size"], 12, len(data))
        ids = np.frombuffer(data, dtype, offset=12)
        assert len(ids) == chunk["dim"] <= 1000
        found += ids.tolist()
    assert found == made.flat
    assert [chunk["dim"] for chunk in index["chunks"][:-1]] == [1000] * (len(made.flat) // 1000)
    assert len(files) == len(index["chunks"]) + 1


@pytest.mark.parametrize(
    ("shard_tokens", "length", "chunk"), [(1000, 64, 960), (6400, 64, 6400), (10, 6400, 6400), (None, 64, 1 << 24)]
)
def test_litdata_of_whole_blocks(made, shard_tokens, length, chunk, tmp_path):
    export(made.corpus, tmp_path / "out", "litdata", shard_tokens=shard_tokens, length=length)
    index = json.loads((tmp_path / "out" / "index.json").read_text())
    assert index["chunks"][0]["dim"] == min(chunk, len(made.flat))
    assert sum(chunk["dim"] // length for chunk in index["chunks"]) == len(made.flat) // length


def mds_samples(folder):
    """The bytes of the samples of a dataset, and the configuration of each file."""
    index = json.loads((folder / "index.json").read_text())
    assert index["version"] == 2
    for i, shard in enumerate(index["shards"]):
        assert shard["raw_data"]["basename"] == f"shard.{i:05d}.mds"
        data = (folder / shard["raw_data"]["basename"]).read_bytes()
        assert shard["raw_data"]["bytes"] == len(data)
        assert shard["raw_data"]["hashes"] == {"sha256": hashlib.sha256(data).hexdigest()}
        (count,) = struct.unpack_from("<I", data)
        assert count == shard["samples"]
        offsets = np.frombuffer(data, "<u4", count + 1, 4).tolist()
        config = json.loads(data[4 + 4 * (count + 1) : offsets[0]])
        assert config.items() <= shard.items()
        assert offsets[-1] == len(data)
        for begin, end in zip(offsets, offsets[1:], strict=False):
            yield config, data[begin:end]


def test_mds(made, tmp_path):
    files = export(made.corpus, tmp_path / "out", "mds", shard_tokens=100)
    assert len(files) > 3
    texts, keys = [], []
    for config, sample in mds_samples(tmp_path / "out"):
        names, sizes = config["column_names"], []
        assert config["column_sizes"] == [None] * len(names)
        sizes = struct.unpack_from(f"<{len(names)}I", sample)
        at = 4 * len(names)
        for name, encoding, size in zip(names, config["column_encodings"], sizes, strict=True):
            value = sample[at : at + size]
            at += size
            if name == "id":
                assert encoding == "str"
                keys.append(value.decode())
            else:
                assert (name, encoding) == ("tokens", "ndarray:uint32" if made.wide else "ndarray:uint16")
                assert value[0] >> 2 == 1
                kind = "BHI"[value[0] & 3]
                (length,) = struct.unpack_from(f"<{kind}", value, 1)
                ids = np.frombuffer(value, made.unsigned, offset=1 + struct.calcsize(kind))
                assert length == len(ids)
                texts.append(ids.tolist())
        assert at == len(sample)
    assert texts == made.texts
    assert keys == (made.keys or [])


def test_mds_of_windows(made, tmp_path):
    export(made.corpus, tmp_path / "out", "mds", shard_tokens=1000, length=64)
    found = []
    for config, sample in mds_samples(tmp_path / "out"):
        assert config["column_encodings"] == [f"ndarray:uint{32 if made.wide else 16}:64"]
        assert config["column_sizes"] == [len(sample)]
        found.append(np.frombuffer(sample, made.unsigned).tolist())
    assert found == [made.flat[i : i + 64] for i in range(0, len(made.flat) - 63, 64)]


def test_datatrove(made, tmp_path):
    files = export(made.corpus, tmp_path / "out", "datatrove", shard_tokens=200)
    texts = []
    assert len(files) == 9
    for i in range(3):
        ids = np.fromfile(tmp_path / "out" / f"{i:05d}_unshuffled.ds", made.unsigned)
        ends = np.fromfile(tmp_path / "out" / f"{i:05d}_unshuffled.ds.index", "<u8")
        texts += [text.tolist() for text in np.split(ids, ends[:-1].astype(int))]
        name, count, _ = (tmp_path / "out" / f"{i:05d}_unshuffled.ds.metadata").read_text().split("\n")
        assert (name, int(count)) == (f"{made.corpus.vocab}|{4 if made.wide else 2}", len(ids))
        assert ends.tolist() == sorted(set(ends.tolist()))
        assert ends[-1] == len(ids)
    assert texts == [text for text in made.texts if text]  # datatrove has no empty documents


def test_dolma(made, tmp_path):
    export(made.corpus, tmp_path / "out", "dolma", shard_tokens=200)
    texts, keys, documents = [], [], []
    for i in range(3):
        ids = np.memmap(tmp_path / "out" / f"part-{i:05d}.npy", made.unsigned, "r")
        with gzip.open(tmp_path / "out" / f"part-{i:05d}.csv.gz", "rt", encoding="utf-8", newline="") as file:
            for begin, end, key, source, document in csv.reader(file):
                texts.append(ids[int(begin) : int(end)].tolist())
                keys.append(key)
                documents.append(int(document))
                assert source == ""
    assert texts == made.texts
    assert keys == (made.keys or [""] * len(texts))
    assert documents == list(range(len(texts)))


def test_llm_c(made, tmp_path):
    files = export(made.corpus, tmp_path / "out", "llm.c", shard_tokens=30_000)
    found = []
    for i, path in enumerate(files):
        assert path.name == f"train_{i:06d}.bin"
        header = np.fromfile(path, "<i4", 256)
        ids = np.fromfile(path, made.unsigned, offset=1024)
        assert header[:3].tolist() == [*((20240801, 7) if made.wide else (20240520, 1)), len(ids)]
        assert not header[3:].any()
        found.append(ids.tolist())
    assert [i for ids in found for i in ids] == made.flat
    assert [len(ids) for ids in found[:-1]] == [30_000, 30_000]


def test_lance_without_its_package(made, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "lance", None)
    with pytest.raises(OptionsError, match="needs the package pylance: pip install pylance"):
        export(made.corpus, tmp_path / "out", "lance")
    assert not list(tmp_path.iterdir())


def content(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", WRITES)
def test_the_same_bytes_every_time(made, name, tmp_path, monkeypatch):
    """However the corpus is cut into shards, and whatever the time."""
    export(made.corpus, tmp_path / "a" / "x", name)
    monkeypatch.setattr(batches_module, "_IDS", 1000)
    monkeypatch.setattr(time, "time", lambda: 5.0)
    export(made.corpus.path, tmp_path / "b" / "x", name)  # and by its path
    assert content(tmp_path / "a") == content(tmp_path / "b")


@pytest.mark.parametrize("name", WRITES)
def test_progress(made, name, tmp_path):
    calls = []
    export(made.corpus, tmp_path / "out", name, progress=lambda done, total: calls.append((done, total)))
    assert {total for _, total in calls} == {len(made.flat)}
    assert calls == sorted(calls)
    assert calls[-1][0] == len(made.flat)


@pytest.mark.parametrize("name", WRITES)
def test_an_empty_corpus(name, tmp_path):
    for i, documents in enumerate([[], [[], []]]):
        corpus = from_ids(tmp_path / f"corpus{i}", documents)
        files = export(corpus, tmp_path / f"{i}" / "out", name)
        assert all(path.is_file() for path in files)
    if name == "parquet":
        assert parquet.read_table(tmp_path / "0" / "out").num_rows == 0


class StopError(Exception):
    pass


@pytest.mark.parametrize("name", WRITES)
def test_an_interrupted_export_leaves_nothing_and_can_be_repeated(made, name, tmp_path):
    def stop(done, total):
        raise StopError

    with pytest.raises(StopError):
        export(made.corpus, tmp_path / "out", name, progress=stop)
    assert not list(tmp_path.iterdir())
    (tmp_path / ".out.part").mkdir()  # what a killed process leaves
    (tmp_path / ".out.part" / "rest").write_text("half")
    export(made.corpus, tmp_path / "out", name)
    with pytest.raises(CorpusError, match="exists already"):
        export(made.corpus, tmp_path / "out", name)
    assert not [path for path in tmp_path.rglob("*") if "part" in path.name.split(".") or path.name == "rest"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="names of open files are read from /proc")
@pytest.mark.parametrize("name", WRITES)
def test_content_is_synced_before_it_has_its_name(name, tmp_path, monkeypatch):
    made = Made(tmp_path, "raw", 50_000)
    synced = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.path.realpath(f"/proc/self/fd/{fd}")))
    export(made.corpus, tmp_path / "out", name)
    assert synced[-1] == str(tmp_path)
    drafts = {path.partition(".out.part")[2] for path in synced if ".out.part" in path}
    placed = [tmp_path / f"out{path}" for path in drafts]
    if name == "megatron":
        assert drafts == {"", "/all.bin", "/all.idx", "/all.keys", "/all.key_ends"}
    else:
        assert {path for path in placed if path.is_file()} == {p for p in (tmp_path / "out").rglob("*") if p.is_file()}
    assert "" in drafts  # the folder itself


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
@pytest.mark.parametrize("name", ["litdata", "megatron"])
def test_a_killed_export(name, tmp_path):
    made = Made(tmp_path, "raw", 50_000)
    program = (
        "import os, signal, sys; from wordsplit.corpus import export;"
        "export(sys.argv[1], sys.argv[2], sys.argv[3], progress=lambda *_: os.kill(os.getpid(), signal.SIGKILL))"
    )
    done = subprocess.run([sys.executable, "-c", program, made.corpus.path, tmp_path / "out", name], check=False)
    assert done.returncode == -9
    assert {path.name for path in tmp_path.iterdir()} == {"corpus", ".out.part"}
    export(made.corpus, tmp_path / "out", name)
    assert not (tmp_path / ".out.part").exists()


def test_a_folder_that_is_there(made, tmp_path):
    (tmp_path / "out").mkdir()
    export(made.corpus, tmp_path / "out", "npy")
    with pytest.raises(CorpusError, match="exists already; remove it, or name another folder"):
        export(made.corpus, tmp_path / "out", "raw")
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusError, match="exists already"):
        export(made.corpus, tmp_path / "file", "raw")
    assert (tmp_path / "file").read_text() == ""


@pytest.mark.parametrize("name", ["megatron", "npy"])
def test_a_folder_that_cannot_be_written(made, name, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CorpusError, match=r"file/out: cannot be written: (Not a directory|No such file)"):
        export(made.corpus, tmp_path / "file/out", name)


def test_ids_that_do_not_fit(tmp_path):
    """A corpus that was changed, or of an id above all vocabs."""
    corpus = from_ids(tmp_path / "corpus", [[1 << 31]], format="raw")
    for name in ("megatron", "litdata"):
        with pytest.raises(InvalidTokenIdError, match="id 2147483648 does not fit into int32"):
            export(corpus, tmp_path / "out", name)
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]
    export(corpus, tmp_path / "out", "llm.c")


@pytest.mark.parametrize("name", ["litdata", "mds"])
def test_numbers_of_numpy(made, tmp_path, name):
    export(made.corpus, tmp_path / "numpy", name, shard_tokens=np.int64(500), length=np.uint16(5))
    export(made.corpus, tmp_path / "plain", name, shard_tokens=500, length=5)
    index = "index.json"
    assert (tmp_path / "numpy" / index).read_bytes() == (tmp_path / "plain" / index).read_bytes()


def test_options(made, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(UnknownNameError, match="no corpus export named 'litdat'. Did you mean 'litdata'"):
        export(made.corpus, out, "litdat")
    with pytest.raises(OptionsError, match="length=5: the export 'llm.c' does not have this option; it has shard_tok"):
        export(made.corpus, out, "llm.c", length=5)
    with pytest.raises(OptionsError, match="the export 'npy' does not have this option; it has none"):
        export(made.corpus, out, "npy", shard_tokens=5)
    with pytest.raises(OptionsError, match="the export 'megatron' does not have this option"):
        export(made.corpus, out, "megatron", shard_tokens=5)
    with pytest.raises(OptionsError, match="shard_tokens=0: give a whole number, 1 or more"):
        export(made.corpus, out, "llm.c", shard_tokens=0)
    for name in ("litdata", "mds"):
        for wrong in (1.5, "5"):
            with pytest.raises(OptionsError, match=f"length={wrong!r}: give a whole number, 1 or more"):
                export(made.corpus, out, name, length=wrong)
        with pytest.raises(OptionsError, match="4 GiB|4,294,967,296"):
            export(made.corpus, out, name, shard_tokens=1 << 32)
    with pytest.raises(OptionsError, match=r"less than 2\*\*31 ids"):
        export(made.corpus, out, "llm.c", shard_tokens=1 << 31)
    with pytest.raises(InputTypeError, match="not NoneType"):
        export(made.corpus, None, "npy")
    assert not list(tmp_path.iterdir())


def test_plug_ins(made, tmp_path):
    class Count(exports.Exporter):
        name = "count"

        def write(self, corpus, folder, options, tick):  # noqa: ARG002 - the contract
            (folder / "count").write_text(str(len(corpus)))

    exports.register("count", Count())
    try:
        (path,) = export(made.corpus, tmp_path / "out", "count")
        assert path.read_text() == str(len(LENGTHS))
    finally:
        exports.unregister("count")
    with pytest.raises(PluginError, match="must be an instance of"):
        exports.register("count", Count)
