"""``wordsplit bench``: rows, checks, messages."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

import wordsplit
from wordsplit.cli.bench import command
from wordsplit.errors import OptionsError, UnknownNameError
from wordsplit.spanners import TextSpanner

ENCODERS = wordsplit.encoders.names_for(wordsplit.load_vocab("qwen3"))
TEXT = "It's 2024, and the naïve façade is 東京 tall.\n\n    def f(x): return x ** 2\n" * 5


@pytest.fixture
def text_file(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def bench(*args):
    done = CliRunner().invoke(command, ["--seconds", "0", *args])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done


def test_a_row_for_every_spanner_that_fits_and_every_encoder(text_file):
    rows = [json.loads(line) for line in bench("--json", text_file).stdout.splitlines()]
    assert {row["encoder"] for row in rows} == {"auto", *ENCODERS}
    assert {row["spanner"] for row in rows} == {"auto", "compiled", "qwen2", "regex"}
    for row in rows:
        assert row["vocab"] == "qwen3"
        assert row["bytes"] == len(TEXT.encode())
        assert row["tokens"] == wordsplit.load_tokenizer("qwen3").count(TEXT)
        assert row["same_ids"]
        assert min(row["first_mb_per_s"], row["warm_mb_per_s"], row["warm_tokens_per_s"]) > 0
    assert (rows[0]["spanner"], rows[0]["resolved_spanner"]) == ("auto", "qwen2")


def test_the_table_is_on_stdout_and_the_rest_on_stderr(text_file):
    done = bench("--vocab", "cl100k_base", text_file)
    lines = done.stdout.splitlines()
    assert lines[0].split()[:2] == ["spanner", "encoder"]
    assert len(lines) == 1 + 4 + len(ENCODERS)
    assert all(len(line.split()) == 5 for line in lines[1:])
    assert done.stderr == f"cl100k_base: {len(TEXT.encode()):,} bytes of your text\n"


def test_standard_input():
    done = CliRunner().invoke(command, ["--seconds", "0", "--json", "-"], input="hello world")
    assert {json.loads(line)["tokens"] for line in done.stdout.splitlines()} == {2}


def test_other_ids_are_told(text_file):
    class Letters(TextSpanner):
        def pieces(self, text):
            return list(text)

    wordsplit.spanners.register("letters", Letters)
    try:
        done = bench(text_file)
    finally:
        wordsplit.spanners.unregister("letters")
    (row,) = (line for line in done.stdout.splitlines() if line.startswith("letters"))
    assert row.endswith("different ids")
    assert "spanner letters, encoder auto: different ids" in done.stderr


def test_refusals(tmp_path):
    with pytest.raises(UnknownNameError, match="no file"):
        bench("no-such.txt")
    empty = tmp_path / "empty.txt"
    empty.touch()
    with pytest.raises(OptionsError, match="empty"):
        bench(str(empty))


def test_without_a_file_it_takes_a_sample():
    code = "from wordsplit.cli.bench import _sample; assert sum(map(len, _sample())) > 100_000"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_help_has_examples():
    assert "Examples:\n" in bench("--help").stdout
