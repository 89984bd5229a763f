"""Commands: what they print, and how they fail."""

import json
import subprocess
import sys

import pytest
from cli.run import out, run

import wordsplit
from wordsplit import TemplatePart


def test_the_main_job():
    assert out("encode", "hello world") == "14990 1879\n"
    assert out("decode", "14990", "1879") == "hello world\n"


def test_encode(tmp_path):
    assert out("encode", "-v", "cl100k_base", "hello world") == "15339 1917\n"
    assert out("encode", stdin="hello world") == "14990 1879\n"
    assert out("encode", "--lines", stdin="hello world\nhello world\n") == "14990 1879\n14990 1879\n"
    path = tmp_path / "text.txt"
    path.write_text("hello world")
    assert json.loads(out("encode", "--json", "-f", str(path))) == {
        "vocab": "qwen3",
        "file": str(path),
        "count": 2,
        "ids": [14990, 1879],
    }
    assert out("encode", "--special", "text", "<|im_start|>") != "151644\n"
    assert out("encode", "--encoder", "backtracking", "--spanner", "regex", "hello world") == "14990 1879\n"
    assert out("encode", "--engine", "python", "hello world") == "14990 1879\n"


def test_pairs(tmp_path):
    parts = [TemplatePart(text="first"), TemplatePart((0,)), TemplatePart(text="second", type_id=1)]
    path = tmp_path / "pairs.json"
    wordsplit.load_vocab("r50k_base").replace(pair_template=parts).save_tokenizer_json(path)
    given = ("encode", "-v", str(path), "--pair")
    assert out(*given, "hello", " world") == "31373 0 995\n"
    assert json.loads(out(*given, "--json", "hello", "-t", " world")) == {
        "vocab": "pairs",
        "ids": [31373, 0, 995],
        "type_ids": [0, 0, 1],
        "count": 3,
    }
    (tmp_path / "first.txt").write_text("hello")
    (tmp_path / "second.txt").write_text(" world")
    files = ("-f", str(tmp_path / "first.txt"), "-f", str(tmp_path / "second.txt"))
    assert out(*given, *files) == "31373 0 995\n"
    for texts in (("a",), ("a", "b", "c")):
        assert "give two texts" in run(*given, *texts).stderr
    assert "first:0 0:0 second:1" in out("inspect", str(path))


def test_decode():
    assert out("decode", stdin="[14990, 1879]") == "hello world\n"
    assert out("decode", "--raw", "14990") == "hello"
    assert json.loads(out("decode", "--json", "14990")) == {"vocab": "qwen3", "text": "hello"}


def test_count(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("hello world")
    assert out("count", str(path)) == "2\n"
    assert out("count", "--text", "hello world", "-v", "gpt-4o") == "2\n"
    assert out("count", str(path), str(path)).endswith("4\ttotal\n")
    assert out("count", stdin="hello") == "1\n"


def test_spans():
    assert out("spans", "Hello, world!") == '"Hello"\n","\n" world"\n"!"\n'


def test_inspect_and_vocabs():
    facts = json.loads(out("inspect", "o200k_harmony", "--json"))
    assert (facts["n_vocab"], facts["scheme"], len(facts["added_tokens"])) == (201088, "o200k", 1091)
    text = out("inspect", "qwen3")
    assert "151669" in text
    assert "nfc" in text
    rows = [json.loads(line) for line in out("vocabs", "--json").splitlines()]
    assert {row["name"] for row in rows} >= {"qwen3", "cl100k_base"}
    for row in rows:
        if row["where"] != "package":
            continue
        assert row["n_vocab"] == wordsplit.load_vocab(row["name"]).n_vocab
    assert "gpt-4o" in out("vocabs", "--aliases")


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("encode", "-v", "qwen4", "x"), 1, "Did you mean 'qwen3'"),
        (("encode", "-v", "no/such.json", "x"), 1, "no file or folder"),
        (("encode", "-f", "no-such.txt"), 1, "no-such.txt"),
        (("encode", "--encoder", "heap", "x"), 1, "heap_merge"),
        (("count", "hello world"), 1, "--text"),
        (("decode", "-5"), 1, "-5"),
        (("decode", "one"), 1, "'one'"),
        (("encode", "--special", "error", "<|im_end|>"), 1, "im_end"),
        (("encode", "--nonsense"), 2, "nonsense"),
        (("nonsense",), 2, "nonsense"),
    ],
)
def test_errors_go_to_stderr_with_a_code(args, code, message):
    done = run(*args)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.full
def test_help_has_examples():
    for command in (
        (),
        ("encode",),
        ("decode",),
        ("count",),
        ("spans",),
        ("explain",),
        ("show",),
        ("compare",),
        ("chat",),
        ("inspect",),
        ("vocabs",),
        ("bench",),
        ("prefetch",),
        ("cache",),
        ("verify",),
        ("train",),
    ):
        assert "Examples:\n" in out(*command, "--help")


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m wordsplit encode --lines | head -1"
    done = subprocess.run(
        ["sh", "-c", command], input="hello world\n" * 50_000, capture_output=True, text=True, check=False
    )
    assert done.stdout == "14990 1879\n"
    assert done.stderr == ""
