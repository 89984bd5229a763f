"""The command line among shells, pipes and folders."""

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.run import interruptible, out, run

import wordsplit

WORDSPLIT = f"{sys.executable} -m wordsplit"


@pytest.fixture
def folder(tmp_path):
    for name in ("a.txt", "b/c.txt", "b/d.md", ".hidden", ".git/e.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("hello world")
    return tmp_path


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no file on which no byte fits")
@pytest.mark.parametrize("command", [("encode", "hello"), ("vocabs", "--json"), ("show", "hello")])
def test_a_full_disk_behind_standard_output(command):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run([*WORDSPLIT.split(), *command], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"wordsplit: standard output: No space left on device\n")


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
        ("wordsplit encode --vocab gpt-4o", ["plain,gpt-4o"]),
        ("wordsplit verify cl100", ["plain,cl100k_base"]),
        ("wordsplit count --as js", ["plain,jsonl"]),
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


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("command", ["count", "encode", "spans", "decode"])
def test_control_c_within_long_work(command):
    """One line, at once, however much there is to read."""
    block = (b"1 " if command == "decode" else b"some words of text\n") * 4000
    process = subprocess.Popen(
        [sys.executable, "-m", "wordsplit", command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=interruptible,  # noqa: PLW1509 - there are no threads
    )
    with contextlib.suppress(BrokenPipeError):
        for number in range(10_000):
            if number == 200:  # many more than a pipe holds, so it reads
                process.send_signal(signal.SIGINT)
            process.stdin.write(block)
        pytest.fail("it went on to read")
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, b"wordsplit: interrupted\n")


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("command", ["encode", "spans", "encode --lines", "encode --json", "decode"])
def test_a_closed_pipe_gives_the_code_of_other_tools(command):
    text = "1 " if command == "decode" else "some words of text"
    source = subprocess.Popen(["yes", text], stdout=subprocess.PIPE)
    process = subprocess.Popen(
        [sys.executable, "-m", "wordsplit", *command.split()],
        stdin=source.stdout,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    source.stdout.close()
    assert process.stdout.read(10)
    process.stdout.close()
    assert (process.stderr.read(), process.wait(timeout=60)) == (b"", 141)
    process.stderr.close()
    source.wait(timeout=60)


@pytest.mark.skipif(os.name != "posix", reason="closed streams")
def test_closed_streams_are_failures_like_others():
    """A traceback told of an attribute of None, and with messages closed alone the exit code was 1."""
    for command, told in [
        ("encode <&-", "wordsplit: -: cannot be read: Bad file descriptor\n"),
        ("chat <&-", "wordsplit: Bad file descriptor\n"),
        ("encode hi >&-", "wordsplit: standard output: Bad file descriptor\n"),
        ("--help >&-", "wordsplit: Bad file descriptor\n"),
    ]:
        done = subprocess.run(f"{WORDSPLIT} {command}", shell=True, capture_output=True, text=True, check=False)  # noqa: S602
        assert (done.returncode, done.stdout, done.stderr) == (1, "", told)
    done = subprocess.run(f"{WORDSPLIT} encode hi 2>&-", shell=True, capture_output=True, text=True, check=False)  # noqa: S602
    assert (done.returncode, done.stdout) == (0, "6023\n")


FAILING = """
import sys, wordsplit.api, wordsplit.cli
def fail(*_, **__):
    raise ERROR
wordsplit.api.load_tokenizer = fail
sys.argv = ["wordsplit", "count", "-t", "hello"]
wordsplit.cli.main()
"""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("MemoryError('std::bad_alloc')", "there is not enough memory"),
        ('RuntimeError("can\'t start new thread")', "the system starts no more threads"),
    ],
)
def test_what_the_system_does_not_give_is_one_line(error, told):
    """There was a traceback."""
    program = FAILING.replace("ERROR", error)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(f"wordsplit: {told}")


