"""A hundred and more states that a cache may be found in: each is healed, or a typed error, within a second."""

import errno
import os
import random
import shutil
import tempfile
import time
import warnings

import pytest
from depth import by_depth
from vocabs.hub.conftest import REPO
from vocabs.hub.hub_server import COMMIT, sha256

import wordsplit
from wordsplit.vocabs.cache.downloads import Cache

NAME = "hf:some/model"


def damage_blob(seed):
    """A function that damages one blob in some way."""

    def damage(cache):
        rng, blobs = random.Random(seed), cache.blobs()
        path = cache.blob_path(rng.choice(blobs).sha256)
        data = path.read_bytes()
        path.chmod(0o644)
        at = rng.randrange(len(data))
        way = seed % 8
        if way == 0:
            path.write_bytes(data[:at])
        elif way == 1:
            path.write_bytes(data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :])
        elif way == 2:
            path.write_bytes(data + rng.randbytes(rng.randrange(1, 5000)))
        elif way == 3:
            path.write_bytes(cache.blob_path(rng.choice(blobs).sha256).read_bytes() + b" ")
        elif way == 4:
            path.write_bytes(bytes(len(data)))
        elif way == 5:
            path.unlink()
            path.symlink_to(rng.choice(["/etc/passwd", "/dev/zero", "nowhere", path.name, "..", "/dev/tty"]))
        elif way == 6:
            path.unlink()
            path.mkdir()
            (path / "x").write_bytes(data)
        else:
            path.unlink()
            os.mkfifo(path)

    return damage


RECORDS = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"version": 1}',
    b'{"version": 2, "source": "hf:some/model@main", "main": "x", "files": {}, "commit": null, "recorded": ""}',
    b'{"version": 1, "version": 1}',
    b" " * (2 << 20),
    b"NaN",
]
CHANGES = [
    (b'"sha256": "', b'"sha256": "x'),
    (b'"sha256": "', b'"sha256": "../../../../etc/passwd'),
    (b'"sha256": "', b'"sha256": 5, "": "'),
    (b'"size": ', b'"size": -'),
    (b'"size": ', b'"size": 1e'),
    (b'"size": ', b'"size": 9999999999999'),
    (b'"size": ', b'"size": true, "": '),
    (b'"main": "tokenizer.json"', b'"main": "../x"'),
    (b'"main": "tokenizer.json"', b'"main": null'),
    (b'"source": "hf:some/model@main"', b'"source": "hf:some/other@main"'),
    (b'"source": "hf:some/model@main"', b'"source": 7'),
    (b'"files": {', b'"files": [], "": {'),
    (b'"commit": "', b'"commit": 7, "": "'),
    (b'"recorded": "', b'"recorded": {}, "": "'),
]


def write_record(data):
    def damage(cache):
        (path,) = (cache.root / "sources").iterdir()
        path.chmod(0o644)
        path.write_bytes(data)

    return damage


def change_record(old, new):
    def damage(cache):
        (path,) = (cache.root / "sources").iterdir()
        data = path.read_bytes()
        assert old in data
        write_record(data.replace(old, new))(cache)

    return damage


def cut_record(part):
    def damage(cache):
        (path,) = (cache.root / "sources").iterdir()
        data = path.read_bytes()
        write_record(data[: int(len(data) * part)])(cache)

    return damage


def in_place_of(name, kind):
    """Something else where a folder, or the cache itself, should be."""

    def damage(cache):
        path = cache.root / name
        if path.is_dir():
            shutil.rmtree(path)
        if kind == "file":
            path.write_bytes(b"x")
        elif kind == "loop":
            path.symlink_to(path.name)
        elif kind == "link to nothing":
            path.symlink_to("nowhere")

    return damage


def record_becomes(kind):
    def damage(cache):
        (path,) = (cache.root / "sources").iterdir()
        path.unlink()
        if kind == "folder":
            path.mkdir()
        elif kind == "fifo":
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/zero")

    return damage


def litter(cache):
    for folder in ("", "blobs", "sources", "bad", "locks"):
        (cache.root / folder).mkdir(exist_ok=True)
        for name in (".x.part", "README", "a" * 200, "\udcff", "0" * 63):
            (cache.root / folder / name).write_bytes(b"junk")


