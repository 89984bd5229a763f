"""How many threads are worth starting: by the processors that the process may use, not by those of the machine."""

import os
import subprocess
import sys

import pytest

import wordsplit.cores

MANY = 1000


@pytest.fixture
def groups(monkeypatch, tmp_path):
    """Write the control groups that the process is in, and their files; return the cores."""
    monkeypatch.setattr(wordsplit.cores, "_GROUPS", tmp_path / "groups")
    monkeypatch.setattr(wordsplit.cores, "_MOUNT", tmp_path / "mount")
    monkeypatch.setattr(os, "process_cpu_count", lambda: MANY, raising=False)

    def found(lines, **files):
        (tmp_path / "groups").write_text(lines)
        for name, content in files.items():
            path = tmp_path / "mount" / name.replace("__", "/").replace("_max", ".max").replace("cpu_cfs", "cpu.cfs")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return wordsplit.cores.cores.__wrapped__()

    return found


@pytest.mark.parametrize(
    ("share", "want"),
    [("max 100000\n", MANY), ("200000 100000\n", 2), ("150000 100000\n", 2), ("5000 100000\n", 1), ("", MANY)],
)
def test_the_share_of_a_container(groups, share, want):
    assert groups("0::/\n", cpu_max=share) == want


def test_the_least_share_of_a_group_and_those_around_it(groups):
    assert groups("0::/pod/own\n", pod__own__cpu_max="max 100000", pod__cpu_max="300000 100000") == 3
    assert groups("0::/pod/own\n", pod__own__cpu_max="100000 100000") == 1


def test_the_first_version_of_control_groups(groups):
    files = {"cpu__cpu_cfs_quota_us": "400000\n", "cpu__cpu_cfs_period_us": "100000\n"}
    lines = "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/docker/abc\n"  # names of the machine around it
    assert groups(lines, **files) == 4
    assert groups(lines, cpu__cpu_cfs_quota_us="-1\n") == MANY


def test_a_system_without_control_groups(monkeypatch, tmp_path):
    monkeypatch.setattr(wordsplit.cores, "_GROUPS", tmp_path / "none")
    monkeypatch.setattr(os, "process_cpu_count", lambda: None, raising=False)
    assert wordsplit.cores.cores.__wrapped__() == 1


PROGRAM = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import wordsplit
from wordsplit.cores import cores
from wordsplit.training.settings import threads_of
print(cores(), wordsplit.load_tokenizer("qwen3")._engine.arguments.threads, threads_of(None))
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes cannot be bound to processors here")
def test_a_process_bound_to_one_processor_uses_one_thread():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "1 1 1\n"
