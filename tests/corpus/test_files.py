"""Files of every kind: what is in them, how far they have been read."""

import gzip
import io
import json
import os
import pathlib
import random
import sys
import threading

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from wordsplit import CorpusError, InputTypeError
from wordsplit.corpus import CorpusFile, files_of

TEXTS = ["hello", "", "two\nlines\r\n", "Größe, 你好 🫨", "nul\0nul", "\ufeffmark", " " * 5000, "tab\t"]


def packed(data, suffix):
    if suffix.endswith(".gz"):
        return gzip.compress(data)
    return zstandard.compress(data) if suffix.endswith(".zst") else data


def write(folder, name, data):
    path = folder / name
    path.write_bytes(packed(data, name.lower()))
    return path


def jsonl(texts, column="text"):
    return b"".join(json.dumps({"id": 1, column: text}).encode() + b"\n" for text in texts)


@pytest.mark.parametrize("compression", ["", ".gz", ".zst", ".GZ"])
@pytest.mark.parametrize("suffix", [".txt", "", ".md", ".TXT", ".json"])
def test_a_text_file_is_one_text(tmp_path, suffix, compression):
    text = "".join(TEXTS).encode() * 500
    file = CorpusFile(write(tmp_path, "a" + suffix + compression, text))
    assert file.kind == "text"
    assert file.size == pathlib.Path(file.path).stat().st_size
    for size in (1000, 4096, 8 << 20):
        blocks = list(file.blocks(size))
        assert b"".join(blocks) == text
        assert all(0 < len(block) <= size for block in blocks)
        assert file.position == file.size
    assert b"".join(file.blocks()) == text


@pytest.mark.parametrize("compression", ["", ".gz", ".zst", ".ZST"])
@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".JSONL"])
def test_jsonl_has_a_text_a_line(tmp_path, suffix, compression):
    file = CorpusFile(write(tmp_path, "a" + suffix + compression, jsonl(TEXTS)))
    assert file.kind == "jsonl"
    assert list(file.texts()) == TEXTS
    assert file.position == file.size
    assert list(file.texts()) == TEXTS


def test_jsonl_lines_of_many_kinds(tmp_path):
    lines = [
        '"a string"',
        '{"text": "an object", "other": {"text": "not this"}}',
        '{"text": null}',
        "",
        "  \t",
        ' {"text" : "spaces"} ',
        '{"text": "\\u4f60\\ud83e\\udee8"}',
        '{"text": "\\ud83d"}',
        '{"n": NaN, "text": "as Python reads it"}',
    ]
    want = ["a string", "an object", "spaces", "你🫨", "\ufffd", "as Python reads it"]
    for end in ("\n", "\r\n"):
        for last in ("", end, end + end):
            path = write(tmp_path, "a.jsonl", (end.join(lines) + last).encode())
            assert list(CorpusFile(path).texts()) == want


def test_another_column(tmp_path):
    assert list(CorpusFile(write(tmp_path, "a.jsonl", jsonl(["x"], "content"))).texts("content")) == ["x"]
    parquet.write_table(pa.table({"a.b": ["x"], "a": [1], "text": [2]}), tmp_path / "a.parquet")
    assert list(CorpusFile(tmp_path / "a.parquet").texts(column="a.b")) == ["x"]


@pytest.mark.parametrize("of", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_parquet_has_a_text_a_row(tmp_path, of, compression):
    values = [None, *TEXTS] * 100
    table = pa.table({"text": pa.array(values, pa.string()).cast(of), "id": range(len(values))})
    path = tmp_path / "a.parquet"
    parquet.write_table(table, path, row_group_size=300, compression=compression)
    file = CorpusFile(path)
    assert (file.kind, file.position) == ("parquet", 0)
    assert list(file.texts()) == TEXTS * 100
    assert file.position == file.size
    assert list(file.texts()) == TEXTS * 100


def test_a_column_of_nothing_but_null(tmp_path):
    parquet.write_table(pa.table({"text": [None, None]}), tmp_path / "a.parquet")
    assert list(CorpusFile(tmp_path / "a.parquet").texts()) == []


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.zst", "a.jsonl", "a.jsonl.gz", "a.jsonl.zst"])
@pytest.mark.parametrize("bytes_on_disk", [True, False])
def test_empty_files(tmp_path, name, bytes_on_disk):
    path = write(tmp_path, name, b"")
    if not bytes_on_disk:
        path.write_bytes(b"")
    file = CorpusFile(path)
    assert list(file.blocks() if file.kind == "text" else file.texts()) == []


def test_an_empty_table(tmp_path):
    parquet.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "a.parquet")
    assert list(CorpusFile(tmp_path / "a.parquet").texts()) == []