def test_arguments_that_are_not_text_are_bytes():
    """As in files, and in a locale without UTF-8."""
    expected = wordsplit.load_tokenizer("qwen3").encode(b"a\xff\xe9b")
    ids = " ".join(map(str, expected)) + "\n"
    assert out("encode", b"a\xff\xe9b") == ids
    assert out("count", "-t", b"a\xff\xe9b") == f"{len(expected)}\n"
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert out("encode", "hé🦜", env=ascii_only) == out("encode", "hé🦜")


def test_a_wrong_command_line_is_helped():
    for command, subcommand in [((), "encode"), (("cache",), "prune")]:
        done = run(*command)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("Usage: wordsplit")
        assert f"\n  {subcommand} " in done.stderr  # on a line of its own
    for command, told in [
        ("encod", "No such command 'encod'. Did you mean 'encode' or 'decode'"),
        ("encode --vocb", "--vocb"),
        ("inspect nosuch", "Known names: albert, "),
    ]:
        stderr = run(*command.split()).stderr
        assert told in stderr
        assert "?." not in stderr


def on_terminal(*args, env=None):
    pty = pytest.importorskip("pty")
    control, terminal = pty.openpty()
    subprocess.run(
        [sys.executable, "-m", "wordsplit", *args], stdout=terminal, check=True, env={**os.environ, **(env or {})}
    )
    os.close(terminal)
    shown = os.read(control, 10_000).decode()
    os.close(control)
    return shown


def test_a_chat_from_the_terminal_is_asked_for():
    pty = pytest.importorskip("pty")
    control, terminal = pty.openpty()
    os.write(control, b"[]\n\x04")
    done = subprocess.run(
        [sys.executable, "-m", "wordsplit", "chat"], stdin=terminal, capture_output=True, text=True, check=False
    )
    os.close(terminal)
    os.close(control)
    assert done.stderr.startswith("wordsplit: reading from the terminal; end with Ctrl-D\n")


def test_control_characters_are_signs_on_a_terminal():
    text = "a\x1b[31mred\x07\x9b\r\n\ttab"
    ids = json.loads(out("encode", "--json", text))["ids"]
    shown = on_terminal("decode", *map(str, ids))
    assert shown == "a␛[31mred␇<U+009B>␍\r\n\ttab\r\n"  # the terminal itself turns \n into \r\n


def test_poor_terminals():
    """Escapes for what the encoding lacks, and no colours where they are not understood."""
    assert on_terminal("spans", "hé", env={"PYTHONIOENCODING": "ascii"}) == '"h\\xe9"\r\n'
    assert "\x1b[" in on_terminal("show", "hi", env={"TERM": "xterm", "NO_COLOR": ""})
    assert on_terminal("show", "hi", env={"TERM": "dumb", "NO_COLOR": ""}) == "hi\r\n6023\r\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Read:
    """A file that is read."""

    size = 2_000_000_000
    position = 0


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_progress_is_one_line_of_any_terminal(columns, monkeypatch):
    """A line that wraps cannot be written over, and was repeated."""
    from wordsplit import status_line
    from wordsplit.cli import _progress

    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(status_line, "_columns", lambda: columns)
    monkeypatch.setattr(status_line, "_SECONDS", 0)
    monkeypatch.setattr(_progress, "_AFTER", 0)
    progress = _progress.ReadingProgress(Read.size)
    progress._line._seconds = 0
    file = Read()
    for at in progress.watch(file, iter(range(10))):
        file.position = at * 200_000_000
    *lines, last = terminal.getvalue().split("\r\033[K")[1:]
    assert last == ""
    assert len(lines) == 10
    assert all(0 < len(line) < columns for line in lines)
    assert lines[5].startswith("[####      ]")
    assert "\n" not in terminal.getvalue()
    if columns >= 40:
        assert all(" left, " in line for line in lines[2:])


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch):
    from wordsplit.cli import _progress

    monkeypatch.setattr(_progress, "_AFTER", 0)
    for stderr, term in [(io.StringIO(), "xterm"), (Terminal(), "dumb"), (None, "xterm")]:
        monkeypatch.setenv("TERM", term)
        monkeypatch.setattr(sys, "stderr", stderr)
        assert list(_progress.ReadingProgress(5).watch(Read(), iter("abc"))) == ["a", "b", "c"]
        assert stderr is None or stderr.getvalue() == ""


