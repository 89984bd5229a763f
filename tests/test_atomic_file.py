"""Files are written as a whole or not at all, and links, devices and pipes stay what they are."""

import os
import threading
from pathlib import Path

import pytest

from wordsplit.atomic_file import write_atomically


def names(folder):
    return [path.name for path in folder.iterdir()]


def test_a_file_is_written_in_parts_and_replaced(tmp_path):
    path = tmp_path / "a"
    write_atomically(path, b"one ", memoryview(b"two"))
    assert path.read_bytes() == b"one two"
    write_atomically(path, b"three")
    assert path.read_bytes() == b"three"
    assert names(tmp_path) == ["a"]


def test_after_an_error_the_old_file_is_there_and_nothing_else(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_atomically(path, b"new", "not bytes")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_a_name_may_be_as_long_as_names_can_be(tmp_path):
    """The name of the temporary file was longer."""
    path = tmp_path / ("a" * 255)
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


def test_errors_name_the_file(tmp_path):
    for path, kind in [(tmp_path / "no folder" / "a", FileNotFoundError), (tmp_path, IsADirectoryError)]:
        with pytest.raises(kind) as caught:
            write_atomically(path, b"new")
        assert caught.value.filename == str(path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no file on which no byte fits")
def test_a_full_disk_is_an_error_that_names_the_file(tmp_path):
    path = tmp_path / "a"
    path.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_atomically(path, b"new")
    assert caught.value.filename == str(path)
    assert Path("/dev/full").is_char_device()


def test_links_stay_links(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"new", b"newer"):  # the first time, the link leads nowhere
        write_atomically(link, content)
        assert (link.is_symlink(), target.read_bytes()) == (True, content)
    assert names(tmp_path / "folder") == ["target"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_are_written_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    write_atomically(path, b"one ", b"two")
    reader.join()
    assert (found, path.is_fifo()) == ([b"one two"], True)
