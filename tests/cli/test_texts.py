"""Where commands have texts from: arguments, files of every kind, standard input."""

import gzip
import json
from typing import NamedTuple

import pyarrow as pa
import pytest
import zstandard
from click.testing import CliRunner
from depth import by_depth
from pyarrow import feather, parquet

import wordsplit
from wordsplit.cli import _group
from wordsplit.cli._messages import one_line

TEXTS = ["hello world", "Some more words, in 2024", "你好 🦜"]


@pytest.fixture(scope="module")
def tok():
    return wordsplit.load_tokenizer("qwen3")


class Done(NamedTuple):
    stdout_bytes: bytes
    stderr: str

    @property
    def stdout(self):
        return self.stdout_bytes.decode()


def call(*args, stdin=b"", code=0):
    """The command line in this process."""
    done = CliRunner().invoke(_group, [str(arg) for arg in args], input=stdin)
    known = isinstance(done.exception, (SystemExit, wordsplit.WordsplitError, type(None)))
    assert (done.exit_code, known) == (code, True), (done.output, done.exception)
    failed = f"wordsplit: {one_line(done.exception)}\n" if isinstance(done.exception, wordsplit.WordsplitError) else ""
    return Done(done.stdout_bytes, done.stderr + failed)


def files(folder):
    """The same texts as a file of each kind."""
    rows = "".join(json.dumps({"text": text, "other": "x"}) + "\n" for text in TEXTS).encode()
    (folder / "a.jsonl").write_bytes(rows)
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(rows))
    (folder / "a.ndjson.zst").write_bytes(zstandard.compress(rows))
    parquet.write_table(pa.table({"text": TEXTS}), folder / "a.parquet")
    feather.write_feather(pa.table({"text": TEXTS}), folder / "a.arrow", compression="uncompressed")
    return sorted(folder.iterdir())


def test_files_of_many_texts(tmp_path, tok):
    want = [tok.encode(text) for text in TEXTS]
    for path in files(tmp_path):
        assert call("count", path).stdout == f"{sum(map(len, want))}\n"
        lines = call("encode", "-f", path).stdout.splitlines()
        assert [list(map(int, line.split())) for line in lines] == want
        assert len(call("explain", "-f", path).stdout.split("qwen3: ")) == 1 + len(TEXTS)
        (row, *_) = map(json.loads, call("compare", path, "-v", "qwen3", "--json").stdout.splitlines())
        assert (row["tokens"], row["bytes"]) == (sum(map(len, want)), sum(len(text.encode()) for text in TEXTS))


def test_compressed_text_is_text(tmp_path, tok):
    text = "Some words of text\n" * 100
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "a.md.zst").write_bytes(zstandard.compress(text.encode()))
    for path in tmp_path.iterdir():
        assert call("count", path).stdout == f"{tok.count(text)}\n"
        found = [json.loads(line) for line in call("spans", "-f", path).stdout.splitlines()]
        assert found == tok.spans(text)


def test_what_a_file_is_can_be_said(tmp_path, tok):
    arrow, jsonl, gz = files(tmp_path)[:3]
    assert call("count", "--as", "text", jsonl).stdout == f"{tok.count(jsonl.read_bytes())}\n"
    assert call("count", "--as", "bytes", gz).stdout == f"{tok.count(gz.read_bytes())}\n"
    assert call("count", "--column", "other", jsonl).stdout == "3\n"
    assert call("count", "--as", "jsonl", stdin=jsonl.read_bytes()).stdout == call("count", jsonl).stdout
    (tmp_path / "rows.txt").write_bytes(jsonl.read_bytes())
    assert call("count", "--as", "jsonl", tmp_path / "rows.txt").stdout == call("count", jsonl).stdout
    (tmp_path / "columns").write_bytes(arrow.read_bytes())
    assert call("count", "--as", "arrow", tmp_path / "columns").stdout == call("count", arrow).stdout
    done = call("count", "--column", "txt", jsonl, code=1)
    assert "no column 'txt'; there are: 'text', 'other'; name it with --column, or" in done.stderr
    assert "--as text" in done.stderr


REFUSED = [
    ("utf16.txt", "Some words".encode("utf-16"), "UTF-16LE", "iconv -f UTF-16LE -t UTF-8"),
    ("utf16be.txt", b"\xfe\xff" + "Some words".encode("utf-16-be"), "UTF-16BE", "iconv"),
    ("bare.txt", "Some words".encode("utf-16-le"), "UTF-16LE", "every second byte is NUL"),
    ("utf32.txt", "Some words".encode("utf-32"), "UTF-32LE", "iconv"),
    ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(100), "a PNG picture", ""),
    ("a.pdf", b"%PDF-1.7\n", "PDF", "extract its text"),
    ("a.docx", b"PK\x03\x04rest", "ZIP", "extract its text"),
    ("wrong.txt", gzip.compress(b"text", mtime=0), "gzip data", "name it .gz"),
    ("wrong.json", zstandard.compress(b"text"), "Zstandard data", "name it .zst"),
    ("a.bin", bytes(range(256)) * 10, "it is binary, with a NUL byte at offset 0", ""),
    ("zeros.txt", bytes(1000), "binary", ""),
]


