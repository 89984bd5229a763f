"""What servers and networks do to a download."""

import email.utils
import gzip
import json
import socket
import threading
import time

import pytest
from vocabs.hub.conftest import REPO
from vocabs.hub.hub_server import reply, sha256

import wordsplit
from wordsplit.vocabs.hub import retry
from wordsplit.vocabs.hub.download import HttpFetcher, MissingFileError, TransientError


def first_times(count, answer):
    """A hook that answers so the first times, and then lets the server answer."""
    left = [count]

    def hook(handler):
        left[0] -= 1
        if left[0] < 0:
            return False
        return answer(handler)

    return hook


# Refusals.


def test_404_of_a_listed_file(hub, load):
    hub.hooks["/resolve/"] = lambda handler: reply(handler, 404)
    with pytest.raises(wordsplit.DownloadError, match=r"404 Not Found\. hf:some/model@main has no such file any more"):
        load()
    assert len(hub.paths("/resolve/")) == 1


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("where", ["/api/", "/resolve/"])
def test_gated(hub, load, status, where, monkeypatch):
    hub.hooks[where] = lambda handler: reply(handler, status)
    with pytest.raises(wordsplit.DownloadError, match=rf"{status} .*gated.*\(no token was sent\).*HF_TOKEN"):
        load()
    assert len(hub.paths(where)) == 1  # not tried again
    monkeypatch.setenv("HF_TOKEN", "hf_of_a_test")
    with pytest.raises(wordsplit.DownloadError, match="a token was sent") as caught:
        load()
    assert "hf_of_a_test" not in str(caught.value)


@pytest.mark.parametrize("status", [204, 304, 400, 418, 451])
def test_other_replies_are_final(hub, load, status):
    hub.hooks["/resolve/"] = lambda handler: reply(handler, status)
    with pytest.raises(wordsplit.DownloadError, match=f"resolve/.*: {status}"):
        load()
    assert len(hub.paths("/resolve/")) == 1


def test_a_listing_that_is_none(hub, load):
    for body in (
        b"",
        b"[]",
        b"<html>",
        b'{"siblings": 5}',
        b'{"siblings": [{"rfilename": 5}]}',
        b'{"siblings": ["a"]}',
    ):
        hub.hooks["/api/"] = lambda handler, body=body: reply(handler, 200, body)
        with pytest.raises(wordsplit.DownloadError, match="is http://127.0.0.1:.* a Hugging Face hub"):
            load()


# Tried again.


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_passing_faults_are_tried_again(hub, load, status):
    hub.hooks["tokenizer.json"] = first_times(4, lambda handler: reply(handler, status))
    assert load().n_vocab == 261
    assert len(hub.paths("tokenizer.json")) == 5


def test_five_tries_are_enough(hub, load):
    hub.hooks["tokenizer.json"] = lambda handler: reply(handler, 503)
    with pytest.raises(wordsplit.DownloadError, match=r"503 .*\(tried 5 times\)"):
        load()
    assert len(hub.paths("tokenizer.json")) == 5


def test_retry_after_is_kept_to_and_capped(hub, load, monkeypatch):
    pauses = []
    monkeypatch.setattr(retry.time, "sleep", pauses.append)
    in_ten = email.utils.formatdate(time.time() + 10, usegmt=True)
    answers = iter(["3", "100000", in_ten, "soon"])
    hub.hooks["tokenizer.json"] = first_times(4, lambda h: reply(h, 429, headers={"Retry-After": next(answers)}))
    load()
    assert pauses[:2] == [3, retry.LONGEST_PAUSE]
    assert 7 < pauses[2] < 11
    assert pauses[3] < 1


def test_pauses_grow_and_differ(monkeypatch):
    pauses = []
    monkeypatch.setattr(retry.time, "sleep", pauses.append)
    monkeypatch.setattr(retry, "FIRST_PAUSE", 1.0)

    def fails():
        raise TransientError("no")

    for _ in range(20):
        with pytest.raises(wordsplit.DownloadError):
            retry.with_retries(fails)
    for n in range(4):
        of_try = pauses[n::4]
        assert 2**n * 0.5 <= min(of_try) < max(of_try) <= 2**n * 1.5


def test_a_short_read(hub, load, tokenizer_json):
    def short(handler):
        reply(handler, 200, tokenizer_json[:1000], length=len(tokenizer_json))

    hub.hooks["tokenizer.json"] = first_times(2, short)
    assert load().n_vocab == 261
    hub.hooks["tokenizer.json"] = short
    with pytest.raises(wordsplit.DownloadError, match=r"\(tried 5 times\)"):
        load("hf:some/model", cache="/nonexistent/x", revision=hub.commit)


