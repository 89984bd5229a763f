"""Documents and files that cannot be read: an error that names them, or the policy that was chosen."""

import bz2
import gzip
import json
import os
import pathlib
import shutil
import sys
import uuid

import pyarrow as pa
import pytest
import zstandard
from corpus.written import named, read, tree, write
from pyarrow import feather, parquet

import wordsplit
from wordsplit import CorpusError, corpus

TEXTS = ["one", "two", "three"]
BAD = [b'{"text": 1}', b'{"txt": "a"}', b"[1]", b"{nonsense", b'{"text": "\\ud8"}']


@pytest.fixture(scope="module")
def tok():
    return wordsplit.load_tokenizer("qwen3")


def encode(inputs, out, **settings):
    return corpus.encode(inputs, out, **({"progress": False} | settings))


def with_bad_lines(path, *, compress=lambda data: data):
    good = [json.dumps({"text": text}).encode() for text in TEXTS]
    lines = [good[0], BAD[0], BAD[1], good[1], b"", BAD[2], BAD[3], BAD[4], good[2]]
    path.write_bytes(compress(b"\n".join(lines) + b"\n"))
    return path


MESSAGES = [
    "line 2, column 'text': a text must be a string, not a number: 1",
    "line 3: no column 'text'; there are: 'txt'",
    "line 6: a line must be a string or an object, not an array: [1]",
    "line 7: not JSON: Expecting property name enclosed in double quotes at character 2: nonsense",
    'line 8: not JSON: Invalid \\uXXXX escape at character 12: ud8"}',
]


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="names of files are Unicode there")
def test_a_path_that_is_not_utf8_in_quarantine(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path / "a") + b"\xff.jsonl")
    with_bad_lines(pathlib.Path(path))
    encode(path, tmp_path / "out", on_error="quarantine")
    rows = [json.loads(line) for line in (tmp_path / "out/quarantine/000000.jsonl").read_text("utf-8").splitlines()]
    assert {row["input"] for row in rows} == {path}


def test_names_that_are_not_utf8(tmp_path):
    ids, texts = pa.array([b"x\xff", b"y\xc3", b"\xa9", None]), ["a", "b", "c", "d"]
    lines = [b'{"text": "a", "id": "%b"}\n' % (name or b"") for name in ids.to_pylist()]
    (tmp_path / "a.jsonl").write_bytes(b"".join(lines))
    parquet.write_table(pa.table({"text": texts, "id": ids}), tmp_path / "b.parquet")
    unchecked = ids.cast(pa.string(), safe=False).dictionary_encode()
    parquet.write_table(pa.table({"text": texts, "id": unchecked}), tmp_path / "c.parquet")
    for format_ in ("raw", "megatron", "parquet"):
        encode(tmp_path, tmp_path / format_, id_field="id", format=format_)
        opened = corpus.open(tmp_path / format_)
        assert [opened.key(k) for k in range(len(opened))] == ["x\ufffd", "y\ufffd", "\ufffd", ""] * 3
        shutil.rmtree(tmp_path / format_)


@pytest.mark.skipif(not hasattr(pa, "uuid"), reason="pyarrow has UUIDs from 18 on")
@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_names_that_are_uuids(tmp_path, suffix):
    named_by = [uuid.UUID(int=255 << 120), None, uuid.UUID(int=254 << 120)]
    ids = pa.array([name and name.bytes for name in named_by], pa.uuid())
    table = pa.table({"text": TEXTS, "id": ids})
    path = tmp_path / f"a.{suffix}"
    if suffix == "parquet":
        parquet.write_table(table, path)
    else:
        feather.write_feather(table, path)
    encode(path, tmp_path / "out", id_field="id")
    opened = corpus.open(tmp_path / "out")
    assert [opened.key(k) for k in range(3)] == [str(named_by[0]), "", str(named_by[2])]


