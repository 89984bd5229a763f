"""Runs that are interrupted, and continued: nothing is lost, nothing is written twice, and the bytes are the same."""

import errno
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import stat
import subprocess
import sys
import time

import pytest
from corpus.written import SETTINGS, TEXTS, read, tree, write, write_inputs
from depth import by_depth

import wordsplit
from wordsplit import CorpusError, corpus

# Encodes, and ends the process, as kill -9 does, at the n-th of the calls that change the disk.
CRASH = """
import os, sys
from wordsplit import corpus
left = int(sys.argv[3])
def counted(function):
    def call(*args, **kwargs):
        global left
        left -= 1
        if left == 0:
            os._exit(137)
        return function(*args, **kwargs)
    return call
os.replace, os.fsync = counted(os.replace), counted(os.fsync)
corpus.encode(sys.argv[1].split(os.pathsep), sys.argv[2], progress=False, workers=int(sys.argv[4]), SETTINGS)
print(left)
""".replace("SETTINGS", ", ".join(f"{name}={value!r}" for name, value in SETTINGS.items()))


def encode(inputs, out, **settings):
    return corpus.encode(inputs, out, **({"progress": False} | SETTINGS | settings))


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="module")
def whole(inputs, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "out"
    encode(inputs, out)
    return tree(out)


def crashed(inputs, out, calls, workers=1):
    arguments = [sys.executable, "-c", CRASH, os.pathsep.join(inputs), str(out), str(calls), str(workers)]
    return subprocess.run(arguments, capture_output=True, check=False, text=True)


def test_a_crash_at_every_step_loses_nothing(inputs, whole, tmp_path):
    calls = 10**9 - int(crashed(inputs, tmp_path / "count", 10**9).stdout)
    assert calls > 100
    assert tree(tmp_path / "count") == whole
    steps = range(1, calls + 1)
    for step in random.Random(1).sample(steps, min(by_depth(3, 12, calls), calls)):
        out = tmp_path / f"at-{step}"
        assert crashed(inputs, out, step).returncode == 137
        if (out / "_SUCCESS").exists():  # the crash came after the last rename
            assert tree(out) == whole
        report = encode(inputs, out, workers=2)
        assert tree(out) == whole, step
        assert report.documents["written"] == 3 * len(TEXTS)
        shutil.rmtree(out)


@pytest.mark.full
def test_several_crashes_in_a_row(inputs, whole, tmp_path):
    rng = random.Random(2)
    for _ in range(by_depth(1, 3, 20)):
        crashed(inputs, tmp_path / "out", rng.randint(1, 60), workers=rng.choice([1, 2, 4]))
    encode(inputs, tmp_path / "out")
    assert tree(tmp_path / "out") == whole


def test_kill_9_at_any_time(inputs, whole, tmp_path):
    """The command, killed again and again until it is done; by_depth(...) kills in all."""
    kills, rng = 0, random.Random(3)
    arguments = [sys.executable, "-m", "wordsplit", "corpus", "encode", *inputs, "--unit-bytes", "4000"]
    arguments += ["--eos", "vocab", "--id-field", "id", "--progress", "none"]
    began = time.monotonic()
    subprocess.run([*arguments, "-o", str(tmp_path / "timed")], check=True, capture_output=True)
    seconds = time.monotonic() - began
    run = 0
    while kills < by_depth(1, 5, 100):
        out = tmp_path / f"out-{run}"
        run += 1
        while True:
            process = subprocess.Popen([*arguments, "-o", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(rng.uniform(0.3, 1.0) * seconds)
            process.send_signal(signal.SIGKILL)
            _, errors = process.communicate()
            assert process.returncode in (0, -signal.SIGKILL), errors
            if process.returncode == 0:
                break
            kills += 1
        assert tree(out) == whole
        shutil.rmtree(out)


def test_ctrl_c_says_how_to_continue(inputs, whole, tmp_path):
    big = tmp_path / "big.jsonl"
    small = pathlib.Path(inputs[0]).read_bytes()
    big.write_bytes(small * (80_000_000 // len(small)))
    arguments = [sys.executable, "-m", "wordsplit", "corpus", "encode", str(big), "-o", str(tmp_path / "out")]
    process = subprocess.Popen([*arguments, "--unit-bytes", "1M"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not list((tmp_path / "out").glob("records/*.json")):
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert b"interrupted; finished units are kept. Continue with:\n  wordsplit corpus encode" in errors
    assert not list((tmp_path / "out").rglob("*.tmp-*"))
    assert 0 < corpus.status(tmp_path / "out").units_done < corpus.status(tmp_path / "out").units
    subprocess.run([*arguments, "--unit-bytes", "1M"], check=True, capture_output=True)
    assert corpus.verify(tmp_path / "out") == []


def test_a_finished_run_does_nothing_again(inputs, tmp_path):
    encode(inputs, tmp_path / "out")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*") if path.name != ".lock"}
    report = encode(inputs, tmp_path / "out")
    assert report.documents["written"] == 3 * len(TEXTS)
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*") if path.name != ".lock"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"special": "parse"}, "special: 'text' in the plan, 'parse' now"),
        ({"eos": "none"}, r"suffix: \[151645\] in the plan, \[\] now"),
        ({"tokenizer": "cl100k_base"}, "vocab: 'qwen3' in the plan, 'cl100k_base' now"),
        ({"format": "megatron"}, "dtype: 'uint32' in the plan, 'int32' now; format: 'raw' in the plan"),
        ({"unit_bytes": 5000}, "unit_bytes: 4000 in the plan, 5000 now"),
    ],
)
def test_other_settings_are_refused_and_shown(inputs, tmp_path, change, message):
    encode(inputs, tmp_path / "out")
    before = tree(tmp_path / "out")
    with pytest.raises(CorpusError, match=message):
        encode(inputs, tmp_path / "out", **change)
    assert tree(tmp_path / "out") == before
    encode(inputs, tmp_path / "out", **change, fresh=True)
    assert tree(tmp_path / "out") != before
    assert corpus.verify(tmp_path / "out") == []


def test_other_inputs_are_refused_and_named(inputs, tmp_path):
    mine = [pathlib.Path(shutil.copy(path, tmp_path)) for path in inputs]
    encode(mine, tmp_path / "out")
    with pytest.raises(CorpusError, match=r"inputs gone: .*c\.parquet"):
        encode(mine[:2], tmp_path / "out")
    with pytest.raises(CorpusError, match="the inputs are in a different order"):
        encode(mine[::-1], tmp_path / "out")
    write(mine[0], TEXTS[1:])
    with pytest.raises(
        CorpusError, match=r"inputs changed: .*a\.jsonl\); name another folder, or start over with --fresh"
    ):
        encode(mine, tmp_path / "out")


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "parquet"])
def test_an_input_that_changes_midway(tmp_path, kind, monkeypatch):
    """A unit whose input is changed while it is read is not recorded."""
    path = write(tmp_path / f"a.{kind}", TEXTS)
    from wordsplit.corpus import units

    add = units._Attempt._add

    def change(self, *args):
        add(self, *args)
        os.utime(path, ns=(1, 1))

    monkeypatch.setattr(units._Attempt, "_add", change)
    with pytest.raises(CorpusError, match="it has changed since the plan was made") as caught:
        encode(path, tmp_path / "out", on_error="skip")
    assert str(path) in str(caught.value)
    assert corpus.status(tmp_path / "out").units_done == 0
    assert not list((tmp_path / "out/shards").iterdir())


def test_files_that_were_lost_or_damaged_are_made_again(inputs, whole, tmp_path):
    encode(inputs, tmp_path / "out")
    (tmp_path / "out/shards/000001.tokens").unlink()
    (tmp_path / "out/shards/000000.ends").write_bytes(b"")
    assert corpus.verify(tmp_path / "out") == [
        "shards/000000.ends: 0 bytes, not 256",
        "shards/000001.tokens: cannot be read: No such file or directory",
    ]
    encode(inputs, tmp_path / "out")
    assert tree(tmp_path / "out") == whole


def test_changed_bytes_are_found_by_verify(inputs, tmp_path):
    encode(inputs, tmp_path / "out")
    path = tmp_path / "out/shards/000002.tokens"
    data = bytearray(path.read_bytes())
    data[5] ^= 1
    path.write_bytes(data)
    assert corpus.verify(tmp_path / "out") == ["shards/000002.tokens: its content has changed (crc32)"]
    (tmp_path / "out/records/000003.json").write_text("{}")
    assert any("a damaged record" in problem for problem in corpus.verify(tmp_path / "out"))


def test_records_of_earlier_versions_have_sha256(inputs, tmp_path):
    out = tmp_path / "out"
    encode(inputs, out)
    for file in [*(out / "records").iterdir(), out / "manifest.json"]:
        content = json.loads(file.read_bytes())
        for one in content.get("shards", [content]):
            for name, described in one["files"].items():
                assert described.pop("crc32")
                described["sha256"] = hashlib.sha256((out / name).read_bytes()).hexdigest()
        file.write_text(json.dumps(content))
    assert corpus.verify(out) == []
    with (out / "shards/000002.tokens").open("r+b") as file:
        file.write(b"\xff")
    assert corpus.verify(out) == ["shards/000002.tokens: its content has changed (sha256)"]


def test_the_same_vocab_under_another_name(inputs, whole, tmp_path):
    """Its content counts."""
    encode(inputs, tmp_path / "out")
    (tmp_path / "out/records/000003.json").unlink()
    encode(inputs, tmp_path / "out", tokenizer=wordsplit.load_vocab("qwen3").replace(name="mine"))
    assert tree(tmp_path / "out") == whole


def test_damaged_plans_and_records_are_errors(inputs, tmp_path):
    encode(inputs, tmp_path / "out")
    (tmp_path / "out/_SUCCESS").unlink()
    (tmp_path / "out/records/000000.json").write_text("[]")
    with pytest.raises(CorpusError, match="a damaged record"):
        encode(inputs, tmp_path / "out")
    for data in (b"", b"{}", b"\xff", (tmp_path / "out/plan.json").read_bytes().replace(b"4000", b"4001")):
        (tmp_path / "out/plan.json").write_bytes(data)
        with pytest.raises(CorpusError, match=r"plan\.json: a damaged plan"):
            encode(inputs, tmp_path / "out")
        with pytest.raises(CorpusError, match=r"plan\.json: a damaged plan"):
            corpus.status(tmp_path / "out")
    encode(inputs, tmp_path / "out", fresh=True)
    with pytest.raises(CorpusError, match="it has no plan.json"):
        corpus.status(tmp_path)


def test_units_that_were_changed_in_the_plan(inputs, tmp_path):
    """Documents between two units were lost, and no check noticed."""
    encode(inputs, tmp_path / "out")
    (tmp_path / "out/_SUCCESS").unlink()
    path = tmp_path / "out/plan.json"
    plan = json.loads(path.read_bytes())
    segment = next(unit[0] for unit in plan["units"] if unit[0][2] > 0)
    segment[2] -= 100
    path.write_text(json.dumps(plan))
    with pytest.raises(CorpusError, match="its units are not those of its inputs and settings"):
        encode(inputs, tmp_path / "out")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"unit": 2}, "of unit 2"),
        ({"files": {}}, r"of the files \[\]"),
        ({"files": {"shards/000002.tokens": {"bytes": 1}}}, "of the files .'shards/000002.tokens'"),
        ({"files": {"shards/000001.tokens": {}}}, "'bytes'"),
        ({"documents": {}}, "'in'"),
        ({"documents": 3}, "not subscriptable"),
        ({"tokens": "3"}, "'3' is not a count"),
        ({"lengths": [-1]}, "-1 is not a count"),
    ],
)
def test_what_is_no_record_of_its_unit(inputs, tmp_path, change, why):
    out = tmp_path / "out"
    encode(inputs, out)
    (out / "_SUCCESS").unlink()
    path = out / "records/000001.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | change))
    for look in (corpus.status, lambda folder: encode(inputs, folder)):
        with pytest.raises(CorpusError, match=rf"000001\.json: a damaged record \(.*{why}"):
            look(out)
    assert any("a damaged record" in problem for problem in corpus.verify(out))
    path.unlink()
    encode(inputs, out)
    assert corpus.verify(out) == []


