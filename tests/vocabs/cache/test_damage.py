"""Compiled files in any state: rebuilt, never trusted."""

import json
import os
import random
import struct

import pytest
from vocabs.cache.conftest import IDS, ids, rewrite

import wordsplit
from wordsplit import _native
from wordsplit.vocabs.cache.compiled import CacheKey, CompiledStore


def parts_of(data):
    """Where the parts of a compiled file are."""
    count = struct.unpack_from("<Q", data, 32)[0]
    return [struct.unpack_from("<QQ", data, 40 + 16 * i) for i in range(count)]


def with_sum(data):
    return data[:-8] + struct.pack("<Q", _native.checksum(data[:-8]))


def test_damage_in_any_part(path, compiled, loads):
    sound = compiled.read_bytes()
    parts = parts_of(sound)
    assert len(parts) == 19
    assert with_sum(sound) == sound
    places = [0, 8, 12, 16, 24, 32, 40, len(sound) - 1]
    for at, size in parts:
        if size == 0:  # numbers of tokens beside the index: only of more than a million; nor scores, in byte-level BPE
            continue
        places += [at, at + size // 2, at + size - 1]
    for place in places:
        data = bytearray(sound)
        data[place] ^= 1 << place % 8
        rewrite(compiled, bytes(data))
        loads.clear()
        assert ids(wordsplit.load_vocab(path)) == IDS
        assert loads == [str(path)], place
        assert wordsplit.load_vocab(path) is not None
        assert loads == [str(path)], "it was not healed"


def test_cut_at_any_length(path, compiled):
    sound = compiled.read_bytes()
    store, key = CompiledStore(compiled.parent.parent), key_of(compiled)
    assert store.load(key) is not None
    rng = random.Random(1)
    for size in [*range(200), *(rng.randrange(len(sound)) for _ in range(100)), len(sound) - 8, len(sound) - 1]:
        rewrite(compiled, sound[:size])
        assert store.load(key) is None, size
    rewrite(compiled, sound + b"\0")
    assert store.load(key) is None


def key_of(compiled):
    data = compiled.read_bytes()
    at, size = parts_of(data)[0]
    source, details = json.loads(json.loads(data[at : at + size])["key"])
    return CacheKey(source, details)


def test_other_builds_and_layouts_whose_checksum_is_right(path, compiled):
    sound = compiled.read_bytes()
    store, key = CompiledStore(compiled.parent.parent), key_of(compiled)
    count = len(parts_of(sound))
    changes = {8: 2, 12: 0x04030201, 16: 7, 24: 7}  # version, byte order, build, size
    changes |= {32: count - 1, 33: 1, 36: 1, 39: 255}  # number of parts
    for i in range(count):
        changes |= {
            40 + 16 * i: 255,
            43 + 16 * i: 255,
            47 + 16 * i: 255,
            48 + 16 * i: 3,
            51 + 16 * i: 9,
            55 + 16 * i: 1,
        }
    for place, value in changes.items():
        data = bytearray(sound)
        width = "<I" if place in (8, 12) else "<B"
        struct.pack_into(width, data, place, value)
        if bytes(data) != sound:
            rewrite(compiled, with_sum(bytes(data)))
            assert store.load(key) is None, place


def test_a_description_that_is_none(path, compiled, loads):
    sound = compiled.read_bytes()
    at, size = parts_of(sound)[0]
    for description in (
        b"",
        b"[]",
        b"{}",
        b'{"key": 1}',
        b"\xff",
        sound[at : at + size].replace(b"states", b"st4tes"),
    ):
        data = bytearray(sound)
        data[at : at + size] = description.ljust(size)
        rewrite(compiled, with_sum(bytes(data)))
        loads.clear()
        assert ids(wordsplit.load_vocab(path)) == IDS
        assert loads


def test_what_stands_in_the_place_of_a_file(path, compiled, tmp_path, loads):
    sound = tmp_path / "sound"
    sound.write_bytes(compiled.read_bytes())
    compiled.unlink()
    compiled.symlink_to(sound)
    loads.clear()
    assert ids(wordsplit.load_vocab(path)) == IDS
    assert loads, "a link was followed"
    assert sound.exists()
    compiled.unlink()
    compiled.mkdir()
    assert ids(wordsplit.load_vocab(path)) == IDS


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_is_examined_and_deleted(compiled, tmp_path, kind):
    """A pipe stopped the commands that examine the cache."""
    store, sound = CompiledStore(compiled.parent.parent), tmp_path / "sound"
    compiled.rename(sound)
    if kind == "link":
        compiled.symlink_to(sound)
    elif kind == "folder":
        compiled.mkdir()
    elif hasattr(os, "mkfifo"):
        os.mkfifo(compiled)
    else:
        pytest.skip("no pipes here")
    assert [file.problem for file in store.files()] == ["is not a regular file"]
    assert store.prune()[0] == 1
    assert (list(compiled.parent.iterdir()), sound.exists()) == ([], True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user(path, compiled, loads, monkeypatch):
    os.chown(compiled, 12345, 12345)
    loads.clear()
    wordsplit.load_vocab(path)
    assert loads