@pytest.mark.parametrize(("name", "data", "kind", "todo"), REFUSED[:: by_depth(3, 1, 1)])
def test_what_is_not_text_is_refused_by_name(tmp_path, name, data, kind, todo):
    path = tmp_path / name
    path.write_bytes(data)
    for command in (["count"], ["encode", "-f"], ["spans", "-f"], ["explain", "-f"], ["compare"], ["bench"]):
        done = call(*command, path, code=1)
        (line,) = done.stderr.splitlines()[-1:]
        assert name in line
        assert kind in line
        assert todo in line
        assert done.stdout.replace("\n", "") in ("", "[]")
    (line,) = call("count", stdin=data, code=1).stderr.splitlines()
    assert line.startswith("wordsplit: -: ")


def test_other_text_is_taken_as_it_is(tmp_path, tok):
    for data in (b"caf\xe9 in Latin-1", b"a NUL\0 and \x1b[31m among text" * 3, b"\xef\xbb\xbfa mark"):
        (tmp_path / "a.txt").write_bytes(data)
        ids = tok.encode(data)
        assert call("encode", "-f", tmp_path / "a.txt").stdout == " ".join(map(str, ids)) + "\n"
        assert call("decode", "--raw", *ids).stdout_bytes == data


def test_files_that_are_refused_do_not_hide_the_others(tmp_path):
    (tmp_path / "a.txt").write_text("hello world")
    (tmp_path / "b.bin").write_bytes(bytes(range(256)))
    (tmp_path / "c.txt").write_text("hello")
    done = call("count", tmp_path, code=1)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["2", "1", "3"]
    assert "b.bin: not text" in done.stderr


# Arguments that are names of files.