@pytest.mark.parametrize("columns", [("text", "text", "id"), ("text", "id", "id")])
def test_two_columns_of_one_name(tmp_path, columns):
    parquet.write_table(pa.table([TEXTS] * 3, names=columns), tmp_path / "a.parquet")
    with pytest.raises(CorpusError, match=f"a.parquet: column '{columns[1]}': several columns have this name"):
        encode(tmp_path / "a.parquet", tmp_path / "out", id_field="id")


@pytest.mark.parametrize("ids", [pa.array([[1]]), pa.array([{"a": 1}])])
def test_names_that_are_lists(tmp_path, ids):
    parquet.write_table(pa.table({"text": ["a"], "id": ids}), tmp_path / "a.parquet")
    with pytest.raises(
        CorpusError, match=r"a\.parquet: column 'id': a name must be a string or a number, but .* holds"
    ):
        encode(tmp_path / "a.parquet", tmp_path / "out", id_field="id")


@pytest.mark.parametrize("compress", [lambda data: data, gzip.compress, zstandard.compress])
def test_bad_lines(tmp_path, tok, compress):
    suffix = {gzip.compress: ".gz", zstandard.compress: ".zst"}.get(compress, "")
    path = with_bad_lines(tmp_path / f"a.jsonl{suffix}", compress=compress)
    with pytest.raises(CorpusError) as caught:
        encode(path, tmp_path / "fail")
    assert str(caught.value) == f"{path}: {MESSAGES[0]}"
    assert corpus.status(tmp_path / "fail").units_done == 0
    for policy in ("skip", "quarantine"):
        out = tmp_path / policy
        report = encode(path, out, on_error=policy)
        assert read(out)[0] == tok.encode_batch(TEXTS)
        assert report.documents == {"in": 8, "written": 3, "empty": 0, "skipped": 5}
        assert (out / "quarantine").exists() == (policy == "quarantine")
    rows = [json.loads(line) for line in (tmp_path / "quarantine/quarantine/000000.jsonl").read_text().splitlines()]
    assert [row["error"] for row in rows] == [f"{path}: {message}" for message in MESSAGES]
    assert [row["raw"].encode() for row in rows] == BAD
    assert {row["input"] for row in rows} == {str(path)}


@pytest.mark.parametrize("kind", ["jsonl", "lines.txt", "parquet", "a.txt"])
def test_invalid_utf8(tmp_path, tok, kind):
    texts = [b"good", b"bad \xff here", "größer".encode(), b"cut \xe4\xbd"]
    path = named(tmp_path, kind)
    if kind == "parquet":
        from pyarrow import parquet

        parquet.write_table(pa.table({"text": pa.array(texts, pa.binary())}), path)
    elif kind == "jsonl":
        path.write_bytes(b"".join(b'{"text": "' + text + b'"}\n' for text in texts))
    elif kind == "a.txt":
        texts = [texts[1]]
        path.write_bytes(texts[0])
    else:
        path.write_bytes(b"\n".join(texts))
    lines = {"documents": "line"} if kind == "lines.txt" else {}
    report = encode(path, tmp_path / "out", **lines)
    documents = read(tmp_path / "out")[0]
    assert [tok.decode_bytes(ids) for ids in documents] == texts
    assert report.invalid_utf8 == sum(b"bad" in text or b"cut" in text for text in texts)
    with pytest.raises(CorpusError, match="byte 0xff at offset 4 of the document is not UTF-8"):
        encode(path, tmp_path / "error", invalid_utf8="error", **lines)
    report = encode(path, tmp_path / "skip", invalid_utf8="error", on_error="quarantine", **lines)
    good = [text for text in texts if b"bad" not in text and b"cut" not in text]
    assert [tok.decode_bytes(ids) for ids in read(tmp_path / "skip")[0]] == good
    assert report.documents["skipped"] == len(texts) - len(good)


