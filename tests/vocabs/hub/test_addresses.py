"""Where a download may lead, and what is sent there: redirects, the token, mirrors, proxies."""

import http.server
import threading

import pytest
from vocabs.hub.conftest import REPO
from vocabs.hub.hub_server import redirect, reply, sha256

import wordsplit
from wordsplit.vocabs.hub.download import HttpFetcher

# Redirects and addresses.


def test_redirects(hub, load, other, tokenizer_json):
    other.blobs[sha256(tokenizer_json)] = tokenizer_json
    steps = [f"/step/{n}" for n in range(4)]
    hub.hooks["/resolve/"] = lambda h: False if "tokenizer.json" not in h.path else redirect(steps[0])(h)
    for here, there in zip(steps, [*steps[1:], f"{other.url}/blobs/{sha256(tokenizer_json)}?signature=x"], strict=True):
        hub.hooks[here] = redirect(there, 307)
    assert load().n_vocab == 261
    assert len(other.requests) == 1


def test_the_body_of_a_redirect_is_not_read(hub, load, tokenizer_json):
    def endless(handler):
        reply(handler, 302, bytes(64 << 20), {"Location": "/blobs/" + sha256(tokenizer_json)}, count=hub)

    hub.blobs[sha256(tokenizer_json)] = tokenizer_json
    hub.repos[REPO] = {"tokenizer.json": tokenizer_json}
    hub.hooks["/resolve/"] = endless
    assert load().n_vocab == 261
    assert hub.sent < 32 << 20


def test_too_many_redirects(hub, load):
    hub.hooks["tokenizer.json"] = lambda h: redirect(h.path.partition("?")[0] + "?again")(h)
    with pytest.raises(wordsplit.DownloadError, match="more than 5 redirects"):
        load()
    assert len(hub.paths("tokenizer.json")) == 6


@pytest.mark.parametrize(
    ("to", "match"),
    [
        ("http://example.org/x", "only https://"),
        ("ftp://127.0.0.1/x", "only https://"),
        ("file:///etc/passwd", "only https://"),
        ("http://127.0.0.1.example.org/x", "only https://"),
        ("//example.org/x", "only https://"),
        ("https://user:secret@127.0.0.1/x", "holds a user name"),
        ("http://[::1/x", "is not a URL"),
    ],
)
def test_where_no_redirect_may_lead(hub, load, to, match):
    hub.hooks["tokenizer.json"] = redirect(to)
    with pytest.raises(wordsplit.DownloadError, match=match) as caught:
        load()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://example.org", "ftp://example.org", "example.org", "file:///tmp", "http://", "x"]
)
def test_only_https(load, monkeypatch, url):
    monkeypatch.setenv("HF_ENDPOINT", url)
    with pytest.raises(wordsplit.DownloadError, match="only https://"):
        load()


def test_strangers_may_not_send_us_to_this_machine():
    from wordsplit.vocabs.hub.addresses import check_address

    check_address("https://cdn.example.org/x", "https://example.org/x")
    for inside in ("http://127.0.0.1/x", "https://localhost/x", "http://[::1]:80/x"):
        check_address(inside, inside)
        with pytest.raises(wordsplit.DownloadError, match="redirects to this machine"):
            check_address(inside, "https://example.org/x")


# The token.


def tokens_sent(server):
    return [headers.get("Authorization") for _, headers in server.requests]


