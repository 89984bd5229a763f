"""Trust on first use: what is recorded, said, and held to."""

import json
import subprocess
import sys
import warnings

import pytest
from vocabs.hub.conftest import REPO
from vocabs.hub.hub_server import COMMIT, sha256

import wordsplit
from wordsplit.vocabs.resolve import locate

NAME = "hf:some/model"


def test_it_is_said_once_and_recorded(hub, cache, tokenizer_json):
    with pytest.warns(wordsplit.UnpinnedWarning) as caught:
        wordsplit.load_vocab(NAME)
    (warning,) = caught
    assert warning.filename == __file__
    for part in (
        "hf:some/model@main is not pinned",
        sha256(tokenizer_json),
        str(cache.root),
        f"hf:some/model@{COMMIT}",
    ):
        assert part in str(warning.message)
    (record,) = cache.records()
    assert (record.source, record.main, record.commit) == ("hf:some/model@main", "tokenizer.json", COMMIT)
    assert record.files["tokenizer.json"] == (sha256(tokenizer_json), len(tokenizer_json))
    assert list(record.files) == ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja"]
    wordsplit.load_vocab(NAME)  # an error, if it warned again


def test_an_error_in_its_place_forbids_it(hub, cache):
    with warnings.catch_warnings():
        warnings.simplefilter("error", wordsplit.UnpinnedWarning)
        for _ in range(2):
            with pytest.raises(wordsplit.UnpinnedWarning):
                wordsplit.load_vocab(NAME)
    assert cache.records() == []


def test_what_is_recorded_is_used_when_the_hub_has_moved_on(hub, load):
    first = load()
    hub.repos[REPO]["tokenizer.json"] = b"{}"
    hub.commit = "f" * 40
    assert load().fingerprint == first.fingerprint


def test_a_lost_blob_is_fetched_from_the_commit_and_held_to_the_record(hub, load, cache, tokenizer_json):
    load()
    cache.blob_path(sha256(tokenizer_json)).unlink()
    hub.commit = "f" * 40
    before = len(hub.requests)
    load()
    assert [path for path, _ in hub.requests[before:]] == [f"/{REPO}/resolve/{COMMIT}/tokenizer.json"]
    cache.blob_path(sha256(tokenizer_json)).unlink()
    hub.repos[REPO]["tokenizer.json"] = tokenizer_json.replace(b"hello", b"hullo")
    with pytest.raises(
        wordsplit.DownloadError, match=r"it has changed since; `wordsplit prefetch --update hf:some/model@"
    ):
        load()


def test_update_takes_what_is_there_now(hub, load, cache, tokenizer_json):
    load()
    changed = tokenizer_json + b"\n"
    hub.repos[REPO]["tokenizer.json"] = changed
    with pytest.warns(wordsplit.UnpinnedWarning, match=sha256(changed)):
        locate(NAME, update=True)
    (record,) = cache.records()
    assert record.files["tokenizer.json"].sha256 == sha256(changed)
    load()


def test_another_sha256_than_the_recorded_one_is_fetched(hub, load, cache, tokenizer_json):
    load()
    changed = tokenizer_json + b"\n"
    hub.repos[REPO]["tokenizer.json"] = changed
    assert load(sha256=sha256(changed)).n_vocab == 261
    assert load(sha256=sha256(changed)).n_vocab == 261
    fetched = len(hub.paths("/tokenizer.json"))
    assert load(sha256=sha256(tokenizer_json)).n_vocab == 261  # still in the cache, by its content
    assert len(hub.paths("/tokenizer.json")) == fetched


def test_a_commit_is_a_pin(hub, cache):
    wordsplit.load_vocab(NAME, revision=COMMIT)  # an error, if it warned
    assert cache.records()[0].commit == COMMIT
    del hub.repos[REPO]
    wordsplit.load_vocab(NAME, revision=COMMIT)


def test_no_pickle_and_nothing_but_json_in_the_cache(hub, load, cache):
    load()
    for path in cache.root.rglob("*"):
        if path.is_file() and path.parent.name == "sources":
            assert json.loads(path.read_bytes())["version"] == 1


def test_two_warnings_for_two_names(hub, load):
    code = "import wordsplit\nfor name in ('hf:some/model', 'hf:some/gguf'):\n    wordsplit.load_vocab(name)\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.count("UnpinnedWarning") == 2
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
