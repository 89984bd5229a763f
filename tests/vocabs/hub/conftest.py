"""A hub on the loopback, and an environment in which nothing else can be reached by accident."""

import os
import warnings

import pytest
from vocabs.formats.gguf_writer import small
from vocabs.hub.hub_server import Hub

import wordsplit
from wordsplit.vocabs.cache.downloads import Cache
from wordsplit.vocabs.hub import retry

REPO = "some/model"


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    for name in list(os.environ):
        ours = name.startswith(("HF_", "HUGGINGFACE_", "TRANSFORMERS_", "WORDSPLIT_")) and name != "WORDSPLIT_TESTS"
        if ours or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("WORDSPLIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("WORDSPLIT_COMPILED_CACHE", "0")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # the discard port: nobody listens
    monkeypatch.setattr(retry, "FIRST_PAUSE", 0.001)


@pytest.fixture(scope="session")
def tokenizer_json(tmp_path_factory):
    """A small vocab as a tokenizer.json."""
    letters = {i: bytes([i]) for i in range(256)}
    tokens = {**letters, 256: b"he", 257: b"ll", 258: b"hell", 259: b"hello"}
    merges = [(104, 101), (108, 108), (256, 257), (258, 111)]
    end = wordsplit.AddedToken("<|end|>", 260)
    vocab = wordsplit.Vocab(name="small", tokens=tokens, merges=merges, added_tokens=[end])
    path = tmp_path_factory.mktemp("vocab") / "tokenizer.json"
    vocab.save_tokenizer_json(path)
    return path.read_bytes()


@pytest.fixture(scope="session")
def qwen3_json(tmp_path_factory):
    """A real one, of 10 MB."""
    path = tmp_path_factory.mktemp("qwen3") / "tokenizer.json"
    wordsplit.load_vocab("qwen3").save_tokenizer_json(path)
    return path.read_bytes()


@pytest.fixture
def hub(tokenizer_json, monkeypatch):
    """The server, with one repository; HF_ENDPOINT names it."""
    server = Hub()
    server.repos[REPO] = {
        "README.md": b"# A model",
        "config.json": b"{}",
        "tokenizer.json": tokenizer_json,
        "tokenizer_config.json": b'{"eos_token": "<|end|>", "chat_template": "from the config"}',
        "chat_template.jinja": b"from the file",
        "model.safetensors": bytes(1000),
    }
    server.repos["some/gguf"] = {"model.Q4.gguf": small(), "README.md": b""}
    monkeypatch.setenv("HF_ENDPOINT", server.url)
    yield server
    server.close()


@pytest.fixture
def other():
    """A second server: another host, as far as tokens go."""
    server = Hub()
    yield server
    server.close()


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


@pytest.fixture
def load():
    """`load_vocab` without the warning that a name is not pinned, which other tests look at."""

    def call(name="hf:" + REPO, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wordsplit.UnpinnedWarning)
            return wordsplit.load_vocab(name, **options)

    return call
