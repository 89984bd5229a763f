"""Libraries that import tiktoken themselves give the same with its stand-in as with tiktoken (`make clients-test`)."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest
from clients.program import CLIENTS

from wordsplit.compat.tiktoken import load

ROOT = pathlib.Path(__file__).parents[2]
BLOBS = "https://openaipublic.blob.core.windows.net/encodings"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A text, and a cache in which tiktoken finds OpenAI's files."""
    folder = tmp_path_factory.mktemp("clients")
    pages = sorted((ROOT / "docs").glob("*.md"))
    text = "\n\n".join(page.read_text(encoding="utf-8") for page in pages).replace("<|", "<")
    (folder / "text").write_text(text[:100_000], encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder / "cache"))
        for name in ("r50k_base", "cl100k_base", "o200k_base"):
            load.read_file_cached(f"{BLOBS}/{name}.tiktoken")
        for name in ("vocab.bpe", "encoder.json"):
            load.read_file_cached(f"{BLOBS.removesuffix('encodings')}gpt-2/encodings/main/{name}")
    return folder


def names():
    """The clients, marked to be skipped where they are not installed."""
    for client in CLIENTS:
        name = client.__name__
        absent = importlib.util.find_spec(name) is None
        yield pytest.param(name, marks=pytest.mark.skipif(absent, reason=f"{name} is absent: make clients-test"))


@pytest.mark.parametrize("client", list(names()))
def test_same_result(client, files):
    program = [str(pathlib.Path(__file__).with_name("program.py")), client, str(files / "text")]
    environment = os.environ | {
        "TIKTOKEN_CACHE_DIR": str(files / "cache"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # no download
        "HAYSTACK_TELEMETRY_ENABLED": "False",
    }
    outputs = []
    for with_us in ([], ["-m", "wordsplit.compat", "--only", "tiktoken"]):
        done = subprocess.run(
            [sys.executable, *with_us, *program], capture_output=True, text=True, check=False, env=environment
        )
        assert done.returncode == 0, done.stderr
        outputs.append(json.loads(done.stdout.splitlines()[-1]))
    (theirs, expected), (ours, found) = outputs
    assert (theirs, ours) == ("tiktoken.core", "wordsplit.compat.tiktoken.core")
    assert found == expected