@pytest.mark.parametrize("text", [b"", b"a", b"ab", b"\xef\xbb", b"abc", b"\xef\xbb\xbf", b"\r\nx\r\n"])
def test_a_byte_order_mark_is_none_of_the_text(tmp_path, text):
    for name in ("a.txt", "a.txt.gz", "a.txt.zst"):
        path = write(tmp_path, name, b"\xef\xbb\xbf" + text)
        for size in (1, 2, 3, 4, 100):
            assert b"".join(CorpusFile(path).blocks(size)) == text
    path = write(tmp_path, "a.jsonl", b"\xef\xbb\xbf" + jsonl(["x", "\ufeffy"]))
    assert list(CorpusFile(path).texts()) == ["x", "\ufeffy"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"])
def test_huge_lines(tmp_path, name):
    texts = ["x" * 5_000_000, "short", "é" * 3_000_000]
    assert list(CorpusFile(write(tmp_path, name, jsonl(texts))).texts()) == texts


def test_members_and_frames_one_after_the_other(tmp_path):
    # `cat a.gz b.gz` is a file of both.
    parts = [b"one\n", b"", b"two\n" * 3000, random.Random(0).randbytes(20_000).replace(b"\0", b"")]
    for name, pack in (("a.gz", gzip.compress), ("a.zst", zstandard.compress)):
        path = tmp_path / name
        skippable = b"\x50\x2a\x4d\x18\x03\x00\x00\x00xyz" if name == "a.zst" else b""
        path.write_bytes(skippable + b"".join(map(pack, parts)) + skippable)
        assert b"".join(CorpusFile(path).blocks()) == b"".join(parts)


@pytest.mark.full
@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.zst", "a.jsonl", "a.jsonl.gz", "a.jsonl.zst"])
def test_the_position_goes_forward(tmp_path, name):
    rng = random.Random(1)
    words = "".join(rng.choice("abcdefgh \n") for _ in range(3_000_000))
    texts = [words[at : at + 1000] for at in range(0, len(words), 1000)]
    file = CorpusFile(write(tmp_path, name, jsonl(texts) if "jsonl" in name else words.encode()))
    parts = file.blocks(100_000) if file.kind == "text" else file.texts()
    seen = [file.position, *(file.position for _ in parts)]
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, file.size)
    assert any(file.size * 0.2 < position < file.size * 0.8 for position in seen)


def test_the_position_in_parquet(tmp_path):
    parquet.write_table(pa.table({"text": ["x"] * 10_000}), tmp_path / "a.parquet")
    file = CorpusFile(tmp_path / "a.parquet")
    seen = [file.position for _ in file.texts()]
    assert seen == sorted(seen)
    assert seen[-1] == file.size
    assert len(set(seen)) > 10


@pytest.mark.full
def test_a_bomb_is_read_in_bounded_memory(tmp_path, peak_memory):
    size = 300_000_000
    packers = {
        "a.txt.gz": lambda file: gzip.GzipFile(fileobj=file, mode="wb"),
        "a.txt.zst": lambda file: zstandard.ZstdCompressor().stream_writer(file, closefd=False),
    }
    for name, pack in packers.items():
        packed = io.BytesIO()
        with pack(packed) as file:
            for _ in range(size // 10**7):
                file.write(b" " * 10**7)
        (tmp_path / name).write_bytes(packed.getvalue())
        assert len(packed.getvalue()) < size / 500
        with peak_memory(100):
            assert sum(map(len, CorpusFile(tmp_path / name).blocks(1 << 20))) == size


def test_a_pipe(tmp_path):
    path = tmp_path / "pipe.jsonl"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(jsonl(TEXTS)))
    writer.start()
    file = CorpusFile(path)
    assert file.size == 0
    assert list(file.texts()) == TEXTS
    assert file.position == 0
    writer.join()


def test_files_of(tmp_path):
    a, b = write(tmp_path, "a.txt", b"a"), write(tmp_path, "b.jsonl", b'"b"')
    assert [file.path for file in files_of(a)] == [str(a)]
    assert [file.path for file in files_of(str(a))] == [str(a)]
    assert [file.kind for file in files_of([a, str(b)])] == ["text", "jsonl"]
    assert [file.kind for file in files_of(path for path in (a, b))] == ["text", "jsonl"]
    assert files_of([]) == []


@pytest.mark.parametrize("wrong", [5, None, b"a.txt", [b"a.txt"], [5], [["a.txt"]]])
def test_no_paths(wrong):
    with pytest.raises(InputTypeError, match="str"):
        files_of(wrong)


@pytest.mark.parametrize("wrong", ["no-such.txt", "a text\nand no name", "x" * 100_000, "nul\0", "", "*.txt"])
def test_a_str_that_is_no_file(wrong):
    with pytest.raises(CorpusError, match="no such file") as caught:
        files_of(wrong)
    assert len(str(caught.value)) < 300


def test_folders(tmp_path):
    with pytest.raises(CorpusError, match="folder"):
        CorpusFile(tmp_path)


def test_without_the_packages(tmp_path, monkeypatch):
    (tmp_path / "a.parquet").write_bytes(b"")
    (tmp_path / "a.jsonl.zst").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    with pytest.raises(CorpusError, match=r"pip install 'wordsplit\[corpus\]'"):
        CorpusFile(tmp_path / "a.parquet")
    if sys.version_info < (3, 14):
        with pytest.raises(CorpusError, match=r"pip install 'wordsplit\[corpus\]'"):
            CorpusFile(tmp_path / "a.jsonl.zst")