def test_invalid_utf8_in_a_document_of_many_pieces(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"word " * 1_000_000 + b"\xff" + b" word" * 1_000_000)
    other = tmp_path / "b.txt"
    other.write_text("fine")
    report = encode([path, other], tmp_path / "out", memory=64 << 20, workers=1)
    assert report.invalid_utf8 == 1
    assert report.documents["written"] == 2
    report = encode(
        [path, other], tmp_path / "skip", memory=64 << 20, workers=1, invalid_utf8="error", on_error="quarantine"
    )
    assert report.documents["written"] == 1
    assert len(report.damaged) == 1


@pytest.mark.parametrize("kind", ["jsonl.gz", "jsonl.zst", "lines.txt.gz", "parquet", "arrow"])
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damaged_files(tmp_path, tok, kind, damage):
    texts = [f"document {k} {'word ' * (k % 30)}" for k in range(2000)]
    path = write(named(tmp_path, kind), texts)
    data = bytearray(path.read_bytes())
    if damage == "cut":
        data = data[: len(data) * 2 // 3]
    else:
        data[len(data) // 2 : len(data) // 2 + 200] = bytes(200)
    path.write_bytes(data)
    good = write(tmp_path / "good.jsonl", TEXTS)
    settings = {"documents": "line"} if ".txt" in kind else {}
    try:
        encode([good, path], tmp_path / "fail", **settings)
    except CorpusError as error:
        assert str(path) in str(error), error
    else:
        assert damage == "changed"  # a format without checksums cannot tell
        assert kind in ("arrow", "parquet", "jsonl.zst")
        return
    report = encode([good, path], tmp_path / "skip", on_error="quarantine", **settings)
    assert read(tmp_path / "skip")[0][:3] == tok.encode_batch(TEXTS)
    assert len(report.damaged) == 1
    assert str(path) in report.damaged[0]
    row = json.loads((tmp_path / "skip/quarantine/000000.jsonl").read_text().splitlines()[-1])
    assert row["input"] == str(path)
    again = tmp_path / "again"
    encode([good, path], again, on_error="quarantine", workers=1, **settings)
    assert tree(again) == tree(tmp_path / "skip")


def test_a_damaged_file_among_small_ones_is_left_out_alone(tmp_path, tok):
    paths = [write(tmp_path / f"{k}.jsonl.gz", [f"file {k}", "x"]) for k in range(5)]
    paths[2].write_bytes(paths[2].read_bytes()[:-9])
    with pytest.raises(CorpusError, match=r"2\.jsonl\.gz: it is truncated or damaged"):
        encode(paths, tmp_path / "fail")
    report = encode(paths, tmp_path / "out", on_error="skip")
    assert read(tmp_path / "out")[0] == [tok.encode(text) for k in (0, 1, 3, 4) for text in (f"file {k}", "x")]
    assert report.documents == {"in": 8, "written": 8, "empty": 0, "skipped": 0}
    assert len(report.damaged) == 1
    assert "2.jsonl.gz: it is truncated or damaged" in str(report)


def test_a_missing_column(tmp_path):
    path = write(tmp_path / "a.parquet", TEXTS)
    with pytest.raises(CorpusError, match="no column 'txt'; there are: 'text', 'id'"):
        encode(path, tmp_path / "out", text_field="txt")
    with pytest.raises(CorpusError, match="no column 'url'; there are: "):
        encode(path, tmp_path / "out2", id_field="url")
    with pytest.raises(CorpusError, match="a text must be a string, but this column holds int64"):
        encode(write_numbers(tmp_path), tmp_path / "out3", text_field="n")


def write_numbers(folder):
    from pyarrow import parquet

    parquet.write_table(pa.table({"n": [1, 2]}), folder / "n.parquet")
    return folder / "n.parquet"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("text".encode("utf-16"), "the text is in UTF-16LE"),
        (gzip.compress(b"text", mtime=0), "not text but gzip data; name it .gz"),
        (b"PAR1....", "not text but Parquet"),
        (b"ARROW1\0\0....", "not text but Arrow IPC; name it .arrow"),
        (bz2.compress(b"text"), "not text but bzip2 data; decompress it"),
        (bytes(range(256)) * 10, "not text: it is binary"),
    ],
)
def test_what_is_not_text(tmp_path, data, message):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(CorpusError, match=message):
        encode(path, tmp_path / "out")


