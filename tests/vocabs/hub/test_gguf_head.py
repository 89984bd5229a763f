"""The metadata of a GGUF file by range requests: never its tensors."""

import struct

import pytest
from vocabs.formats.gguf_writer import MERGES, TOKENS, U8, U64, document, fields, items, small
from vocabs.hub.hub_server import reply, sha256

import wordsplit
from wordsplit.vocabs.formats.gguf.reader import holds_metadata
from wordsplit.vocabs.hub import fetch as _fetch

MB = 1 << 20
NAME = "hf:some/gguf"


def padded(size, tensors=0):
    """A file with metadata of about that size, and tensors behind them."""
    return document([("padding", items(U64, [7] * (size // 8))), *fields()], tail=bytes(tensors))


@pytest.fixture
def gguf(hub):
    """Puts a file on the hub."""

    def put(data):
        hub.repos["some/gguf"] = {"model.gguf": data}
        return data

    return put


def ranges(hub):
    return [headers.get("Range") for path, headers in hub.requests if "/resolve/" in path]


def test_a_small_file_is_one_request(hub, gguf, load, cache):
    data = gguf(small())
    assert wordsplit.load_tokenizer(load(NAME)).encode("hello") == [TOKENS.index("hello")]
    assert ranges(hub) == [f"bytes=0-{MB - 1}"]
    assert cache.blobs()[0][:2] == (sha256(data), len(data))


@pytest.mark.parametrize("ignored", [False, True])
def test_tensors_are_left_where_they_are(hub, gguf, load, cache, ignored):
    data = gguf(padded(100_000, tensors=200 * MB))
    hub.ignore_range = ignored
    vocab = load(NAME)
    assert vocab.merges[0] == (TOKENS.index("h"), TOKENS.index("e"))
    assert len(vocab.merges) == len(MERGES)
    assert cache.blobs()[0][:2] == (sha256(data[:MB]), MB)
    assert hub.sent < 16 * MB  # of a server that ignores ranges, what the buffers of the sockets take


@pytest.mark.parametrize("ignored", [False, True])
def test_ranges_grow(hub, gguf, load, ignored):
    gguf(padded(5 * MB, tensors=50 * MB))
    hub.ignore_range = ignored
    load(NAME)
    assert ranges(hub) == [f"bytes=0-{MB - 1}", f"bytes={MB}-{4 * MB - 1}", f"bytes={4 * MB}-{16 * MB - 1}"]


@pytest.mark.parametrize("size", [MB - 1, MB, MB + 1, 4 * MB])
def test_a_file_that_ends_near_a_range(hub, gguf, load, size):
    whole = padded(size - len(padded(0)) - 7)
    gguf(whole + bytes(size - len(whole)))
    assert load(NAME).n_vocab == len(TOKENS)


def test_it_comes_from_the_cache_and_is_healed(hub, gguf, load, cache):
    gguf(padded(5 * MB, tensors=20 * MB))
    first = load(NAME)
    before = len(hub.requests)
    assert load(NAME).fingerprint == first.fingerprint
    assert len(hub.requests) == before
    (blob,) = cache.blobs()
    path = cache.blob_path(blob.sha256)
    path.chmod(0o644)
    path.write_bytes(b"GGUF")
    assert load(NAME).fingerprint == first.fingerprint
    assert ranges(hub)[3:] == [f"bytes=0-{16 * MB - 1}"]  # its size is known now
    assert load(NAME, sha256=blob.sha256).fingerprint == first.fingerprint


def test_damaged_metadata_are_not_searched_for_to_the_end(hub, gguf, load, tmp_path):
    for data in (b"GGUF" + struct.pack("<IQQ", 9, 0, 5), b"<xml>", document([("x", b"\xff" * 12), *fields()])):
        gguf(data + bytes(20 * MB))
        hub.requests.clear()
        with pytest.raises((wordsplit.VocabFormatError, wordsplit.UnsupportedVocabError), match="hf:some/gguf@main"):
            load(NAME, cache=tmp_path / str(len(data)))
        assert len(ranges(hub)) == 1


@pytest.mark.full
def test_metadata_without_end_meet_the_cap(hub, gguf, load, monkeypatch):
    monkeypatch.setattr(_fetch, "MAX_VOCAB_BYTES", 8 * MB)
    gguf(padded(40 * MB))
    with pytest.raises(wordsplit.DownloadError, match=f"larger than {8 * MB} bytes"):
        load(NAME)
    assert hub.sent < 32 * MB


def test_a_range_that_was_not_asked_for(hub, gguf, load):
    data = gguf(padded(5 * MB))
    hub.hooks["/resolve/"] = lambda h: reply(h, 206, data[:MB], {"Content-Range": f"bytes 5-{MB + 4}/{len(data)}"})
    with pytest.raises(wordsplit.DownloadError, match="requested bytes from 0 on, received 'bytes 5-"):
        load(NAME)
    hub.hooks["/resolve/"] = lambda h: reply(h, 206, data[:MB])
    with pytest.raises(wordsplit.DownloadError, match="received ''"):
        load(NAME)


def test_where_metadata_end():
    whole = small()
    assert holds_metadata(whole)
    for size in range(len(whole)):
        assert not holds_metadata(whole[:size]) or size < 4, size
    assert holds_metadata(b"GGML" + whole[4:])
    assert holds_metadata(document([("a\0b", struct.pack("<IB", U8, 0)), *fields()])[:-10])