def break_off(handler):
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def test_a_connection_that_breaks_off(hub, load):
    hub.hooks["tokenizer.json"] = first_times(2, break_off)
    assert load().n_vocab == 261


@pytest.mark.parametrize("unreachable", ["http://127.0.0.1:9", "https://hub.invalid"])
def test_a_name_that_is_only_guessed_is_tried_once(load, monkeypatch, unreachable):
    """Mistyped names are more common than hubs that come back within seconds."""
    monkeypatch.setenv("HF_ENDPOINT", unreachable)
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waits"))
    with pytest.raises(wordsplit.DownloadError) as caught:
        load("openai/gpt-2")
    message = str(caught.value)
    assert "'openai/gpt-2' was treated as a name of the hub" in message
    assert "Did you mean " in message
    assert "'openai-community/gpt2'" in message
    assert "tried" not in message


def test_a_name_that_is_only_guessed_and_not_there(hub, load):
    with pytest.raises(wordsplit.DownloadError, match="no repository.*was treated as a name of the hub"):
        load("soem/model")
    with pytest.raises(wordsplit.OfflineError, match="was treated as a name of the hub"):
        load("soem/model", offline=True)


def test_other_faults_are_tried_again_for_guessed_names_too(hub, load):
    hub.hooks["/api/"] = first_times(2, lambda handler: reply(handler, 503))
    assert load(REPO).n_vocab == 261
    hub.hooks["tokenizer.json"] = first_times(2, break_off)
    assert load(REPO, revision=hub.commit).n_vocab == 261


@pytest.mark.parametrize(
    ("endpoint", "why"),
    [
        ("http://127.0.0.1:9", r"127\.0\.0\.1 cannot be reached \(connection refused\)"),
        ("https://hub.invalid", r"hub\.invalid cannot be reached \(its name cannot be resolved\)"),
    ],
)
def test_a_hub_that_cannot_be_reached_is_asked_once(load, monkeypatch, endpoint, why):
    """It took nine seconds, and ended with the text of a transport error."""
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waits"))
    with pytest.raises(wordsplit.DownloadError, match=rf"{why}\. Check the network") as caught:
        load()
    message = str(caught.value)
    assert "tried" not in message
    assert "NewConnectionError" not in message
    assert "\n" not in message


def test_a_proxy_that_cannot_be_reached(load, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "https://hub.invalid")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waits"))
    with pytest.raises(wordsplit.DownloadError, match=r"the proxy cannot be reached \(connection refused\)"):
        load()


@pytest.mark.parametrize(
    ("proxy", "why"),
    [
        ("gopher://me:secret@proxy", "unsupported scheme gopher"),
        ("http://me:secret@proxy:99999", "Failed to parse"),
        ("http://me:secret@:80", "could be missing the host"),
    ],
)
def test_a_proxy_that_cannot_be_used(load, monkeypatch, proxy, why):
    monkeypatch.setenv("HF_ENDPOINT", "https://hub.invalid")
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    with pytest.raises(wordsplit.DownloadError, match=rf"{why}.*\. Check HF_ENDPOINT, and the proxies") as caught:
        load()
    assert "secret" not in str(caught.value)


def test_a_hub_that_goes_away_is_asked_again():
    """What has been reached once may come back within seconds."""
    tries = []

    def fails():
        tries.append(None)
        error = TransientError("no")
        error.unreachable = len(tries) > 1
        raise error

    with pytest.raises(wordsplit.DownloadError, match="tried 5 times"):
        retry.with_retries(fails)
    assert len(tries) == 5


