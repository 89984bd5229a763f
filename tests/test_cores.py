"""How many threads are worth starting: by the processors that the process may use, not by those of the machine."""

import os
import subprocess
import sys

import pytest

from wordsplit import control_groups
from wordsplit.cores import cores

MANY = 1000


@pytest.fixture
def found(in_control_groups, monkeypatch):
    """Put the process in control groups with these files, and return the cores."""
    monkeypatch.setattr(os, "process_cpu_count", lambda: MANY, raising=False)

    def found(groups, files):
        in_control_groups(groups, files)
        return cores.__wrapped__()

    return found


@pytest.mark.parametrize(
    ("share", "want"),
    [("max 100000\n", MANY), ("200000 100000\n", 2), ("150000 100000\n", 2), ("5000 100000\n", 1), ("", MANY)],
)
def test_the_share_of_a_container(found, share, want):
    assert found("0::/\n", {"cpu.max": share}) == want


def test_the_least_share_of_a_group_and_those_around_it(found):
    assert found("0::/pod/own\n", {"pod/own/cpu.max": "max 100000", "pod/cpu.max": "300000 100000"}) == 3
    assert found("0::/pod/own\n", {"pod/own/cpu.max": "100000 100000"}) == 1


def test_the_first_version_of_control_groups(found):
    groups = "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/docker/abc\n"  # names of the machine around it
    assert found(groups, {"cpu/cpu.cfs_quota_us": "400000\n", "cpu/cpu.cfs_period_us": "100000\n"}) == 4
    assert found(groups, {"cpu/cpu.cfs_quota_us": "-1\n"}) == MANY


def test_a_system_without_control_groups(monkeypatch, tmp_path):
    monkeypatch.setattr(control_groups, "_GROUPS", tmp_path / "none")
    monkeypatch.setattr(os, "process_cpu_count", lambda: None, raising=False)
    assert cores.__wrapped__() == 1


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