def test_an_input_that_cannot_be_opened(tmp_path, monkeypatch):
    path = write(tmp_path / "a.jsonl", TEXTS)
    from wordsplit.corpus import documents

    def refuse(name):
        raise PermissionError(13, "Permission denied", name)

    monkeypatch.setattr(documents, "open_raw", refuse)
    with pytest.raises(CorpusError, match=r"a\.jsonl: cannot be read: Permission denied"):
        encode(path, tmp_path / "out")


def test_folders_that_cannot_be_read_or_written(tmp_path, monkeypatch):
    """A folder left out silently would be documents lost."""
    (tmp_path / "in/below").mkdir(parents=True)
    write(tmp_path / "in/a.jsonl", TEXTS)
    scan = os.scandir

    def refuse(path):
        if str(path).endswith("below"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        with pytest.raises(CorpusError, match="below: cannot be read: Permission denied"):
            encode(tmp_path / "in", tmp_path / "out")
    (tmp_path / "out/.lock").mkdir(parents=True)
    with pytest.raises(CorpusError, match="out: cannot be written: "):
        encode(tmp_path / "in", tmp_path / "out")
    (tmp_path / "out/plan.json").mkdir()
    with pytest.raises(CorpusError, match=r"plan\.json: cannot be read: "):
        corpus.status(tmp_path / "out")


def test_pipes_and_folders_of_nothing(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CorpusError, match="not a regular file"):
        encode(tmp_path / "pipe", tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(wordsplit.UnknownNameError, match="no files in the folder"):
        encode(tmp_path / "empty", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_empty_files_give_empty_shards(tmp_path):
    for name in ("a.jsonl", "b.txt", "c.jsonl.gz", "d.jsonl.zst"):
        (tmp_path / name).write_bytes(b"")
    write(tmp_path / "e.parquet", [])
    names = [tmp_path / name for name in ("a.jsonl", "b.txt", "c.jsonl.gz", "d.jsonl.zst", "e.parquet")]
    for to in ("raw", "megatron", "parquet"):
        report = encode(names, tmp_path / to, format=to)
        assert report.documents == {"in": 1, "written": 0, "empty": 1, "skipped": 0}  # the empty text file
        assert corpus.verify(tmp_path / to) == []
        assert len(corpus.open(tmp_path / to)) == 0
    shutil.rmtree(tmp_path / "raw")


def test_a_byte_that_the_vocab_lacks(tmp_path):
    vocab = wordsplit.Vocab(
        name="small",
        tokens={byte: bytes([byte]) for byte in range(256) if byte != ord("z")},
        merges=[],
        pre_tokenizer=wordsplit.load_vocab("qwen3").pre_tokenizer,
    )
    path = write(tmp_path / "a.jsonl", ["abc", "xyz"])
    for policy in ("fail", "skip"):
        with pytest.raises(CorpusError, match=r"a\.jsonl: small has no token for byte 0x7A; use another vocab"):
            encode(path, tmp_path / "out", tokenizer=vocab, on_error=policy, fresh=True)


def test_a_document_beyond_the_memory_is_no_reason_to_leave_out_its_file(tmp_path):
    """The output must not depend on the memory."""
    path = write(tmp_path / "a.jsonl", ["one", "two " * (5 << 18), "three"])
    with pytest.raises(CorpusError, match="a document of more than 4 MiB; give more memory"):
        encode(path, tmp_path / "out", workers=1, memory=16 << 20, on_error="skip")
    assert encode(path, tmp_path / "out", workers=1, on_error="skip").documents["written"] == 3
