"""`wordsplit.compat.tiktoken.load` against `tiktoken.load`: results, files in the cache, requests, kinds of errors."""

import base64
import hashlib
import http.server
import json
import os
import random
import threading

import hypothesis
import hypothesis.strategies as st
import pytest
import tiktoken.load
import tiktoken_ext.openai_public as public

import wordsplit
import wordsplit.compat.tiktoken.load as ours
from wordsplit.byte_level import to_byte_level
from wordsplit.compat.errors import MissingLibraryError

RANKS = {bytes([i]): i for i in range(256)} | {b"ab": 256, b"abc": 300, "é".encode(): 257}
BOTH = pytest.mark.parametrize("load", [ours, tiktoken.load], ids=["ours", "theirs"])


def lines_of(ranks):
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def server(monkeypatch):
    """A web server of `files`, path -> content, which lists the paths that it was asked for."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            found = files.get(self.path)
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_):
            pass

    files, asked = {}, []
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.files, made.asked, made.url = files, asked, f"http://127.0.0.1:{made.server_port}"
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A function that begins with an empty cache in a folder."""

    def begin(name, variable="TIKTOKEN_CACHE_DIR"):
        for each in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
            monkeypatch.delenv(each, raising=False)
        monkeypatch.setenv(variable, str(tmp_path / name))
        return tmp_path / name

    return begin


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else None


def outcome(call, *arguments, **more):
    try:
        return call(*arguments, **more)
    except (ValueError, KeyError, OSError, ImportError, AssertionError) as error:
        kinds = (ValueError, OSError, ImportError)
        # What tiktoken asserts, and where it passes a look-up's error on, is a ValueError here.
        return next((kind for kind in kinds if isinstance(error, kind)), ValueError)


@BOTH
def test_cache(load, server, cache):
    server.files["/a.tiktoken"] = lines_of(RANKS)
    url, folder = f"{server.url}/a.tiktoken", cache("nested/folder")
    for _ in range(2):
        assert load.load_tiktoken_bpe(url, sha256(server.files["/a.tiktoken"])) == RANKS
    assert server.asked == ["/a.tiktoken"]
    key = hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()
    assert content(folder) == {key: lines_of(RANKS)}

    server.files["/a.tiktoken"] = changed = lines_of(RANKS | {b"xyz": 400})
    assert load.load_tiktoken_bpe(url) == RANKS  # without a hash, what is cached is used
    assert load.load_tiktoken_bpe(url, sha256(changed))[b"xyz"] == 400  # with another it is replaced
    assert server.asked == 2 * ["/a.tiktoken"]
    assert content(folder) == {key: changed}

    with pytest.raises(ValueError, match="expected"):
        load.load_tiktoken_bpe(url, "0" * 64)
    assert content(folder) == {}  # removed, and not written


@BOTH
def test_which_folder(load, server, cache, monkeypatch, tmp_path):
    server.files["/a"] = lines_of(RANKS)
    second = cache("second", "DATA_GYM_CACHE_DIR")
    load.read_file_cached(f"{server.url}/a")
    assert len(content(second)) == 1
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "first"))
    load.read_file_cached(f"{server.url}/a")
    assert len(content(tmp_path / "first")) == 1

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    server.asked.clear()
    for _ in range(2):  # without a cache the hash is not checked
        assert load.read_file_cached(f"{server.url}/a", "0" * 64) == server.files["/a"]
    assert server.asked == ["/a", "/a"]

    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.delenv("DATA_GYM_CACHE_DIR")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    load.read_file_cached(f"{server.url}/a")
    assert len(content(tmp_path / "temporary" / "data-gym-cache")) == 1


@BOTH
def test_a_cache_that_cannot_be_written(load, server, cache, monkeypatch, tmp_path):
    server.files["/a"] = lines_of(RANKS)
    (tmp_path / "file").write_text("")
    cache("file/folder")
    with pytest.raises(OSError):
        load.read_file_cached(f"{server.url}/a")
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    assert load.read_file_cached(f"{server.url}/a") == server.files["/a"]