def swap_blobs(cache):
    first, second, *_ = (cache.blob_path(blob.sha256) for blob in cache.blobs())
    third = first.with_name("third")
    first.rename(third)
    second.rename(first)
    third.rename(second)


def locks_are_folders(cache):
    for path in (cache.root / "locks").iterdir():
        path.unlink()
    (cache.root / "locks" / f"{sha256(b'hf:some/model@main')}.lock").mkdir()


STATES = {
    **{f"blob {seed}": damage_blob(seed) for seed in range(64)},
    **{f"record {n}": write_record(data) for n, data in enumerate(RECORDS)},
    **{f"record changed {n}": change_record(*change) for n, change in enumerate(CHANGES)},
    **{f"record cut at {part:.2f}": cut_record(part) for part in (0.1, 0.3, 0.5, 0.7, 0.9, 0.98)},
    **{f"record is a {kind}": record_becomes(kind) for kind in ("folder", "fifo", "link")},
    **{
        f"{name or 'root'} is a {kind}": in_place_of(name, kind)
        for name in ("", "blobs", "sources", "locks", "bad")
        for kind in ("file", "loop", "link to nothing", "missing")
    },
    "litter": litter,
    "blobs swapped": swap_blobs,
    "locks are folders": locks_are_folders,
}


def test_there_are_enough():
    assert len(STATES) >= 100


@pytest.mark.parametrize("offline", [False, True], ids=["online", "offline"])
@pytest.mark.parametrize("what", list(STATES)[:: by_depth(4, 1, 1)])
def test_each_is_healed_or_a_typed_error(hub, load, cache, what, offline):
    first = load()
    STATES[what](cache)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wordsplit.CacheWarning)
        for number in range(2):
            try:
                vocab = load(offline=offline)
            except wordsplit.OfflineError:
                assert offline
            else:
                assert (vocab.fingerprint, vocab.chat_template) == (first.fingerprint, "from the file")
            list(cache.verify())
            cache.records()
            fetched = len(hub.requests)
            if number == 0 and not offline:
                cache.prune()
    assert time.process_time() - start < 1
    if not offline and not what.endswith(("is a file", "is a loop", "is a link to nothing")):
        load()
        assert len(hub.requests) == fetched  # healed: nothing was fetched again
        assert all(not blob.problem for blob in cache.verify())


def test_a_damaged_blob_is_fetched_once_and_then_it_is_over(hub, load, cache, tokenizer_json):
    load()
    hub.repos[REPO]["tokenizer.json"] = tokenizer_json.replace(b"hello", b"hullo")  # the hub is damaged, too
    path = cache.blob_path(sha256(tokenizer_json))
    path.chmod(0o644)
    path.write_bytes(b"x")
    before = len(hub.requests)
    with pytest.raises(wordsplit.DownloadError, match="sha256"):
        load()
    assert len(hub.requests) == before + 1
    (aside,) = (cache.root / "bad").iterdir()
    assert aside.read_bytes() == b"x"


def test_another_cache_by_argument(hub, load, tmp_path, cache):
    load(cache=tmp_path / "a")
    load(cache=Cache(tmp_path / "b"), revision=COMMIT)
    assert (tmp_path / "a/blobs").is_dir()
    assert (tmp_path / "b/blobs").is_dir()
    assert not cache.root.exists()


def test_read_only(hub, load, cache, monkeypatch):
    load()
    if os.geteuid() == 0:  # root may write anywhere

        def refuse(*args, **kwargs):
            raise PermissionError(errno.EROFS, "Read-only file system")

        monkeypatch.setattr(tempfile, "mkstemp", refuse)
        monkeypatch.setattr(os, "mkdir", refuse)
        monkeypatch.setattr(os, "rename", refuse)
    for path in [cache.root, *cache.root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o500)
    try:
        load()
        for _ in range(2):  # it is downloaded each time
            with pytest.warns(wordsplit.CacheWarning, match="cannot be written"):
                assert load("hf:some/gguf").n_vocab > 256
        assert len(hub.paths("model.Q4.gguf")) == 2
    finally:
        for path in [cache.root, *cache.root.rglob("*")]:
            if path.is_dir():
                path.chmod(0o700)
