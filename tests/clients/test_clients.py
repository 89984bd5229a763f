"""Libraries that import tiktoken or tokenizers themselves give the same with its stand-in (`make clients-test`)."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest
from clients import data
from clients.program import CLIENTS

MODULES = {
    "tiktoken": ("tiktoken.core", "wordsplit.compat.tiktoken.core"),
    "tokenizers": ("tokenizers", "wordsplit.compat.tokenizers.tokenizer"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("clients")
    data.make(made, 100_000)
    return made


def names():
    """The clients, marked to be skipped where they are not installed."""
    for name, client in CLIENTS.items():
        absent = importlib.util.find_spec(client.module) is None
        reason = f"{client.module} is absent: make clients-test"
        yield pytest.param(name, marks=pytest.mark.skipif(absent, reason=reason))


@pytest.mark.full
@pytest.mark.parametrize("name", list(names()))
def test_same_result(name, folder):
    program = [str(pathlib.Path(__file__).with_name("program.py")), name, str(folder)]
    original = CLIENTS[name].original
    outputs = []
    for with_us in ([], ["-m", "wordsplit.compat", "--only", original]):
        done = subprocess.run(
            [sys.executable, *with_us, *program],
            capture_output=True, text=True, check=False, env=os.environ | data.environment(folder),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        outputs.append(json.loads(done.stdout.splitlines()[-1]))
    assert tuple(output["module"] for output in outputs) == MODULES[original]
    expected, found = (output["results"] for output in outputs)
    assert list(found) == list(expected)
    for step, value in expected.items():
        assert found[step] == value, step