def test_the_log():
    for args, env in [
        (("--verbose", "count", "-t", "x"), {}),
        (("count", "--verbose", "-t", "x"), {}),
        (("count", "-t", "x"), {"WORDSPLIT_LOG": "debug"}),
    ]:
        done = run(*args, env=env)
        assert (done.returncode, done.stdout) == (0, "1\n")
        assert "wordsplit: DEBUG: " in done.stderr
    assert out("count", "-t", "x", env={"WORDSPLIT_LOG": "info"}) == "1\n"
    done = run("count", "-t", "x", env={"WORDSPLIT_LOG": "loud"})
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "debug, info, warning, error" in done.stderr


def test_the_library_logs_and_prints_nothing(caplog, capsys, tmp_path):
    vocab = wordsplit.load_vocab("r50k_base")
    vocab.save_tokenizer_json(tmp_path / "tokenizer.json")
    with caplog.at_level("DEBUG", logger="wordsplit"):
        wordsplit.load_vocab(tmp_path)
    assert [(record.name, record.levelname) for record in caplog.records][:1] == [("wordsplit", "DEBUG")]
    assert str(tmp_path) in caplog.text
    assert capsys.readouterr() == ("", "")


def test_logging_costs_nothing_where_nobody_listens():
    code = "import sys, wordsplit; wordsplit.load_tokenizer('qwen3').encode('x'); assert 'logging' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "args",
    [
        ("encode", "--nonsense"),
        ("nonsense",),
        ("chat", "--set", "x"),
        ("train",),
        ("count", "--csv", "--json"),
        ("compare", "--json", "--csv", "x"),
    ],
)
def test_wrong_usage_is_one_line(args):
    done = run(*args, stdin="[]")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("wordsplit: ")
    assert " --help'." in done.stderr


@pytest.mark.parametrize(
    ("args", "option", "argument"),
    [
        (("encode", "--special", "error", "<|im_end|>"), "--special text", "special="),
        (("encode", "--special", "error", "<|im_end|>"), "wordsplit: the text holds", "batch"),
        (("count", "--special", "error", "-t", "<|im_end|>"), "wordsplit: the text holds", "batch"),
        (("compare", "--special", "error", "<|endoftext|>"), "wordsplit: text: the text holds", "batch"),
        (("corpus", "encode", "a.txt", "-o", "out", "--eos", "x"), "--eos x", "eos="),
        (("corpus", "encode", "a.txt", "-o", "out", "--memory", "1"), "--memory 1", "memory="),
        (("corpus", "encode", "a.txt", "-o", "out", "--unit-bytes", "0"), "--unit-bytes 0", "unit_bytes="),
        (("encode", "--spanner", "gpt2", "text"), "--spanner auto", "spanner="),
        (("encode", "-v", "{folder}", "text"), "--pattern", "pattern="),
        (("chat", "-v", "gpt2"), "--template", "template="),
        (("train", "--vocab-size", "20", "-o", "x.json", "a.txt"), "--vocab-size 20", "vocab_size="),
    ],
)
def test_messages_name_options(args, option, argument, tmp_path):
    """They named Python's arguments."""
    vocab = wordsplit.load_vocab("cl100k_base")
    (tmp_path / "a.txt").touch()
    if "{folder}" in args:
        vocab.save_tiktoken(tmp_path / "my.tiktoken")
    done = run(*(arg.format(folder=tmp_path) for arg in args), stdin='[{"role": "user", "content": "x"}]', cwd=tmp_path)
    assert done.returncode == 1
    assert option in done.stderr
    assert argument not in done.stderr
    assert done.stderr.count("\n") == 1
