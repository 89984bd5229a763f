"""The command line among shells, pipes and folders."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from cli.run import interruptible, out, run

WORDSPLIT = f"{sys.executable} -m wordsplit"


@pytest.fixture
def folder(tmp_path):
    for name in ("a.txt", "b/c.txt", "b/d.md", ".hidden", ".git/e.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("hello world")
    return tmp_path


def test_count_folders_and_globs(folder):
    assert out("count", ".", cwd=folder) == "2\t./a.txt\n2\t./b/c.txt\n2\t./b/d.md\n6\ttotal\n"
    assert out("count", "**/*.txt", cwd=folder) == "2\ta.txt\n2\tb/c.txt\n4\ttotal\n"
    assert out("count", "*.txt", cwd=folder) == "2\n"
    assert out("count", "b", "a.txt", cwd=folder).endswith("6\ttotal\n")
    rows = [json.loads(line) for line in out("count", "b", "--json", cwd=folder).splitlines()]
    assert rows == [{"vocab": "qwen3", "file": f"b/{name}", "count": 2} for name in ("c.txt", "d.md")]
    table = list(csv.DictReader(io.StringIO(out("count", "b", "--csv", cwd=folder))))
    assert table == [{"vocab": "qwen3", "file": f"b/{name}", "count": "2"} for name in ("c.txt", "d.md")]
    (folder / "empty").mkdir()
    for name in ("*.rst", "empty", "none.txt"):
        done = run("count", name, cwd=folder)
        assert (done.returncode, name in done.stderr) == (1, True)
    assert "no file" in run("count", "text " * 1000).stderr
    (folder / "[x].txt").write_text("hello")
    assert out("count", "[x].txt", cwd=folder) == "1\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell):
    script = out(env={"_WORDSPLIT_COMPLETE": f"{shell}_source"})
    assert f"_WORDSPLIT_COMPLETE={shell}_complete" in script


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("wordsplit ex", ["plain,explain"]),
        ("wordsplit encode --vocab o200", ["plain,o200k_base", "plain,o200k_harmony"]),
        ("wordsplit compare -v gpt2 -v r50", ["plain,r50k_base"]),
        ("wordsplit inspect cl100", ["plain,cl100k_base"]),
        ("wordsplit encode -e heap", ["plain,heap_merge"]),
        ("wordsplit encode -s o2", ["plain,o200k"]),
        ("wordsplit encode --spec", ["plain,--special"]),
        ("wordsplit encode --special t", ["plain,text"]),
        ("wordsplit inspect ./model", ["file,./model"]),
        ("wordsplit count RE", ["file,RE"]),
    ],
)
def test_completions(words, found):
    env = {
        "_WORDSPLIT_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    assert out(env=env).splitlines() == found


@pytest.mark.parametrize(
    "command", ["encode --lines", "explain --lines", "show --lines", "spans --lines", "decode --raw", "compare --csv"]
)
def test_a_reader_that_goes_away_gets_no_message(command):
    text = "1 2 3\n" * 20_000
    piped = f"{WORDSPLIT} {command} | head -c 1"
    done = subprocess.run(["sh", "-c", piped], input=text, capture_output=True, text=True, check=False)
    assert len(done.stdout) == 1
    assert done.stderr == ""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_control_c_is_one_line():
    process = subprocess.Popen(
        [sys.executable, "-m", "wordsplit", "encode", "--file", "-", "--file", "/dev/stdin", "a"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=interruptible,  # noqa: PLW1509 - there are no threads
    )
    assert process.stdout.readline() == "64\n"  # it waits for standard input now
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert stderr.strip() == "wordsplit: interrupted"
    assert stdout == ""