def test_the_token_goes_to_the_endpoint_alone(hub, load, other, tokenizer_json, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login a password b\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HF_TOKEN", "hf_of_a_test")
    other.blobs[sha256(tokenizer_json)] = tokenizer_json
    hub.repos[REPO] = {"tokenizer.json": tokenizer_json}
    hub.hooks["tokenizer.json"] = redirect(f"{other.url}/blobs/{sha256(tokenizer_json)}")
    load()
    assert set(tokens_sent(hub)) == {"Bearer hf_of_a_test"}
    assert tokens_sent(other) == [None]  # another port is another host
    hub.hooks["/blobs/"] = redirect("/elsewhere")
    hub.hooks["/elsewhere"] = lambda h: reply(h, 200, tokenizer_json)
    hub.hooks["tokenizer.json"] = redirect("/blobs/" + "0" * 64)
    load("hf:some/model", revision=hub.commit)
    assert hub.headers("/elsewhere")["Authorization"] == "Bearer hf_of_a_test"  # the same host keeps it


def test_no_token_to_the_mirror(hub, load, other, tokenizer_json, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_of_a_test")
    monkeypatch.setenv("WORDSPLIT_MIRROR", other.url)
    hub.repos[REPO] = {"tokenizer.json": tokenizer_json}
    other.blobs[sha256(tokenizer_json)] = tokenizer_json
    load(sha256=sha256(tokenizer_json))
    assert tokens_sent(other) == [None]


def test_where_the_token_comes_from(hub, load, monkeypatch, tmp_path):
    (tmp_path / "hf").mkdir()
    (tmp_path / "hf/token").write_text("from_the_file\n")
    load()
    assert tokens_sent(hub)[-1] == "Bearer from_the_file"
    (tmp_path / "elsewhere").write_text("from_elsewhere")
    monkeypatch.setenv("HF_TOKEN_PATH", str(tmp_path / "elsewhere"))
    load(revision=hub.commit)
    assert tokens_sent(hub)[-1] == "Bearer from_elsewhere"
    monkeypatch.setenv("HF_TOKEN", "two words\nX-Header: x")
    with pytest.raises(wordsplit.DownloadError, match="HF_TOKEN") as caught:
        load("hf:a/b")
    assert "X-Header" not in str(caught.value)
    assert "words" not in repr(HttpFetcher(token="words"))  # noqa: S106


# Mirrors and proxies.


def test_the_mirror_is_asked_first_for_what_is_pinned(hub, load, other, tokenizer_json, monkeypatch, cache):
    monkeypatch.setenv("WORDSPLIT_MIRROR", other.url + "/")
    hub.repos[REPO] = {"tokenizer.json": tokenizer_json}
    load()  # not pinned: the mirror is not trusted with it
    assert not other.requests
    cache.prune(everything=True)
    other.blobs[sha256(tokenizer_json)] = b"something else"
    load(sha256=sha256(tokenizer_json))  # it lies, and the hub is asked
    assert (len(other.requests), len(hub.paths("/resolve/"))) == (1, 2)
    other.blobs[sha256(tokenizer_json)] = tokenizer_json
    cache.blob_path(sha256(tokenizer_json)).unlink()
    load(sha256=sha256(tokenizer_json))
    assert (len(other.requests), len(hub.paths("/resolve/"))) == (2, 2)
    other.blobs.clear()
    cache.blob_path(sha256(tokenizer_json)).unlink()
    load()  # recorded, hence pinned; the mirror lacks it
    assert (len(other.requests), len(hub.paths("/resolve/"))) == (3, 3)


def test_a_proxy_is_used(load, monkeypatch):
    seen = []

    class Proxy(http.server.BaseHTTPRequestHandler):
        def log_message(self, *args):
            pass

        def do_CONNECT(self):
            seen.append(self.path)
            self.send_error(403)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("HF_ENDPOINT", "https://hub.invalid")
        with pytest.raises(wordsplit.DownloadError, match=r"hub\.invalid/api/"):
            load()
        assert set(seen) == {"hub.invalid:443"}
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        count = len(seen)
        with pytest.raises(wordsplit.DownloadError):
            load()
        assert len(seen) == count
    finally:
        server.shutdown()
        server.server_close()


def test_a_ca_bundle_that_is_not_there(hub, load, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", hub.url.replace("http:", "https:"))  # a server that speaks no TLS
    with pytest.raises(wordsplit.DownloadError, match="certificate|SSL"):
        load()
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nonexistent.pem")
    with pytest.raises(wordsplit.DownloadError):
        load()
