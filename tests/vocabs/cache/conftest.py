"""The compiled cache turned on, in a folder of the test's own."""

import pytest
from vocabs.hub.conftest import environment, hub, load, tokenizer_json  # noqa: F401 - fixtures here, too

import wordsplit
from wordsplit.vocabs.formats.tokenizer_json.loader import TokenizerJsonLoader

TEXT = "hello <|end|> hell"
IDS = [259, 32, 260, 32, 258]
OLD = 1_000_000_000_000_000_000  # 2001: no file of that age is young


@pytest.fixture(autouse=True)
def turned_on(environment, monkeypatch):  # noqa: F811
    monkeypatch.setenv("WORDSPLIT_COMPILED_CACHE", "1")


@pytest.fixture
def loads(monkeypatch):
    """The files that were parsed since."""
    seen = []
    original = TokenizerJsonLoader.load

    def noted(self, source, overrides):
        seen.append(source.label)
        return original(self, source, overrides)

    monkeypatch.setattr(TokenizerJsonLoader, "load", noted)
    return seen


@pytest.fixture
def path(tmp_path, tokenizer_json):  # noqa: F811
    """A tokenizer.json in a folder of its own."""
    folder = tmp_path / "model"
    folder.mkdir()
    file = folder / "tokenizer.json"
    file.write_bytes(tokenizer_json)
    return file


@pytest.fixture
def compiled(path, tmp_path):
    """The compiled file of `path`."""
    wordsplit.load_vocab(path)
    (file,) = (tmp_path / "cache" / "compiled").iterdir()
    return file


def ids(vocab):
    return wordsplit.TokenizerOptions().build(vocab).encode(TEXT)


def rewrite(file, data):
    file.unlink()
    file.write_bytes(data)


def changed(data):
    """The same, but `hello` has another id. Of the same size."""
    swapped = data.replace(b'"hell": 258', b'"hell": XXX').replace(b'"hello": 259', b'"hello": 258')
    swapped = swapped.replace(b'"hell": XXX', b'"hell": 259')
    assert swapped != data
    assert len(swapped) == len(data)
    return swapped


CHANGED_IDS = [258, 32, 260, 32, 259]
