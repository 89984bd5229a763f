"""Tokenizers of the hub, from a server on the loopback: compared with `tokenizers`, given the same file."""

import json

import pytest
import tokenizers as original
from vocabs.hub.conftest import REPO, environment, hub, tokenizer_json  # noqa: F401 - fixtures
from vocabs.hub.hub_server import COMMIT

import wordsplit.compat.tokenizers as ours

TEXT = "hello <|end|> hell"
pytestmark = pytest.mark.filterwarnings("ignore::wordsplit.UnpinnedWarning")


def test_downloaded_and_from_the_cache(hub, tokenizer_json, monkeypatch):  # noqa: F811
    """The name of the source was opened as a file."""
    theirs = original.Tokenizer.from_buffer(tokenizer_json)
    for offline in ("0", "1"):
        monkeypatch.setenv("WORDSPLIT_OFFLINE", offline)
        mine = ours.Tokenizer.from_pretrained(REPO)
        assert mine.encode(TEXT).ids == theirs.encode(TEXT).ids
        assert json.loads(mine.to_str()) == json.loads(theirs.to_str())


def test_from_a_snapshot_of_the_hubs_tools(tokenizer_json, tmp_path):  # noqa: F811
    folder = tmp_path / "hf/hub" / f"models--{REPO.replace('/', '--')}" / "snapshots" / COMMIT
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_bytes(tokenizer_json)
    mine = ours.Tokenizer.from_pretrained(REPO, revision=COMMIT)
    assert mine.encode(TEXT).ids == original.Tokenizer.from_buffer(tokenizer_json).encode(TEXT).ids


def test_the_revision_and_the_token_are_sent(hub):  # noqa: F811
    ours.Tokenizer.from_pretrained(REPO, revision=COMMIT, token="secret")  # noqa: S106 - none
    assert any(f"/resolve/{COMMIT}/tokenizer.json" in path for path, _ in hub.requests)
    assert {headers.get("Authorization") for _, headers in hub.requests} == {"Bearer secret"}