@pytest.mark.parametrize("command", ["encode", "spans", "explain", "show"][:: by_depth(4, 1, 1)])
def test_a_file_where_a_text_is_expected(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text("hello world")
    done = call(command, "README.md", code=1)
    assert done.stdout == ""
    assert "'README.md' is a file: read it with --file README.md" in done.stderr
    named = call(command, "--text", "README.md")
    assert named.stderr == ""
    missing = call(command, "REDME.md")
    assert "'REDME.md' is used as text because there is no such file" in missing.stderr
    assert len(call(command, "a/b" * 10_000).stderr) < 1000  # base64, such as that of a file
    for text in ("hello", "Hello, world.", "https://example.org/a.html", "a b/c", "3.5"):
        assert call(command, text).stderr == ""


def test_compare_takes_no_misspelt_name_for_a_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("REDME.md", "docs/a", "docs\\a"):
        done = call("compare", name, code=1)
        assert f"no file, folder or match for {name!r}; to give the text itself use --text" in done.stderr
        assert "text 1" in call("compare", "--text", name).stdout
    assert "text" in call("compare", "hello").stdout


# Special tokens.


LITERAL = "<|im_start|>"


@pytest.mark.parametrize("command", ["encode", "spans", "explain --json", "show --json"])
def test_one_rule_for_special_tokens(command, tok):
    parsed = call(*command.split(), LITERAL).stdout
    assert parsed == call(*command.split(), "--special", "parse", LITERAL).stdout
    text = call(*command.split(), "--special", "text", LITERAL).stdout
    assert parsed != text
    done = call(*command.split(), "--special", "error", LITERAL, code=1)
    assert "special token '<|im_start|>'" in done.stderr


def test_special_tokens_in_counts_and_comparisons(tok, tmp_path):
    (tmp_path / "a.txt").write_text(LITERAL)
    for given in (["--text", LITERAL], [tmp_path / "a.txt"]):
        assert call("count", *given).stdout == "1\n"
        assert call("count", "--special", "text", *given).stdout == f"{tok.count(LITERAL, special='text')}\n"
        rows = [
            json.loads(call("compare", "-v", "qwen3", "--json", *more, *given).stdout)["tokens"]
            for more in ([], ["--special", "text"])
        ]
        assert rows == [1, tok.count(LITERAL, special="text")]
    assert "the same" in call("verify", "--special", "text", "--text", LITERAL).stdout
    assert "the same" in call("verify", "cl100k_base", "--special", "text", "-t", "<|endoftext|>").stdout


# Comparisons and sizes.


def test_compare_in_blocks_is_compare(tmp_path, monkeypatch):
    from wordsplit.features.compare import compare

    monkeypatch.setattr("wordsplit.cli._texts.BLOCK", 7)
    data = "Some words,\u3000 你好  wide\xa0spaces\n\r\n e\u0301 x".encode() + b"\xff \xe4\xbd y"
    (tmp_path / "a.txt").write_bytes(data)
    row = json.loads(call("compare", tmp_path / "a.txt", "-v", "qwen3", "--json").stdout)
    (want,) = compare({row["text"]: data}, [wordsplit.load_tokenizer("qwen3")])
    assert row == want.to_dict()


@pytest.mark.parametrize(("command", "most"), [("explain", 1 << 16), ("show", 1 << 20)])
def test_texts_that_are_too_large_to_show(command, most, tmp_path):
    """50 MB took `explain` 4.8 GB, until it was killed."""
    (tmp_path / "a.txt").write_text("w" * (most + 1))
    done = call(command, "-f", tmp_path / "a.txt", code=1)
    assert f"{command} takes texts of up to {most:,} bytes" in done.stderr
    assert done.stdout == ""


def test_lines(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"hello world\r\n\nhello\n")
    assert call("encode", "--lines", "-f", tmp_path / "a.txt").stdout == "14990 1879\n\n14990\n"
    assert call("encode", "--lines", "hello\nhello world\n").stdout == "14990\n14990 1879\n"
    assert call("encode", "--lines", "hello\r\nhello world").stdout == "14990\n14990 1879\n"
    (tmp_path / "a.jsonl").write_text('{"text": "hello\\r\\nhello world\\n"}\n')
    assert call("encode", "--lines", "-f", tmp_path / "a.jsonl").stdout == "14990\n14990 1879\n"


# Output.


def test_json_lines_and_one_document():
    rows = [json.loads(line) for line in call("encode", "--json", "a", "b").stdout.splitlines()]
    assert rows == [{"vocab": "qwen3", "ids": [64], "count": 1}, {"vocab": "qwen3", "ids": [65], "count": 1}]
    assert json.loads(call("encode", "--json-array", "a", "b").stdout) == rows
    assert json.loads(call("encode", "--json-array", "--lines", stdin=b"").stdout) == []
    assert len(json.loads(call("vocabs", "--json-array").stdout)) > 7
    assert json.loads(call("decode", "--json-array", "14990").stdout) == [{"vocab": "qwen3", "text": "hello"}]
    assert [row["path"] for row in json.loads(call("cache", "path", "--json-array").stdout)]
    done = call("encode", "--json-array", "-v", "nosuch", "a", code=1)
    assert done.stdout == ""


@pytest.mark.parametrize("command", ["encode", "spans", "count", "explain", "show", "compare", "inspect", "vocabs"])
def test_every_command_says_how_it_writes_json(command):
    shown = call(command, "--help").stdout
    assert "JSON Lines" in shown
    assert "--json-array" in shown


ESCAPES = "a\x1b[31mred\x1b[0m\x07\x9b \r\n\ttab\x00"


def test_output_is_byte_for_byte(tok, tmp_path):
    """Escape sequences were lost in pipes."""
    assert call("decode", *tok.encode(ESCAPES)).stdout_bytes == ESCAPES.encode() + b"\n"
    half = tok.encode("🦜")[:1]
    assert call("decode", *half).stdout_bytes == tok.decode_bytes(half) + b"\n"
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": ESCAPES}]))
    assert ESCAPES.encode() in call("chat", chat, "--text").stdout_bytes
    assert json.loads(call("spans", "--json", ESCAPES).stdout)["spans"] == tok.spans(ESCAPES)


# Chats.


def test_templates_by_name_or_file(tmp_path):
    chat = tmp_path / "chat.json"
    chat.write_text('[{"role": "user", "content": "Hi"}]')
    default = call("chat", chat).stdout
    assert call("chat", chat, "--template", "default").stdout == default
    for name in ("nosuch", "no/such.jinja", "x" * 5000, "{{ messages }}", str(tmp_path)):
        done = call("chat", chat, "--template", name, code=1)
        assert "no template and no file named" in done.stderr
        assert done.stdout == ""


# Names that are no names.


@pytest.mark.parametrize(
    "name", ["a/" * 5000, "a" * 5000, "a/" + "b" * 5000, "hf:" + "a/" * 5000, "x" * 5000 + ".json"]
)
def test_names_that_are_too_long(name):
    done = call("count", "--vocab", name, "--text", "x", code=1)
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 700


@pytest.mark.parametrize("command", ["encode", "count", "compare", "spans", "show", "explain"])
def test_errors_name_the_file_and_the_text(command, tmp_path):
    lines = tmp_path / "some.jsonl"
    row = json.dumps({"text": "fine"}) + "\n"
    n = 5000 if command in ("encode", "count", "compare") else 3  # more than one group
    lines.write_text(n * row + json.dumps({"text": "<|endoftext|>"}) + "\n" + row)
    plain = tmp_path / "plain.txt"
    plain.write_text("<|endoftext|>")
    for path, where in ((lines, f"{lines}, text {n + 1:,}: "), (plain, f"{plain}: ")):
        given = [str(path)] if command in ("count", "compare") else ["--file", str(path)]
        done = call(command, "--special", "error", *given, code=1)
        assert done.stderr.splitlines()[-1].startswith(f"wordsplit: {where}the text holds the special token")
