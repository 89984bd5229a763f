"""Offline: no socket, and a way out."""

import os
import socket
import subprocess
import sys

import pytest
from vocabs.hub.conftest import REPO
from vocabs.hub.hub_server import sha256

import wordsplit


@pytest.fixture
def no_sockets(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


WAYS = [
    {"WORDSPLIT_OFFLINE": "1"},
    {"HF_HUB_OFFLINE": "1"},
    {"HF_HUB_OFFLINE": "ON"},
    {"TRANSFORMERS_OFFLINE": "1"},
    {"WORDSPLIT_OFFLINE": "true"},
    {},
]


@pytest.mark.parametrize("environ", WAYS)
def test_no_socket_is_opened(environ, no_sockets, monkeypatch, tmp_path):
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(wordsplit.OfflineError) as caught:
        wordsplit.load_vocab("hf:some/model", offline=not environ)
    message = str(caught.value)
    place = tmp_path / "hf/hub/models--some--model/snapshots/main/tokenizer.json"
    for part in (
        "tokenizer.json",
        "http://127.0.0.1:9/some/model/resolve/main/tokenizer.json",
        str(place),
        "`wordsplit prefetch hf:some/model@main`",
    ):
        assert part in message


def test_the_way_out_works(no_sockets, tokenizer_json, tmp_path):
    place = tmp_path / "hf/hub/models--some--model/snapshots/main"
    place.mkdir(parents=True)
    (place / "tokenizer.json").write_bytes(tokenizer_json)
    assert wordsplit.load_vocab("hf:some/model", offline=True).n_vocab == 261


def test_of_a_pinned_name_the_place_is_its_blob(no_sockets, cache):
    with pytest.raises(wordsplit.OfflineError) as caught:
        wordsplit.load_vocab("gpt2-hf", offline=True)
    pin = wordsplit.catalog.find("gpt2-hf").files["tokenizer.json"]
    assert str(cache.blob_path(pin[0])) in str(caught.value)


def test_the_cache_is_enough(hub, load, monkeypatch):
    first = load()
    before = len(hub.requests)
    monkeypatch.setenv("WORDSPLIT_OFFLINE", "1")
    assert load().fingerprint == first.fingerprint
    assert load("some/model").chat_template == "from the file"
    assert len(hub.requests) == before


def test_a_damaged_blob_offline_names_its_place(hub, load, cache, tokenizer_json):
    load()
    path = cache.blob_path(sha256(tokenizer_json))
    path.chmod(0o644)
    path.write_bytes(b"x")
    with pytest.raises(wordsplit.OfflineError, match=str(path)):
        load(offline=True)
    path.write_bytes(tokenizer_json)  # put there by hand, as the message says
    assert load(offline=True).n_vocab == 261


def test_a_process_opens_no_socket(tmp_path):
    code = """
import sys
events = []
sys.addaudithook(lambda event, args: events.append(event) if event.startswith("socket.") else None)
import wordsplit
for name in ("hf:some/model", "some/model", "deepseek-v3", "gpt2-hf"):
    try:
        wordsplit.load_vocab(name)
    except wordsplit.OfflineError:
        continue
    raise SystemExit(f"{name} was loaded")
wordsplit.load_tokenizer("qwen3").encode("hello world")
assert not events, events
assert not {"requests", "urllib3", "ssl"} & set(sys.modules), sorted(sys.modules)
"""
    env = {**os.environ, "WORDSPLIT_OFFLINE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_zero_is_not_offline(hub, load, monkeypatch):
    monkeypatch.setenv("WORDSPLIT_OFFLINE", "0")
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "1")  # which HF_HUB_OFFLINE overrides
    assert load().n_vocab == len(wordsplit.load_vocab("hf:" + REPO))
