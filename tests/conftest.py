"""Fixtures for all tests, and the switch for the long ones."""

import contextlib
import os
import pathlib
import tracemalloc

import hypothesis
import pytest
from depth import LEVEL, LEVELS, by_depth

from wordsplit import control_groups

SHARED = pathlib.Path(__file__).resolve().parents[2] / "shared"
# No deadline: a machine may be busy.
hypothesis.settings.register_profile("depth", max_examples=by_depth(20, 75, 3000), deadline=None, derandomize=True)
hypothesis.settings.load_profile("depth")
os.environ["WORDSPLIT_COMPILED_CACHE"] = (
    "0"  # tests of loaders load the files themselves; those of the cache turn it on
)


def pytest_collection_modifyitems(items):
    for item in items:
        for level in LEVELS[LEVELS.index(LEVEL) + 1 :]:
            if item.get_closest_marker(level):
                item.add_marker(pytest.mark.skip(reason=f"for deeper runs: WORDSPLIT_TESTS={level}"))


@pytest.fixture
def shared():
    """The folder of official vocab files and corpora; skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not there")
    return SHARED


@pytest.fixture(params=["native", "python"])
def engine(request):
    """Each engine."""
    return request.param


@pytest.fixture
def in_control_groups(monkeypatch, tmp_path):
    """A function that puts the process in control groups, which are listed as Linux does it and have these files."""
    monkeypatch.setattr(control_groups, "_GROUPS", tmp_path / "groups")
    monkeypatch.setattr(control_groups, "_MOUNT", tmp_path / "mount")

    def put(groups, files):
        (tmp_path / "groups").write_text(groups)
        for name, content in files.items():
            path = tmp_path / "mount" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    return put


@pytest.fixture
def peak_memory():
    """A context manager that fails if Python's allocations go over a limit."""

    @contextlib.contextmanager
    def watch(limit_mb):
        tracemalloc.start()
        try:
            yield
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < limit_mb * 2**20, f"{peak / 2**20:.0f} MB"

    return watch
