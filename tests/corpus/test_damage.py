"""Files that are damaged: each a `CorpusError` that says where, none a hang."""

import gzip
import json
import re

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from wordsplit import CorpusError
from wordsplit.corpus import CorpusFile


def read(path):
    file = CorpusFile(path)
    return list(file.blocks() if file.kind == "text" else file.texts())


def refused(path, data=None):
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(CorpusError) as caught:
        read(path)
    assert caught.value.file == str(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"text": 5}', "line 3, column 'text': a text must be a string, not a number: 5"),
        (b'{"text": ["x"]}', "line 3.*an array"),
        (b'{"text": {"text": "x"}}', "line 3.*an object"),
        (b'{"text": true}', "line 3.*a boolean: true"),
        (b'{"txt": "x", "id": 1}', "line 3: no column 'text'; there are: 'txt', 'id'"),
        (b"{}", "no column 'text'; there are: none"),
        (b"null", "line 3: a line must be a string or an object, not null"),
        (b"5", "a number: 5"),
        (b'["x"]', "an array"),
        (b'{"text": "x"', "line 3: not JSON"),
        (b'{"text": "x"} {}', "not JSON: Extra data at character 15: {}"),
        (b"text", "not JSON"),
        (b"{'text': 'x'}", "not JSON"),
        (b'{"text": "\xff"}', "line 3: byte 0xff at offset 10 is not UTF-8"),
        (b'{"text": "\xed\xa0\x80"}', "not UTF-8"),
        (b'{"text": "\xc3"}', "not UTF-8"),
        (b'{"text": "a\tb"}', "not JSON: Invalid control character"),
        (b"\xef\xbb\xbf" + b'"x"', "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 10_000, "a number|JSON that cannot be read"),
        (b'{"text": ' + b"9" * 100_000 + b"}", "a number|JSON that cannot be read"),
        (json.dumps({"x" * 50 + str(i): 1 for i in range(1000)}).encode(), "…"),
    ],
)
def test_lines(tmp_path, line, says):
    message = refused(tmp_path / "a.jsonl", b'{"text": "sound"}\n\n' + line + b'\n{"text": "sound"}\n')
    assert re.search(says, message), message
    assert len(message) < 1800


def test_the_texts_before_the_damage_are_given(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'"one"\n"two"\nthree\n')
    texts = CorpusFile(path).texts()
    assert [next(texts), next(texts)] == ["one", "two"]
    with pytest.raises(CorpusError, match="line 3"):
        next(texts)


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl"])
@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".zst", zstandard.compress)])
def test_compressed_data_cut_short_at_every_byte(tmp_path, name, suffix, pack):
    data = pack(b'"some text"\n' * 20)
    path = tmp_path / (name + suffix)
    for length in range(1, len(data)):
        assert "truncated" in refused(path, data[:length]) or length < 5
    path.write_bytes(data)
    assert read(path)


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".zst", zstandard.compress)])
def test_compressed_data_with_a_byte_changed(tmp_path, suffix, pack):
    text = b'"some text"\n' * 20
    data = pack(text)
    path = tmp_path / ("a.txt" + suffix)
    changed = 0
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        try:
            assert isinstance(read(path), list)
        except CorpusError:
            changed += 1
    assert changed > len(data) // 3


@pytest.mark.parametrize("name", ["a.txt.gz", "a.txt.zst", "a.jsonl.gz", "a.jsonl.zst", "a.parquet"])
@pytest.mark.parametrize("data", [b"plain text, whatever its name says\n" * 10, b"\0" * 100, b"PAR1", b"PAR1" * 5])
def test_not_what_the_name_says(tmp_path, name, data):
    assert "damaged" in refused(tmp_path / name, data)


def test_bytes_after_the_end(tmp_path):
    for name, pack in (("a.gz", gzip.compress), ("a.zst", zstandard.compress)):
        assert "damaged" in refused(tmp_path / name, pack(b"text") + b"more text")


def test_an_empty_file_is_no_parquet(tmp_path):
    assert "damaged" in refused(tmp_path / "a.parquet", b"")


def test_parquet_cut_short_or_changed(tmp_path):
    path = tmp_path / "a.parquet"
    want = [f"text {i} " * 20 for i in range(200)]
    parquet.write_table(pa.table({"text": want}), path, use_dictionary=False)
    data = path.read_bytes()
    for length in range(0, len(data), 97):
        refused(path, data[:length])
    refusals = 0
    for at in range(0, len(data), 53):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        try:
            read(path)
        except CorpusError:
            refusals += 1
    assert refusals > 5


@pytest.mark.parametrize("values", [[1, 2], [["x"]], [{"text": "x"}], [True], [1.5]])
def test_columns_of_other_types(tmp_path, values):
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"text": values}), path)
    message = refused(path)
    assert "column 'text'" in message
    assert "a text must be a string, but this column holds" in message


def test_columns_that_are_not_there(tmp_path):
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"id": [1], "texts": ["x"], "Text": ["y"]}), path)
    assert refused(path).endswith("no column 'text'; there are: 'texts', 'Text', 'id'")


def test_a_row_that_is_no_utf_8(tmp_path):
    values = pa.array([b"sound", None, b"a\xffb", b"x"] * 100, pa.binary())
    table = pa.table({"text": pa.Array.from_buffers(pa.string(), len(values), values.buffers())})
    path = tmp_path / "a.parquet"
    parquet.write_table(table, path)
    assert "row 3, column 'text': byte 0xff at offset 1 is not UTF-8" in refused(path)


def test_parquet_within_gzip(tmp_path):
    path = tmp_path / "a.parquet.gz"
    path.write_bytes(b"")
    with pytest.raises(CorpusError, match="its own compression"):
        CorpusFile(path)


def test_blocks_and_texts_are_of_their_kinds(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"x")
    (tmp_path / "a.jsonl").write_bytes(b'"x"')
    with pytest.raises(CorpusError, match=r"blocks\(\)"):
        CorpusFile(tmp_path / "a.txt").texts()
    with pytest.raises(CorpusError, match=r"texts\(\)"):
        CorpusFile(tmp_path / "a.jsonl").blocks()


def test_a_file_that_goes_away(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"x")
    file = CorpusFile(path)
    path.unlink()
    with pytest.raises(CorpusError, match="cannot be read: No such file"):
        list(file.blocks())