@pytest.mark.parametrize("encoded", [False, True])
def test_a_slow_drip(hub, encoded):
    stop = threading.Event()

    def drip(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        if encoded:  # and nothing ever comes out of it
            handler.send_header("Content-Encoding", "gzip")
        handler.end_headers()
        empty = gzip.compress(b"")[:10] + b"\0\0\0\xff\xff" * 20_000
        for i in range(10_000):
            if stop.wait(0.02):
                return
            handler.wfile.write(empty[i : i + 1])
            handler.wfile.flush()

    hub.hooks["tokenizer.json"] = drip
    url = f"{hub.url}/{REPO}/resolve/main/tokenizer.json"
    start = time.monotonic()
    with pytest.raises(TransientError, match="too slow"):
        list(HttpFetcher(window=0.3, min_rate=1000)(url))
    with pytest.raises(wordsplit.DownloadError, match="not done after 0 seconds"):
        list(HttpFetcher(deadline=0.3)(url))
    assert time.monotonic() - start < 60
    stop.set()


def test_a_server_that_says_nothing(hub):
    stop = threading.Event()
    hub.hooks["tokenizer.json"] = lambda _: stop.wait(10)
    with pytest.raises(TransientError, match=r"[Tt]ime"):
        list(HttpFetcher(read_timeout=0.2)(f"{hub.url}/{REPO}/resolve/main/tokenizer.json"))
    stop.set()


# Content.


def test_a_wrong_hash_is_not_kept(hub, load, cache, tokenizer_json):
    hub.repos[REPO] = {"tokenizer.json": tokenizer_json}
    with pytest.raises(wordsplit.DownloadError, match="sha256"):
        load(sha256=sha256(b"other"))
    assert cache.blobs() == []
    assert cache.records() == []
    assert len(hub.paths("/resolve/")) == 1


@pytest.mark.parametrize(
    ("page", "what"),
    [
        (b"<!DOCTYPE html>\n<title>Log in</title>", "a web page"),
        (b"\n <html lang=en>", "a web page"),
        (b"<HTML>", "a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 5\n", "a pointer of Git LFS"),
    ],
)
def test_a_page_in_place_of_a_file(hub, load, cache, page, what):
    """A network with a log-in page, behind a hub that names no sizes: the page was recorded, and stayed for good."""
    listing = json.dumps({"siblings": [{"rfilename": "tokenizer.json"}]}).encode()
    hub.hooks["/api/"] = lambda handler: reply(handler, 200, listing)
    hub.hooks["/resolve/"] = lambda handler: reply(handler, 200, page)
    with pytest.raises(wordsplit.DownloadError, match=rf"tokenizer\.json: is {what}, not the file"):
        load()
    assert (cache.blobs(), cache.records()) == ([], [])
    del hub.hooks["/resolve/"]
    assert load().n_vocab == 261


def test_more_than_was_announced(hub, load, tokenizer_json, cache):
    hub.hooks["/resolve/"] = lambda handler: reply(handler, 200, tokenizer_json + b" " * 10_000_000, count=hub)
    with pytest.raises(wordsplit.DownloadError, match=f"larger than {len(tokenizer_json)} bytes"):
        load()
    assert hub.sent < 9_000_000
    assert cache.blobs() == []


@pytest.mark.parametrize("chunked", [False, True])
def test_a_compressed_reply(hub, load, qwen3_json, cache, chunked):
    packed = gzip.compress(qwen3_json, 1)

    def answer(handler):
        assert handler.headers["Accept-Encoding"] == "gzip"
        if not chunked:
            return reply(handler, 200, packed, {"Content-Encoding": "gzip"})
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for at in range(0, len(packed), 5000):
            piece = packed[at : at + 5000]
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        return handler.wfile.write(b"0\r\n\r\n")

    hub.repos[REPO] = {"tokenizer.json": qwen3_json}
    hub.hooks["tokenizer.json"] = answer
    assert load().n_vocab == 151669
    assert cache.blobs()[0][:2] == (sha256(qwen3_json), len(qwen3_json))


def test_a_gzip_bomb_is_stopped_at_the_cap(hub, load, peak_memory):
    bomb = gzip.compress(bytes(400 << 20), 9)
    hub.hooks["tokenizer.json"] = lambda handler: reply(handler, 200, bomb, {"Content-Encoding": "gzip"})
    with peak_memory(64), pytest.raises(wordsplit.DownloadError, match="larger than"):
        load()


@pytest.mark.parametrize(
    ("body", "encoding", "match"),
    [
        (gzip.compress(b"hello" * 1000, mtime=0)[:-20], "gzip", "cut short"),
        (b"hello", "gzip", "damaged gzip"),
        (b"hello", "br", "encoded as 'br'"),
        (b"hello", "gzip, gzip", "encoded as"),
    ],
    ids=["cut short", "damaged", "another", "twice"],
)
def test_damaged_encodings(hub, load, body, encoding, match):
    hub.hooks["tokenizer.json"] = lambda handler: reply(handler, 200, body, {"Content-Encoding": encoding})
    with pytest.raises(wordsplit.DownloadError, match=match):
        load()


# A fetcher of one's own.


def test_a_fetcher_of_ones_own(hub, load, tokenizer_json):
    asked = []

    def fetcher(url, *, start=0, size=None):
        asked.append(url)
        if "/api/" in url:
            return [b'{"siblings": [{"rfilename": "tokenizer.json"}]}']
        if len(asked) < 4:
            raise ConnectionResetError("a passing fault")
        return [tokenizer_json[:5], tokenizer_json[5:]]

    vocab = load(fetcher=fetcher)
    assert (vocab.n_vocab, len(asked)) == (261, 4)
    assert not hub.requests

    def lacking(url, *, start=0, size=None):
        raise MissingFileError("not here")

    with pytest.raises(wordsplit.DownloadError, match="no repository"):
        load("hf:a/b", fetcher=lacking)
