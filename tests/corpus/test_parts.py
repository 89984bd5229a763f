"""Parts of files, their lines, and lines that are kept apart."""

import gzip
import json

import pyarrow as pa
import pytest
from pyarrow import parquet

from wordsplit import OptionsError
from wordsplit.corpus import CorpusFile, files_of, held_out

TEXT = "\ufeffone\r\ntwo\n\n\nfünf\nno line end".encode()
LINES = [b"one\r\n", b"two\n", b"\n", b"\n", "fünf\n".encode(), b"no line end"]


@pytest.fixture(params=["a.txt", "a.txt.gz"])
def text_file(request, tmp_path):
    path = tmp_path / request.param
    path.write_bytes(gzip.compress(TEXT) if path.suffix == ".gz" else TEXT)
    return CorpusFile(path)


@pytest.fixture(params=["a.jsonl", "a.parquet"])
def texts_file(request, tmp_path):
    path = tmp_path / request.param
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps({"text": text}) + "\n\n" for text in [None, *"abcdefgh"]))
    else:
        parquet.write_table(pa.table({"text": [None, *"abcdefgh"]}), path)
    return CorpusFile(path)


def test_lines(text_file, texts_file):
    assert list(text_file.lines()) == LINES
    assert list(texts_file.lines()) == list("abcdefgh")


def test_parts_of_a_text(text_file):
    whole = TEXT[3:]
    for begin in range(len(whole) + 2):
        assert b"".join(text_file.part(begin).blocks(4)) == whole[begin:]
        for end in range(len(whole) + 2):
            part = text_file.part(begin, end)
            assert b"".join(part.blocks(4)) == whole[begin:end]
            assert all(part.blocks(4))
    assert list(text_file.part(5, 9).lines()) == [b"two\n"]
    assert b"".join(text_file.blocks()) == whole


def test_parts_of_texts(texts_file):
    for begin in range(10):
        for end in range(10):
            assert list(texts_file.part(begin, end).texts()) == list("abcdefgh")[begin:end]


def test_files_of_leaves_parts_as_they_are(text_file, texts_file):
    part = text_file.part(5, 9)
    assert files_of([part, texts_file.path])[0] is part
    assert files_of(part) == [part]


@pytest.mark.parametrize(("share", "n_apart"), [(0.5, 3), (0.34, 2), (0.17, 1), (0.1, 0), (0.99, 5)])
def test_the_last_lines_are_kept_apart(text_file, share, n_apart):
    (first,), (last,) = held_out([text_file], share)
    assert list(first.lines()) == LINES[: 6 - n_apart]
    assert list(last.lines()) == LINES[6 - n_apart :]


def test_of_several_files_each_gives_its_own(text_file, texts_file):
    first, last = held_out([text_file, texts_file], 0.25)
    assert [len(list(file.lines())) for file in last] == [1, 2]
    assert list(last[1].texts()) == ["g", "h"]
    assert [*first[0].lines(), *last[0].lines()] == LINES


def test_many_short_files_give_a_share_in_all(tmp_path):
    paths = [tmp_path / f"{i}.txt" for i in range(50)]
    for path in paths:
        path.write_text("a line\nanother\n")
    first, last = held_out(files_of(paths), 0.1)
    apart = [list(file.lines()) for file in last]
    assert sum(map(len, apart)) == 10
    assert all(line == b"another\n" for lines in apart for line in lines)
    assert sum(len(list(file.lines())) for file in first) == 90


def test_empty_files(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"")
    (first,), (last,) = held_out(files_of(tmp_path / "a.txt"), 0.5)
    assert list(first.blocks()) == list(last.blocks()) == []


@pytest.mark.parametrize("share", [0, 1, -0.5, 1.5, float("nan")])
def test_a_share_that_is_none(tmp_path, share):
    with pytest.raises(OptionsError, match="above 0 and below 1"):
        held_out([], share)
