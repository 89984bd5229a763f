"""The cache by itself: what it makes, what it refuses, what it clears."""

import errno
import os
import stat
import time

import pytest
from vocabs.hub.hub_server import sha256

import wordsplit
from wordsplit.vocabs.cache import compiled, downloads
from wordsplit.vocabs.cache.downloads import Cache, WrongContentError
from wordsplit.vocabs.cache.record import Pin, Record
from wordsplit.vocabs.cache.untrusted_files import entries

DATA = b"hello world"
PIN = Pin(sha256(DATA), len(DATA))


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


def test_modes(cache):
    old = os.umask(0)
    try:
        cache.put([DATA])
        cache.put_record(Record("hf:a/b@main", "x", {"x": PIN}))
        with cache.lock("x"):
            pass
    finally:
        os.umask(old)
    assert [mode(cache.root), mode(cache.root / "blobs"), mode(cache.root / "sources")] == [0o700] * 3
    assert mode(cache.blob_path(PIN.sha256)) == 0o444


def test_where_it_is(monkeypatch, tmp_path):
    assert Cache.default().root == tmp_path / "cache"
    monkeypatch.setenv("WORDSPLIT_CACHE_DIR", "relative")
    monkeypatch.chdir(tmp_path)
    assert Cache.default().root == tmp_path / "relative"
    monkeypatch.delenv("WORDSPLIT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert "wordsplit" in Cache.default().root.parts


def test_nothing_is_made_by_looking(cache):
    assert cache.read(PIN) is None
    assert cache.record("hf:a/b@main") is None
    assert (cache.blobs(), cache.records(), list(cache.verify()), cache.prune()) == ([], [], [], (0, 0))
    assert not cache.root.exists()


@pytest.mark.parametrize("name", ["", "..", "../" * 5 + "etc/passwd", "A" * 64, "0" * 63, "0" * 65, "0" * 64 + "\n"])
def test_only_a_sha256_has_a_path(cache, name):
    with pytest.raises(wordsplit.OptionsError, match="is not a sha256"):
        cache.blob_path(name)
    with pytest.raises(wordsplit.OptionsError):
        cache.read(Pin(name))


def test_put_and_read(cache):
    assert cache.put([DATA[:3], b"", DATA[3:]]) == (PIN, DATA)
    assert cache.put([DATA], expected=PIN) == (PIN, DATA)  # over itself
    assert cache.read(PIN) == DATA
    assert cache.put([]) == (Pin(sha256(b""), 0), b"")


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"expected": Pin(sha256(b""), None)}, "its sha256 is"),
        ({"expected": Pin(None, 12)}, "its size is 11, but should be 12"),
        ({"expected": Pin(None, 10)}, "larger than 10 bytes"),
        ({"max_bytes": 10}, "larger than 10 bytes"),
    ],
)
def test_what_is_not_as_expected_leaves_nothing(cache, options, match):
    with pytest.raises(WrongContentError, match=match):
        cache.put([DATA], label="the file", **options)
    assert list(cache.root.rglob("*")) == [cache.root / "blobs"]


def test_an_error_of_the_source_leaves_nothing(cache):
    def chunks():
        yield DATA
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.put(chunks())
    assert list(cache.root.rglob("*")) == [cache.root / "blobs"]


def test_a_symbolic_link_is_not_followed(cache, tmp_path):
    cache.put([b"something, so that there are folders"])
    mine = tmp_path / "mine"
    mine.write_bytes(DATA)
    path = cache.blob_path(PIN.sha256)
    path.symlink_to(mine)  # to the very content
    assert [blob.problem for blob in cache.verify() if blob.sha256 == PIN.sha256] != [""]
    assert cache.read(PIN) is None
    assert not path.is_symlink()
    cache.put([DATA])
    path.unlink()
    path.symlink_to(mine)
    cache.put([DATA])  # replaces the link, not what it leads to
    assert (path.is_symlink(), cache.read(PIN), mine.read_bytes()) == (False, DATA, DATA)


@pytest.mark.parametrize("kind", ["folder", "full folder", "fifo"])
def test_what_is_no_file_is_set_aside(cache, kind):
    cache.put([b"x"])
    path = cache.blob_path(PIN.sha256)
    if kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
        if kind == "full folder":
            (path / "x").touch()
    cache.put([DATA])
    assert cache.read(PIN) == DATA
    assert cache.root.joinpath("bad").exists() == (kind != "fifo")  # a fifo is replaced at once


def test_a_cache_that_cannot_be_written_keeps_nothing_and_hinders_nothing(tmp_path):
    (tmp_path / "file").touch()
    cache = Cache(tmp_path / "file")
    with pytest.warns(wordsplit.CacheWarning, match="WORDSPLIT_CACHE_DIR") as caught:
        assert cache.put([DATA]) == (PIN, DATA)
    assert len(caught) == 1
    assert cache.read(PIN) is None
    with cache.lock("x"):
        pass


def test_a_full_disk(cache, monkeypatch):
    def full(fd, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.warns(wordsplit.CacheWarning, match="No space left"):
        assert cache.put([DATA]) == (PIN, DATA)
    assert cache.blobs() == []
    assert list((cache.root / "blobs").iterdir()) == []


def test_a_filesystem_without_modes_and_without_sync_of_folders(cache, monkeypatch):
    """Files were not kept, or a warning said so."""
    original = os.fsync

    def fsync(fd):
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        original(fd)

    def chmod(path, mode):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(path))

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(type(cache.root), "chmod", chmod)
    cache.put([DATA])  # an error, if it warned
    assert cache.read(PIN) == DATA


