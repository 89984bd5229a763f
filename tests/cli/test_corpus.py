"""The command `wordsplit corpus` as users type it."""

import json

import pytest
from cli.run import out, run

from wordsplit import corpus


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.txt").write_text("hello world\n\nhello\n")
    (tmp_path / "in/b.jsonl").write_text('{"text": "hello world", "id": 7}\n{"text": 3}\n')
    return tmp_path


def test_encode_status_verify_export_count(folder):
    where = {"cwd": folder}
    done = run("corpus", "encode", "in", "-o", "out", "--documents", "line", **where)
    assert done.returncode == 1
    assert "b.jsonl: line 2, column 'text': a text must be a string, not a number: 3" in done.stderr
    status = out("corpus", "status", "out", **where)
    assert "incomplete: run the same command again to continue" in status
    arguments = ["in", "--documents", "line", "--on-error", "skip"]
    done = run("corpus", "encode", *arguments, "-o", "out", **where)
    assert "on_error: 'fail' in the plan, 'skip' now" in done.stderr
    found = out("corpus", "encode", *arguments, "-o", "out", "--fresh", "--id-field", "id", **where)
    assert found.startswith("documents       3 of 5 (1 empty, 1 skipped)\ntokens          5\ntext            27")
    assert json.loads(out("corpus", "status", "out", "--json", **where))["complete"] is True
    assert out("corpus", "verify", "out", **where) == "out: ok\n"
    assert json.loads(out("corpus", "verify", "out", "--json", **where)) == {
        "folder": "out",
        "ok": True,
        "problems": [],
    }
    opened = corpus.open(folder / "out")
    assert [(ids.tolist(), opened.key(at)) for at, ids in enumerate(opened)] == [
        ([14990, 1879], ""),
        ([14990], ""),
        ([14990, 1879], "7"),
    ]
    assert out("corpus", "export", "out", "-o", "data", "--format", "npy", **where) == "data: 2 files\n"
    files = json.loads(out("corpus", "export", "out", "-o", "meg/train", "--format", "megatron", "--json", **where))
    assert len(files["files"]) == 4  # with the names of documents
    done = run("corpus", "export", "out", "-o", "data", "--format", "npy", **where)
    assert (done.returncode, "exists already" in done.stderr) == (1, True)
    counted = json.loads(out("corpus", "count", *arguments, "--json", **where))
    assert (counted["tokens"], counted["documents"]["written"]) == (5, 3)
    path = folder / "out/shards/000000.tokens"
    path.write_bytes(path.read_bytes()[:-4])
    done = run("corpus", "verify", "out", **where)
    assert (done.returncode, done.stdout) == (1, "shards/000000.tokens: 16 bytes, not 20\n")


def test_separators_are_written_with_escapes(folder):
    (folder / "c.txt").write_text("a\n\nb\n\nc")
    done = out("corpus", "encode", "c.txt", "-o", "out", "--separator", r"\n\n", "--eos", "<|endoftext|>", cwd=folder)
    assert done.startswith("documents       3\ntokens          6\n")


def test_sizes_and_workers(folder):
    (folder / "c.txt").write_text("hello world\n" * 1000)
    arguments = [
        "c.txt",
        "-o",
        "out",
        "--documents",
        "line",
        "--workers",
        "2",
        "--memory",
        "64M",
        "--unit-bytes",
        "4KiB",
    ]
    assert json.loads(out("corpus", "encode", *arguments, "--json", cwd=folder))["run"]["units"] == 3
    done = run("corpus", "encode", "c.txt", "-o", "x", "--memory", "lots", cwd=folder)
    assert (done.returncode, "'lots' is not a size: give bytes, or a number with K" in done.stderr) == (2, True)
    done = run("corpus", "encode", "c.txt", "-o", "x", "--memory", "1M", cwd=folder)
    assert (done.returncode, "give at least 16 MiB" in done.stderr) == (1, True)


def test_progress_as_json(folder):
    done = run("corpus", "encode", "in/a.txt", "-o", "out", "--progress", "json", cwd=folder)
    last = json.loads(done.stderr.splitlines()[-1])
    assert last["units_done"] == last["units"] == 1
    assert last["tokens"] == 5


@pytest.mark.parametrize("command", ["", "encode", "status", "verify", "export", "count"])
def test_help_has_examples(command):
    shown = out("corpus", *([command] if command else []), "--help")
    assert "Examples:\n  wordsplit corpus" in shown.replace("\n    ", "\n  ")


def test_wrong_names(folder):
    for arguments, message in (
        (["encode", "in", "-o", "out", "--format", "megatrom"], "Did you mean 'megatron'?"),
        (["encode", "nowhere", "-o", "out"], "no file, folder or match for 'nowhere'"),
        (["encode", "in", "-o", "out", "--vocab", "qwen33"], "Did you mean 'qwen3"),
        (["encode", "in", "-o", "in/a.txt"], "in/a.txt: cannot be written: "),
        (["encode", "in/a.txt", "-o", "in"], "no files in 'in/a.txt' outside the output folder"),
        (["encode", "in", "-o", "out", "--eos", "<nosuch>"], "--eos '<nosuch>': not a special token or an id"),
        (["encode", "in", "-o", "out", "--unit-bytes", "0"], "--unit-bytes 0: give a whole number, 1 or more"),
        (["status", "in"], "not a folder that `wordsplit corpus encode` writes"),
        (["verify", "nowhere"], "it has no plan.json"),
        (["export", "in", "-o", "x", "--format", "npy"], "not a tokenized corpus"),
    ):
        done = run("corpus", *arguments, cwd=folder)
        assert done.returncode == 1, arguments
        assert message in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
