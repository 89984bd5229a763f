"""Standard input as a file of texts, and training on it."""

import io
import json
import sys

import pytest

from wordsplit.corpus import CorpusFile, StandardInput
from wordsplit.errors import CorpusError
from wordsplit.training import BpeTrainer

TEXT = "some words and some more words\n" * 200


@pytest.fixture
def stdin(monkeypatch):
    def give(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


def test_text(stdin):
    stdin(TEXT.encode())
    file = StandardInput()
    blocks = list(file.blocks(1000))
    assert b"".join(blocks) == TEXT.encode()
    assert max(map(len, blocks)) <= 1000
    assert (file.path, file.kind, file.size, file.position) == ("-", "text", 0, len(TEXT))


def test_rows(stdin):
    stdin(b'{"text": "a"}\n"b"\n')
    assert list(StandardInput("jsonl").texts()) == ["a", "b"]
    for kind in ("parquet", "arrow"):
        with pytest.raises(CorpusError, match=f"(?i){kind} is not read from standard input"):
            StandardInput(kind)
    with pytest.raises(CorpusError, match="-: standard input can be read only once"):
        StandardInput().part(5)


def test_what_is_not_text(stdin):
    stdin(TEXT.encode("utf-16"))
    with pytest.raises(CorpusError, match="-: the text is in UTF-16LE"):
        list(StandardInput().blocks())


def test_training(stdin, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    stdin(TEXT.encode())
    assert (
        BpeTrainer(300).update_files(StandardInput()).train()
        == BpeTrainer(300).update_files(tmp_path / "a.txt").train()
    )


def test_the_kind_of_a_file_can_be_said(tmp_path):
    path = tmp_path / "rows.txt"
    path.write_text(json.dumps({"text": "a"}) + "\n")
    assert CorpusFile(path).kind == "text"
    file = CorpusFile(path, "jsonl")
    assert list(file.texts()) == list(file.part(0, 1).texts()) == ["a"]


def test_a_byte_order_mark_can_be_kept(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbftext")
    file = CorpusFile(path)
    assert b"".join(file.blocks()) == b"text"
    assert b"".join(file.blocks(keep_mark=True)) == b"".join(file.raw_blocks()) == path.read_bytes()