def test_verify_changes_nothing(cache):
    cache.put([DATA])
    path = cache.blob_path(PIN.sha256)
    path.chmod(0o644)
    path.write_bytes(b"x")
    (blob,) = cache.verify()
    assert blob[:2] == (PIN.sha256, 1)
    assert blob.problem == f"its sha256 is {sha256(b'x')}"
    assert path.read_bytes() == b"x"


def test_prune(cache):
    wanted, _ = cache.put([DATA])
    cache.put_record(Record("hf:a/b@main", "x", {"x": wanted}))
    cache.put([b"nobody's"])
    bad, _ = cache.put([b"damaged"])
    cache.blob_path(bad.sha256).chmod(0o644)
    cache.blob_path(bad.sha256).write_bytes(b"x")
    cache.read(bad)
    old, new, mine = (cache.root / "blobs" / name for name in (".a.part", ".b.part", "README"))
    for path in (old, new, mine):
        path.write_bytes(b"12345")
    os.utime(old, (0, time.time() - 4000))
    assert cache.prune() == (3, len(b"nobody's") + 1 + 5)
    assert cache.read(wanted) == DATA
    assert (old.exists(), new.exists(), mine.exists()) == (False, True, True)
    assert cache.prune(everything=True)[0] == 2
    assert (cache.blobs(), cache.records(), mine.exists()) == ([], [], True)


def test_files_that_another_process_deletes_after_they_are_listed(cache, monkeypatch):
    def listed(folder):
        return [*entries(folder), folder / ("0f" * 32), folder / ".a.part", folder / f"{'0' * 16}-{'1' * 16}.vocab"]

    for module in (compiled, downloads):
        monkeypatch.setattr(module, "entries", listed)
    cache.put([DATA])
    assert [blob.sha256 for blob in cache.blobs()] == [blob.sha256 for blob in cache.verify()] == [PIN.sha256]
    assert (cache.records(), list(cache.compiled().files())) == ([], [])
    assert cache.prune() == (1, len(DATA))


def test_a_home_folder_taken_for_a_cache_keeps_its_files(tmp_path):
    files = [
        tmp_path / name for name in ("blobs/notes.txt", "sources/a.json", "bad/x", "locks/y", ".ssh/key", "z.part")
    ]
    for path in files:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    Cache(tmp_path).prune(everything=True)
    assert all(path.exists() for path in files)


def test_records(cache):
    record = Record("hf:a/b@main", "x", {"x": PIN, "y": PIN}, "f" * 40, "2026-01-01T00:00:00+00:00")
    cache.put_record(record)
    assert cache.record(record.source) == record
    assert cache.record("hf:a/b@other") is None
    assert cache.records() == [record]
    changed = Record("hf:a/b@main", "y", {"y": PIN})
    cache.put_record(changed)
    assert cache.records() == [changed]


@pytest.mark.parametrize("error", [errno.EMFILE, errno.ENOMEM, errno.ESTALE])
def test_files_that_cannot_be_read_now_stay(cache, monkeypatch, error):
    """A process with too many open files moved sound files out of the cache, and with them what names refer to."""
    record = Record("hf:a/b@main", "x", {"x": PIN})
    cache.put([DATA])
    cache.put_record(record)

    def fail(*_):
        raise OSError(error, os.strerror(error))

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", fail)
        for look in (lambda: cache.read(PIN), lambda: cache.record(record.source), cache.prune):
            with pytest.raises(wordsplit.VocabFormatError, match=f"cannot be read: {os.strerror(error)}"):
                look()
    assert cache.read(PIN) == DATA
    assert cache.record(record.source) == record


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_record_of_another_user(cache):
    """In a shared folder, others could decide what a name refers to."""
    record = Record("hf:a/b@main", "x", {"x": PIN})
    cache.put([DATA])
    cache.put_record(record)
    (path,) = (cache.root / "sources").iterdir()
    os.chown(path, 12345, 12345)
    with pytest.warns(wordsplit.CacheWarning, match="of another user .uid 12345., and is not used"):
        assert cache.record(record.source) is None
    assert cache.records() == [record]
    assert cache.prune() == (0, 0)  # it is still theirs
    os.chown(cache.root, 12345, 12345)  # who chose the folder trusts its owner
    assert cache.record(record.source) == record


def test_prune_without_the_records(cache, monkeypatch):
    """Every file was deleted where the folder of the records could not be listed."""
    cache.put([DATA])
    cache.put_record(Record("hf:a/b@main", "x", {"x": PIN}))

    def fail(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(type(cache.root), "iterdir", fail)
        with pytest.raises(wordsplit.VocabFormatError, match="sources: file: cannot be read: Permission denied"):
            cache.prune()
    assert cache.read(PIN) == DATA


def test_a_lock_that_is_held_too_long(cache, monkeypatch):
    from wordsplit.vocabs.cache import downloads as module

    monkeypatch.setattr(module, "LOCK_SECONDS", 0.1)
    with cache.lock("x"):
        start = time.monotonic()
        with Cache(cache.root).lock("x"):
            assert 0.05 < time.monotonic() - start < 60
    with Cache(cache.root, locking=False).lock("x"):
        pass


def test_repr():
    assert repr(Cache("/a", locking=False)) == "Cache('/a', locking=False)"