@BOTH
@pytest.mark.parametrize("is_chosen", [True, False])
@pytest.mark.parametrize("before", [None, "old"])
def test_links_in_the_cache_are_replaced(load, server, cache, monkeypatch, tmp_path, is_chosen, before):
    """Everybody may write to the folder for temporary files: a link there led to any file of the user's own."""
    server.files["/a"] = lines_of(RANKS)
    folder = cache("data-gym-cache")
    if not is_chosen:
        monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder.mkdir()
    link = folder / hashlib.sha1(f"{server.url}/a".encode(), usedforsecurity=False).hexdigest()
    mine = tmp_path / "mine"
    link.symlink_to(mine)
    if before is not None:
        mine.write_text(before)
    assert load.read_file_cached(f"{server.url}/a", sha256(server.files["/a"])) == server.files["/a"]
    assert (mine.read_text() if mine.exists() else None) == before
    assert (link.is_symlink(), link.read_bytes()) == (False, server.files["/a"])


def test_files_of_others_among_the_temporary_ones(server, cache, monkeypatch, tmp_path):
    server.files["/a"] = lines_of(RANKS)
    url, planted = f"{server.url}/a", lines_of(RANKS | {b"xyz": 400})
    cache("unused")
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tmp_path / "data-gym-cache" / hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()
    path.parent.mkdir()
    path.write_bytes(planted)
    assert ours.read_file_cached(url) == planted  # it is this user's own
    monkeypatch.setattr(ours, "is_own", lambda _: False)
    assert ours.read_file_cached(url, sha256(planted)) == planted
    assert ours.read_file_cached(url) == server.files["/a"]
    path.unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)  # to open it would take forever
    assert ours.read_file_cached(url) == server.files["/a"]


@BOTH
def test_paths(load, cache, tmp_path):
    folder = cache("cache")
    path = tmp_path / "a.tiktoken"
    path.write_bytes(lines_of(RANKS))
    assert load.load_tiktoken_bpe(str(path), sha256(path.read_bytes())) == RANKS
    assert set(content(folder)) == {hashlib.sha1(str(path).encode(), usedforsecurity=False).hexdigest()}
    assert load.read_file(str(path)) == path.read_bytes()
    assert load.check_hash(b"a", sha256(b"a"))
    assert not load.check_hash(b"a", sha256(b"a").upper())
    with pytest.raises(FileNotFoundError):
        load.read_file(str(tmp_path / "none"))


@BOTH
def test_what_is_not_there(load, server, cache):
    cache("cache")
    with pytest.raises(OSError, match="404"):
        load.read_file(f"{server.url}/none")
    with pytest.raises(ImportError, match="blobfile"):
        load.read_file("gs://bucket/file")


def test_errors_are_ours(server, cache, monkeypatch, tmp_path):
    cache("cache")
    with pytest.raises(wordsplit.DownloadError):
        ours.read_file(f"{server.url}/none")
    with pytest.raises(MissingLibraryError):
        ours.dump_tiktoken_bpe(RANKS, "gs://bucket/file")
    with pytest.raises(wordsplit.DownloadError, match="https"):
        ours.read_file("http://example.org/a.tiktoken")
    monkeypatch.setenv("WORDSPLIT_OFFLINE", "1")
    with pytest.raises(wordsplit.OfflineError):
        ours.read_file(f"{server.url}/none")
    path = tmp_path / "bad.tiktoken"
    path.write_bytes(b"YQ== 1\n!\n")
    with pytest.raises(wordsplit.VocabFormatError, match=r"bad\.tiktoken.*line 2"):
        ours.load_tiktoken_bpe(str(path))


LINES = st.sampled_from(
    [
        b"YQ== 0",
        b"YWI= 7",
        b"YWI= 3",
        b"",
        b" ",
        b"YQ==  1",
        b"YQ==\t2",
        b"Y!Q== 4",
        b"YQ= 5",
        b"YQ== -1",
        b"YQ== 1_0",
        b"YQ== x",
        b"YQ==",
        b"YQ== 1 2",
        b"/w== 9",
        b"\xff 1",
        b"YQ== 4294967296",
        b"# 6",
    ]
)


