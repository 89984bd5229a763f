"""The memory of a worker."""

import pytest

from wordsplit.corpus import machine
from wordsplit.errors import OptionsError

GIB = 1 << 30


@pytest.fixture(autouse=True)
def machine_of_64_gib(monkeypatch):
    monkeypatch.setattr(machine, "_machine_memory", lambda: 64 * GIB)


@pytest.mark.parametrize(
    ("groups", "files", "most"),
    [
        ("0::/pod\n", {"pod/memory.max": "max\n"}, 64),
        ("0::/pod\n", {"pod/memory.max": f"{8 * GIB}\n", "memory.max": f"{16 * GIB}\n"}, 8),
        ("4:memory:/docker/abc\n", {"memory/memory.limit_in_bytes": f"{4 * GIB}\n"}, 4),
        ("4:memory:/docker/abc\n", {"memory/memory.limit_in_bytes": "9223372036854771712\n"}, 64),  # no limit
    ],
)
def test_half_of_the_machine_or_of_the_container(in_control_groups, groups, files, most):
    in_control_groups(groups, files)
    assert machine.memory_of_worker(None, 4) == most * GIB // 2 // 4


def test_what_is_given_counts(in_control_groups):
    in_control_groups("0::/\n", {"memory.max": f"{GIB}\n"})
    assert machine.memory_of_worker(8 * GIB, 4) == 2 * GIB
    with pytest.raises(OptionsError, match="at least 16 MiB for each of 4 workers"):
        machine.memory_of_worker(GIB >> 5, 4)
