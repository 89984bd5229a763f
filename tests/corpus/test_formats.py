"""The formats of shards: what they write, read by others and by the documented layout, and how they fail."""

import json
import os
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from corpus.shards import FORMATS, batch, documents, layout, pieces, written
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from wordsplit.corpus import formats
from wordsplit.corpus.formats import megatron as megatron_module
from wordsplit.corpus.formats import parquet as parquet_module
from wordsplit.errors import CorpusError, InvalidTextError, InvalidTokenIdError, OptionsError, PluginError

TEXTS = [[1, 2, 3], [], [70_000, 5], [6]]
KEYS = ["a", "", "é/3", "d"]


@pytest.fixture(scope="module", autouse=True)
def no_waiting():
    """Syncing files takes most of the time; `test_files_are_synced` tests it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(params=FORMATS)
def name(request):
    return request.param


def files(stem):
    return {path.name.removeprefix(stem.name): path.read_bytes() for path in stem.parent.glob(f"{stem.name}.*")}


@pytest.mark.parametrize("has_keys", [False, True])
def test_documents_come_back(name, has_keys, tmp_path):
    plugin, made = formats.get(name), layout(name, has_keys=has_keys)
    digests = written(plugin.create(tmp_path / "7", made), TEXTS, KEYS if has_keys else None)
    assert tuple(digests) == plugin.suffixes(made)
    found = files(tmp_path / "7")
    assert digests == {suffix: (len(data), f"{zlib.crc32(data):08x}") for suffix, data in found.items()}
    shard = plugin.open(tmp_path / "7", made)
    assert (shard.documents, shard.tokens, shard.ids.dtype) == (4, 6, np.dtype(made.dtype))
    assert [shard.document(i).tolist() for i in range(4)] == TEXTS
    assert shard.ends.tolist() == [3, 3, 5, 6]
    assert shard.ends.dtype == np.uint64
    assert [shard.key(i) for i in range(4)] == (KEYS if has_keys else [None] * 4)
    assert not shard.ids.flags.writeable
    assert (shard.resident == 0) is (name != "parquet")


@pytest.mark.parametrize("has_keys", [False, True])
def test_a_shard_of_nothing(name, has_keys, tmp_path):
    plugin, made = formats.get(name), layout(name, has_keys=has_keys)
    with plugin.create(tmp_path / "7", made) as writer:
        writer.write(*batch([]), [] if has_keys else None)
    shard = plugin.open(tmp_path / "7", made)
    assert (shard.documents, shard.tokens, shard.ends.tolist()) == (0, 0, [])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("small_groups", [False, True])
@given(data=st.data(), made=documents(), has_keys=st.booleans())
def test_bytes_do_not_depend_on_the_batches(name, small_groups, data, made, has_keys):
    plugin, shape = formats.get(name), layout(name, has_keys=has_keys)
    texts, keys = [text for text, _ in made], [key for _, key in made]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if small_groups:
            patch.setattr(parquet_module, "_GROUP_IDS", 16)
            patch.setattr(parquet_module, "_GROUP_DOCUMENTS", 3)
            patch.setattr(megatron_module, "_BLOCK", 2)
        one, other = Path(folder, "one"), Path(folder, "other")
        digests = written(plugin.create(one, shape), texts, keys if has_keys else None)
        with plugin.create(other, shape) as writer:
            for piece, ends, names, opens in pieces(data.draw, texts, keys):
                ids = np.array(piece, np.uint32)
                writer.write(ids, np.array(ends, np.int64), names if has_keys else None, open_last=opens)
                ids[:] = 9  # the view is the caller's again
        assert writer.digests == digests
        assert (writer.documents, writer.tokens) == (len(texts), sum(map(len, texts)))
        assert files(one) == files(other)
        shard = plugin.open(other, shape)
        assert [shard.document(i).tolist() for i in range(shard.documents)] == texts
        if has_keys:
            assert [shard.key(i) for i in range(shard.documents)] == keys


def test_keys_of_arrow(name, tmp_path):
    plugin, made = formats.get(name), layout(name, has_keys=True)
    arrays = [
        pa.array(KEYS),
        pa.array(["x", *KEYS], pa.large_string())[1:],
        pa.array(KEYS).dictionary_encode(),
        pa.chunked_array([KEYS[:1], KEYS[1:]]),
        pa.array(["a", None, "é/3", "d"]),
        ["a", None, "é/3", "d"],
    ]
    for i, keys in enumerate(arrays):
        written(plugin.create(tmp_path / str(i), made), TEXTS, keys)
        assert files(tmp_path / str(i)) == files(tmp_path / "0")
    with plugin.create(tmp_path / "numbers", made) as writer:
        writer.write(*batch(TEXTS), pa.array([1, 2, 30, 4]))
        writer.write(*batch([]), pa.chunked_array([], pa.string()))
    shard = plugin.open(tmp_path / "numbers", made)
    assert [shard.key(i) for i in range(4)] == ["1", "2", "30", "4"]


def test_raw_by_its_sidecar(tmp_path):
    made = layout("raw", has_keys=True, vocab="qwen3", fingerprint="f" * 64, eos_token_id=151_643)
    written(formats.get("raw").create(tmp_path / "7", made), TEXTS, KEYS)
    sidecar = json.loads((tmp_path / "7.json").read_bytes())

    def array(part):
        assert sidecar[part]["byte_order"] == "little"
        path = tmp_path / f"7{sidecar[part]['suffix']}"
        found = np.memmap(path, np.dtype(sidecar[part]["dtype"]).newbyteorder("<"), "r")
        assert len(found) == sidecar[part]["count"]
        return found

    ids, ends = array("ids"), array("ends")
    assert [document.tolist() for document in np.split(ids, ends[:-1].astype(int))] == TEXTS
    keys = np.split(array("keys"), array("key_ends")[:-1].astype(int))
    assert [bytes(key).decode() for key in keys] == KEYS
    assert sidecar["vocab"] == {"name": "qwen3", "fingerprint": "f" * 64}
    assert (sidecar["eos_token_id"], sidecar["bos_token_id"]) == (151_643, None)


@pytest.mark.parametrize(("largest", "code", "dtype"), [(65_535, 8, "<u2"), (70_000, 4, "<i4")])
def test_megatron_by_its_documented_layout(largest, code, dtype, tmp_path):
    texts = [[min(i, largest) for i in text] for text in TEXTS]
    written(formats.get("megatron").create(tmp_path / "7", layout("megatron", largest)), texts)
    index = (tmp_path / "7.idx").read_bytes()
    assert index[:9] == b"MMIDIDX\0\0"
    assert struct.unpack_from("<QBQQ", index, 9) == (1, code, 4, 5)
    sizes = np.frombuffer(index, "<i4", 4, 34)
    pointers = np.frombuffer(index, "<i8", 4, 34 + 16)
    assert np.frombuffer(index, "<i8", 5, 34 + 16 + 32).tolist() == [0, 1, 2, 3, 4]
    assert len(index) == 34 + 16 + 32 + 40
    ids = np.memmap(tmp_path / "7.bin", dtype, "r")
    begins = pointers // ids.itemsize
    assert [ids[b : b + s].tolist() for b, s in zip(begins, sizes, strict=True)] == texts


@pytest.mark.parametrize(("largest", "kind"), [(65_535, pa.uint16()), (70_000, pa.uint32())])
def test_parquet_by_pyarrow(largest, kind, tmp_path):
    texts = [[min(i, largest) for i in text] for text in TEXTS]
    written(formats.get("parquet").create(tmp_path / "7", layout("parquet", largest, has_keys=True)), texts, KEYS)
    table = parquet.read_table(tmp_path / "7.parquet")
    table.validate(full=True)
    assert table.schema.field("input_ids").type == pa.list_(kind)
    assert table.to_pydict() == {"input_ids": texts, "id": KEYS}
    assert json.loads(table.schema.metadata[b"wordsplit"])["dtype"] == str(kind)


def test_row_groups_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_module, "_GROUP_IDS", 10)
    monkeypatch.setattr(parquet_module, "_GROUP_DOCUMENTS", 3)
    sizes = [4, 6, 0, 1, 30, 0, 5, 5, 1, 1, 1, 1]
    with formats.get("parquet").create(tmp_path / "7", layout("parquet")) as writer:
        writer.write(*batch([range(size) for size in sizes]))
    file = parquet.ParquetFile(tmp_path / "7.parquet")
    groups = [
        [len(text) for text in file.read_row_group(i)["input_ids"].to_pylist()] for i in range(file.num_row_groups)
    ]
    assert groups == [[4, 6, 0], [1], [30], [0, 5, 5], [1, 1, 1], [1]]


def test_a_row_group_is_written_as_soon_as_it_is_complete(tmp_path, monkeypatch):
    """A giant document does not hold back those before it."""
    monkeypatch.setattr(parquet_module, "_GROUP_IDS", 10)
    writer = formats.get("parquet").create(tmp_path / "7", layout("parquet"))
    writer.write(*batch([range(9), range(2)]), open_last=True)
    assert (writer._count, len(writer._ends)) == (2, 0)
    writer.abort()


def test_the_type_of_the_ids(name):
    plugin = formats.get(name)
    wide = {"raw": "uint32", "megatron": "int32", "parquet": "uint32"}[name]
    end = 1 << (31 if wide == "int32" else 32)
    assert [plugin.dtype_for(i) for i in (0, 65_535, 65_536, end - 1)] == ["uint16", "uint16", wide, wide]
    with pytest.raises(OptionsError, match=f"{name!r} holds ids up to {end - 1:,}, not {end:,}"):
        plugin.dtype_for(end)
    with pytest.raises(OptionsError, match="dtype='int64'"):
        formats.Layout(dtype="int64")


@pytest.mark.parametrize("dtype", ["uint16", "int32"])
@pytest.mark.parametrize("at", [0, 70_000, 99_999])
def test_an_id_that_does_not_fit_is_an_error(name, dtype, at, tmp_path):
    if dtype not in formats.get(name).dtypes:
        return
    end = {"uint16": 1 << 16, "int32": 1 << 31}[dtype]
    ids = np.full(100_000, end - 1, np.uint32)
    ids[at] = end
    writer = formats.get(name).create(tmp_path / "7", formats.Layout(dtype=dtype))
    with (
        pytest.raises(InvalidTokenIdError, match=f"id {end} does not fit into {dtype}, which ends at {end - 1:,}"),
        writer,
    ):
        writer.write(ids, np.array([100_000]))
    assert not list(tmp_path.iterdir())


def test_every_id_of_a_type_fits(name, tmp_path):
    plugin = formats.get(name)
    for dtype in plugin.dtypes:
        last = np.iinfo(dtype).max
        made = formats.Layout(dtype=dtype)
        written(plugin.create(tmp_path / dtype, made), [[0, last], [last]])
        assert plugin.open(tmp_path / dtype, made).ids.tolist() == [0, last, last]


def test_many_ids(name, tmp_path):
    """More than one piece at once."""
    plugin = formats.get(name)
    for dtype in plugin.dtypes:
        made = formats.Layout(dtype=dtype)
        ids = np.arange(200_001, dtype=np.uint32) % 60_000
        ends = np.array([3, 150_000, len(ids)])
        with plugin.create(tmp_path / dtype, made) as writer:
            writer.write(ids, ends)
            writer.write(ids, ends)
        shard = plugin.open(tmp_path / dtype, made)
        assert (shard.ids == np.concatenate([ids, ids])).all()
        assert shard.ends.tolist() == [*ends, *(ends + len(ids))]


def test_a_document_too_long_for_an_index():
    ends = np.array([5, 5 + (1 << 31)], np.uint64)
    megatron_module.check_sizes(ends - np.array([0, 1], np.uint64), 4, 10, Path("7"))
    with pytest.raises(CorpusError, match=r"7: document 11: 2,147,483,648 ids; .* use the format 'raw'"):
        megatron_module.check_sizes(ends, 4, 10, Path("7"))


def test_a_document_too_long_for_a_list(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_module, "_GROUP_IDS", 10)
    monkeypatch.setattr(parquet_module, "_MOST", 20)
    for lengths in ([21], [9, 9, 9, 9]):
        writer = formats.get("parquet").create(tmp_path / "7", layout("parquet"))
        with pytest.raises(CorpusError, match="more than 20 ids, which Parquet's lists cannot hold"):  # noqa: PT012
            for length in [*lengths, 0]:
                writer.write(*batch([range(length)]), open_last=length > 0)
            writer.close()
        writer.abort()


def test_calls_that_break_the_contract(name, tmp_path):
    plugin = formats.get(name)
    with plugin.create(tmp_path / "7", layout(name)) as writer:
        ids = np.array([1, 2, 3], np.uint32)
        for ends in ([1, 2], [2, 1, 3], [-1, 3], [4]):
            with pytest.raises(CorpusError, match="the ends of documents must rise to the 3 ids"):
                writer.write(ids, np.array(ends))
        with pytest.raises(CorpusError, match="no documents"):
            writer.write(ids, np.array([], np.int64))
        with pytest.raises(CorpusError, match="no documents"):
            writer.write(*batch([]), open_last=True)
        with pytest.raises(CorpusError, match="with keys, but the corpus has none"):
            writer.write(*batch([[1]]), ["a"])
        writer.write(ids, np.array([3]), open_last=True)
        with pytest.raises(CorpusError, match="the last document is open"):
            writer.close()
        writer.write(*batch([[]]))
    writer = plugin.create(tmp_path / "8", layout(name, has_keys=True))
    with pytest.raises(CorpusError, match="no keys, but the corpus has them"):
        writer.write(*batch([[1]]))
    with pytest.raises(CorpusError, match="2 keys for 1 documents"):
        writer.write(*batch([[1]]), ["a", "b"])
    with pytest.raises(InvalidTextError, match="lone surrogate"):
        writer.write(*batch([[1]]), ["\ud83d"])
    writer.abort()
    assert not list(tmp_path.glob("8*"))


def test_damage(name, tmp_path):
    plugin, made = formats.get(name), layout(name, has_keys=True)
    written(plugin.create(tmp_path / "7", made), TEXTS, KEYS)
    suffixes = [suffix for suffix in plugin.suffixes(made) if suffix != ".json"]  # for other readers

    def read():
        shard = plugin.open(tmp_path / "7", made)
        return shard.key(0)

    assert read() == "a"
    for suffix in suffixes:
        path = tmp_path / f"7{suffix}"
        data = path.read_bytes()
        for damaged in (data[:-1], data[: len(data) // 2], b"", data + bytes(8)):
            path.write_bytes(damaged)
            with pytest.raises(CorpusError, match=f"7{suffix}|7.idx|7.ends|7.key_ends"):
                read()
        path.unlink()
        with pytest.raises(CorpusError, match=f"7{suffix}"):
            read()
        path.write_bytes(data)


def test_another_index_is_refused(tmp_path):
    plugin, made = formats.get("megatron"), layout("megatron")
    written(plugin.create(tmp_path / "7", made), TEXTS)
    path = tmp_path / "7.idx"
    data = path.read_bytes()
    for at in (0, 9, 17, 18, 26):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(CorpusError, match=r"7\.idx: not the index"):
            plugin.open(tmp_path / "7", made)


def test_a_closed_shard_can_be_closed_and_removed(name, tmp_path):
    plugin = formats.get(name)
    writer = plugin.create(tmp_path / "a.b", layout(name))
    writer.write(*batch(TEXTS))
    writer.close()
    digests = writer.digests
    writer.close()
    assert writer.digests == digests
    assert {path.name.removeprefix("a.b") for path in tmp_path.iterdir()} == set(digests)
    writer.abort()
    assert not list(tmp_path.iterdir())


def test_parquet_needs_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    plugin = formats.get("parquet")
    for call in (plugin.create, plugin.open):
        with pytest.raises(OptionsError, match=r"Parquet needs pyarrow: pip install 'wordsplit\[corpus\]'"):
            call(tmp_path / "7", layout("parquet"))


def test_files_are_synced(name, tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(Path(f"/proc/self/fd/{fd}").resolve().name))
    writer = formats.get(name).create(tmp_path / "7", layout(name, has_keys=True))
    writer.write(*batch(TEXTS), KEYS)
    assert not synced
    writer.close()
    assert len(synced) == len(writer.digests)
    if Path("/proc/self/fd").is_dir():
        assert sorted(synced) == sorted(path.name for path in tmp_path.iterdir())


def test_plug_ins(name):
    class Other(type(formats.get(name))):
        name = "other"

    other = formats.register("other", Other())
    try:
        assert formats.get("other") is other
        assert "other" in formats.names()
    finally:
        formats.unregister("other")
    with pytest.raises(PluginError, match="must be an instance of"):
        formats.register("other", Other)