@hypothesis.given(lines=st.lists(LINES, max_size=5), end=st.sampled_from([b"\n", b"\r\n", b"\r"]), sound=st.booleans())
def test_lines(tmp_path_factory, lines, end, sound):
    path = tmp_path_factory.mktemp("lines") / "a.tiktoken"
    path.write_bytes((lines_of(RANKS).replace(b"\n", end) if sound else b"") + end.join(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", "")
        expected = outcome(tiktoken.load.load_tiktoken_bpe, str(path))
        found = outcome(ours.load_tiktoken_bpe, str(path))
    assert found == expected
    assert found is ValueError or list(found) == list(expected)


def test_dump(tmp_path, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    path = str(tmp_path / "a.tiktoken")
    shuffled = random.Random(1).sample(sorted(RANKS.items()), len(RANKS))
    ours.dump_tiktoken_bpe(dict(shuffled), path)
    assert tiktoken.load.load_tiktoken_bpe(path) == RANKS
    assert list(ours.load_tiktoken_bpe(path).values()) == sorted(RANKS.values())


def test_openai_files_come_from_the_package(monkeypatch, cache):
    """Each URL that tiktoken's own encodings name, with the hash that they expect."""
    cache("cache")
    monkeypatch.setenv("WORDSPLIT_OFFLINE", "1")
    named = []

    def load(url, expected_hash):
        named.append((url, expected_hash))
        return {}

    def load_two(vocab_bpe_file, encoder_json_file, vocab_bpe_hash, encoder_json_hash):
        named.extend([(vocab_bpe_file, vocab_bpe_hash), (encoder_json_file, encoder_json_hash)])
        return {}

    monkeypatch.setattr(public, "load_tiktoken_bpe", load)
    monkeypatch.setattr(public, "data_gym_to_mergeable_bpe_ranks", load_two)
    for constructor in public.ENCODING_CONSTRUCTORS.values():
        constructor()
    assert len(set(named)) == 6
    for url, expected in set(named):
        assert ours.check_hash(ours.read_file_cached(url, expected), expected)


def gpt2_like(*, specials=(), clobber=False):
    """Files in the format of GPT-2's: (merges, tokens)."""
    single = sorted(range(256), key=lambda byte: ord(to_byte_level(bytes([byte]))))
    ids = {to_byte_level(bytes([byte])): (500 + i if clobber else i) for i, byte in enumerate(single)}
    merges = [("a", "b"), ("ab", "c"), ("Ġ", "a")]
    ids |= {left + right: 256 + i for i, (left, right) in enumerate(merges)}
    ids |= {special: 700 + i for i, special in enumerate(specials)}
    return "\n".join(["#version", *map(" ".join, merges), ""]), ids


def gpt2_cases():
    merges, ids = gpt2_like()
    yield merges, ids, False
    yield merges, gpt2_like(specials=["<|endoftext|>", "<|startoftext|>"])[1], False
    yield merges, gpt2_like(specials=["<|other|>"])[1], False
    yield merges, gpt2_like(clobber=True)[1], True
    yield merges, gpt2_like(clobber=True)[1], False
    yield merges.replace("ab c", "ab"), ids, False
    yield merges.replace("ab c", "ab 你"), ids, False
    yield merges, ids | {"你": 1}, False


@pytest.mark.parametrize("case", list(gpt2_cases()))
def test_gpt2_files(case, tmp_path, monkeypatch):
    merges, ids, clobber = case
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    (tmp_path / "vocab.bpe").write_text(merges, encoding="utf-8")
    (tmp_path / "encoder.json").write_text(json.dumps(ids))
    arguments = {
        "vocab_bpe_file": str(tmp_path / "vocab.bpe"),
        "encoder_json_file": str(tmp_path / "encoder.json"),
        "clobber_one_byte_tokens": clobber,
    }
    expected = outcome(tiktoken.load.data_gym_to_mergeable_bpe_ranks, **arguments)
    assert outcome(ours.data_gym_to_mergeable_bpe_ranks, **arguments) == expected
    if expected is ValueError:
        with pytest.raises(wordsplit.VocabFormatError):
            ours.data_gym_to_mergeable_bpe_ranks(**arguments)
