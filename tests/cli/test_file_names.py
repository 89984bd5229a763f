"""Files whose names are not valid UTF-8, as Linux allows: every command reads and writes them."""

import json
import os
import sys

import pytest
from cli.run import out, run

import wordsplit

NAME = os.fsdecode(b"caf\xe9\n")  # in Latin-1, with a line end

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="such names are not allowed here")


@pytest.fixture
def folder(tmp_path):
    """A folder with such a name, with a text and a vocab."""
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / "text.txt").write_text("hello world\n")
    wordsplit.load_vocab("r50k_base").save_tokenizer_json(folder / "tokenizer.json")
    return folder


def test_corpora(folder):
    """The report of a complete corpus failed, and the corpus had no sign of success."""
    out("corpus", "encode", f"{folder}/text.txt", "-o", f"{folder}/ids", "--vocab", f"{folder}/tokenizer.json")
    assert b"caf\\udce9" in (folder / "ids" / "report.html").read_bytes()
    assert run("corpus", "verify", f"{folder}/ids").returncode == 0


def test_training(folder):
    made = [f"--out={folder}/{name}" for name in ("a.json", "a.tiktoken", "a.gguf")]
    common = ["train", "--vocab-size", "258", "--json"]
    assert run(*common, *made, "--counts", f"{folder}/counts", f"{folder}/text.txt").returncode == 0
    assert run(*common, f"--out={folder}/b.json", "--resume", f"{folder}/counts").returncode == 0
    assert (folder / "b.json").read_bytes() == (folder / "a.json").read_bytes()


def test_the_name_of_a_vocab_is_text(folder):
    """A compiled file could not be read, since its name was no text."""
    assert wordsplit.load_vocab(folder).name == "caf\ufffd\n"
    out("compile", f"{folder}/tokenizer.json", "-o", f"{folder}/caf\udce9.ws")
    assert out("encode", "-v", f"{folder}/caf\udce9.ws", "hello world") == "31373 995\n"
    assert json.loads(out("inspect", "--json", f"{folder}/caf\udce9.ws"))["n_vocab"] == 50257