def test_records_that_are_not_of_the_plan(inputs, whole, tmp_path):
    out = tmp_path / "out"
    encode(inputs, out)
    done = corpus.status(out).units_done
    record = (out / "records/000001.json").read_bytes()
    for name in ("999999", "0000001", "²²²²²²"):
        (out / f"records/{name}.json").write_bytes(record)
    assert corpus.status(out).units_done == done
    assert "records of units that are not in the plan, the first is 999999" in corpus.verify(out)
    (out / "_SUCCESS").unlink()
    encode(inputs, out)
    assert corpus.verify(out) == []
    for name in ("0000001", "²²²²²²"):
        (out / f"records/{name}.json").unlink()
    assert tree(out) == whole


def test_two_runs_at_once(inputs, tmp_path):
    from filelock import FileLock

    encode(inputs, tmp_path / "out")
    (tmp_path / "out/_SUCCESS").unlink()
    with FileLock(tmp_path / "out/.lock"), pytest.raises(CorpusError, match="another process is writing"):
        encode(inputs, tmp_path / "out")


@pytest.mark.skipif(os.name == "nt", reason="folders are not synced there")
@pytest.mark.parametrize("unsupported", [errno.EINVAL, errno.ENOTSUP])
def test_a_filesystem_without_sync_of_folders(inputs, whole, tmp_path, monkeypatch, unsupported):
    original = os.fsync

    def fsync(fd):
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(unsupported, os.strerror(unsupported))
        original(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    encode(inputs, tmp_path / "out")
    assert tree(tmp_path / "out") == whole


@pytest.mark.parametrize("unsupported", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_filesystem_without_locks(inputs, whole, tmp_path, monkeypatch, unsupported):
    def acquire(_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("filelock.FileLock.acquire", acquire)
    number = unsupported
    encode(inputs, tmp_path / "out")
    assert tree(tmp_path / "out") == whole
    number = errno.EACCES
    with pytest.raises(CorpusError, match="cannot be written: Permission denied"):
        encode(inputs, tmp_path / "out")


def test_a_full_disk_is_a_clear_error_and_does_no_damage(inputs, whole, tmp_path, monkeypatch):
    import errno

    from wordsplit.corpus.formats import output

    written = 0
    real = output.Output.write

    def write_until_full(self, data):
        nonlocal written
        written += memoryview(data).nbytes
        if written > 20_000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(self, data)

    monkeypatch.setattr(output.Output, "write", write_until_full)
    with pytest.raises(CorpusError, match="cannot be written: No space left on device"):
        encode(inputs, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*.tmp-*"))
    monkeypatch.undo()
    encode(inputs, tmp_path / "out")
    assert tree(tmp_path / "out") == whole


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="a small file system needs root to mount")
def test_a_disk_that_is_really_full(inputs, whole, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "none", small], check=False).returncode:
        pytest.skip("cannot mount")
    try:
        with pytest.raises(CorpusError, match="No space left on device"):
            encode(inputs, small / "out")
        assert not list((small / "out").rglob("*.tmp-*"))
        subprocess.run(["mount", "-o", "remount,size=10m", small], check=True)
        encode(inputs, small / "out")
        assert tree(small / "out") == whole
    finally:
        subprocess.run(["umount", small], check=True)


def test_units_beyond_the_plan_and_strange_files_do_no_harm(inputs, whole, tmp_path):
    encode(inputs, tmp_path / "out")
    (tmp_path / "out/_SUCCESS").unlink()
    for name in ("shards/000000.tokens.tmp-12", "shards/999999.tokens", "records/x.json.tmp-3", "plan.json.tmp-4"):
        (tmp_path / "out" / name).write_bytes(b"left behind")
    encode(inputs, tmp_path / "out")
    assert tree(tmp_path / "out") == whole
    assert len(read(tmp_path / "out")[0]) == 3 * len(TEXTS)
    assert json.loads((tmp_path / "out/manifest.json").read_bytes())["documents"] == 3 * len(TEXTS)
