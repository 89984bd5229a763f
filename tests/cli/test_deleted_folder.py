"""The working folder may have been deleted, as on shared machines and in containers: messages name the path."""

import os
import subprocess
import sys

import pytest

import wordsplit
import wordsplit.corpus

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a working folder cannot be deleted there")


@pytest.fixture
def deleted(tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()


def run(*args, **env):
    command = [sys.executable, "-m", "wordsplit", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **env})


@pytest.mark.usefixtures("deleted")
@pytest.mark.parametrize(
    "command",
    [
        ["corpus", "encode", __file__, "-o", "out"],
        ["train", "--vocab-size", "300", __file__, "-o", "out.tiktoken"],
        ["compile", "gpt2", "-o", "out.ws"],
    ],
)
def test_a_relative_output_is_named(command):
    done = run(*command)
    assert done.returncode == 1
    assert command[-1] in done.stderr
    assert "the working folder was deleted" in done.stderr


@pytest.mark.usefixtures("deleted")
def test_in_python_too():
    for call in (
        lambda: wordsplit.corpus.encode(__file__, "ids"),
        lambda: wordsplit.load_vocab("gpt2").save_tokenizer_json("ids"),
        lambda: wordsplit.load_vocab("hf:a/b", cache="ids", offline=True),
    ):
        with pytest.raises(FileNotFoundError, match="the working folder was deleted") as caught:
            call()
        assert caught.value.filename == "ids"


@pytest.mark.usefixtures("deleted")
def test_a_relative_cache_is_no_reason_to_stop():
    done = run("encode", "hello world", WORDSPLIT_CACHE_DIR="ids")
    assert (done.stdout, done.stderr) == ("14990 1879\n", "")
