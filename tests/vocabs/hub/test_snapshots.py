"""What the hub's own tools have left on the disk comes before any download, and is never written to."""

import os
import pwd

import pytest
from vocabs.formats.gguf_writer import small
from vocabs.hub.conftest import REPO
from vocabs.hub.hub_server import COMMIT, sha256

import wordsplit
from wordsplit.vocabs.hub import names

FILES = {"tokenizer_config.json": b'{"eos_token": "<|end|>", "chat_template": "here"}'}


@pytest.fixture
def snapshot(tokenizer_json):
    """Lays one out as the hub's tools do: blobs, links to them, a ref."""

    def make(root, files=None, repo=REPO, ref="main"):
        folder = root / ("models--" + repo.replace("/", "--"))
        target = folder / "snapshots" / COMMIT
        (folder / "blobs").mkdir(parents=True)
        target.mkdir(parents=True)
        (folder / "refs" / ref).parent.mkdir(parents=True)
        (folder / "refs" / ref).write_text(COMMIT)
        for name, data in (files or {"tokenizer.json": tokenizer_json, **FILES}).items():
            (folder / "blobs" / sha256(data)).write_bytes(data)
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).symlink_to(os.path.relpath(folder / "blobs" / sha256(data), (target / name).parent))
        return target

    return make


@pytest.mark.parametrize(
    ("variable", "root"),
    [
        ("HF_HUB_CACHE", "hub"),
        ("HUGGINGFACE_HUB_CACHE", "hub"),
        ("HF_HOME", "home/hub"),
        ("XDG_CACHE_HOME", "xdg/huggingface/hub"),
        ("HOME", "user/.cache/huggingface/hub"),
    ],
)
def test_where_it_is_looked_for(variable, root, snapshot, monkeypatch, tmp_path):
    monkeypatch.delenv("HF_HOME")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    depth = {"HF_HOME": 1, "XDG_CACHE_HOME": 2, "HOME": 3}.get(variable, 0)
    value = tmp_path / root
    for _ in range(depth):
        value = value.parent
    monkeypatch.setenv(variable, str(value))
    snapshot(tmp_path / root)
    vocab = wordsplit.load_vocab("hf:some/model")  # nobody listens at HF_ENDPOINT, and nothing is said
    assert (vocab.name, vocab.eos_token_id, vocab.chat_template) == ("some/model", 260, "here")


@pytest.mark.parametrize(
    ("variable", "value", "root"),
    [("HF_HUB_CACHE", "~/hub", "hub"), ("HF_HOME", "$PLACE/hf", "hf/hub"), ("XDG_CACHE_HOME", "~", "huggingface/hub")],
)
def test_paths_are_expanded_as_the_hub_tools_do(variable, value, root, snapshot, monkeypatch, tmp_path):
    monkeypatch.delenv("HF_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLACE", str(tmp_path))
    monkeypatch.setenv(variable, value)
    snapshot(tmp_path / root)
    assert wordsplit.load_vocab("hf:some/model").name == "some/model"


def test_without_a_home_folder(hub, monkeypatch):
    def nobody(_):
        raise KeyError

    for variable in ("HF_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert names.token() is None
    with pytest.raises(wordsplit.OfflineError, match="~/.cache/huggingface"):
        wordsplit.load_vocab("hf:some/model", offline=True)
    with pytest.warns(wordsplit.UnpinnedWarning):
        assert wordsplit.load_vocab("hf:some/model").name == "some/model"


def test_the_layout_is_the_hub_tools_own(tmp_path, tokenizer_json, monkeypatch):
    tools = pytest.importorskip("huggingface_hub")
    from huggingface_hub.constants import REPO_ID_SEPARATOR

    assert REPO_ID_SEPARATOR == "--"
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    place = names.snapshot_place(names.HubName(REPO, COMMIT))
    place.mkdir(parents=True)
    (place / "tokenizer.json").write_bytes(tokenizer_json)
    found = tools.try_to_load_from_cache(REPO, "tokenizer.json", revision=COMMIT, cache_dir=tmp_path / "hub")
    assert found == str(place / "tokenizer.json")


def test_revisions(snapshot, tmp_path):
    snapshot(tmp_path / "hf/hub", ref="refs/pr/1")
    for revision in ("refs/pr/1", COMMIT):
        assert wordsplit.load_vocab("hf:some/model", revision=revision, offline=True).n_vocab == 261
    with pytest.raises(wordsplit.OfflineError):
        wordsplit.load_vocab("hf:some/model", offline=True)


def test_it_is_not_written_to(snapshot, hub, load, tmp_path, cache):
    target = snapshot(tmp_path / "hf/hub")
    before = {path: path.lstat().st_mtime_ns for path in (tmp_path / "hf").rglob("*")}
    load()
    assert {path: path.lstat().st_mtime_ns for path in (tmp_path / "hf").rglob("*")} == before
    assert not hub.requests
    assert not cache.root.exists()
    (target / "tokenizer.json").resolve().write_bytes(b"damaged")  # the user's: told of, not replaced
    with pytest.raises(wordsplit.VocabFormatError, match=r"snapshots.*tokenizer\.json"):
        load()
    assert (target / "tokenizer.json").read_bytes() == b"damaged"


def test_one_without_a_vocab_is_passed_over(snapshot, hub, load, tmp_path):
    snapshot(tmp_path / "hf/hub", {"config.json": b"{}"})
    assert load().source == "hf:some/model@main/tokenizer.json"


def test_one_that_is_not_what_was_pinned_is_passed_over(snapshot, hub, load, tmp_path, tokenizer_json):
    snapshot(tmp_path / "hf/hub", {"tokenizer.json": b"another"})
    assert load(sha256=sha256(tokenizer_json)).source.startswith("hf:")
    assert len(hub.requests) > 0


def test_one_that_is_what_was_pinned_is_used(snapshot, hub, tmp_path, tokenizer_json):
    snapshot(tmp_path / "hf/hub")
    vocab = wordsplit.load_vocab("hf:some/model", sha256=sha256(tokenizer_json))
    assert (vocab.eos_token_id, vocab.chat_template) == (260, "here")
    assert not hub.requests


def test_gguf(snapshot, tmp_path):
    data = small() + bytes(100)
    snapshot(tmp_path / "hf/hub", {"a.gguf": data, "b.gguf": data})
    assert wordsplit.load_vocab("hf:some/model:a.gguf", offline=True).n_vocab > 256
    assert wordsplit.load_vocab("hf:some/model:a.gguf", offline=True, sha256=sha256(data)).n_vocab > 256
    with pytest.raises(wordsplit.OfflineError):
        wordsplit.load_vocab("hf:some/model:a.gguf", offline=True, sha256=sha256(b""))
    with pytest.raises(wordsplit.OfflineError):
        wordsplit.load_vocab("hf:some/model", offline=True)


@pytest.mark.parametrize("ref", ["../../../../etc", "x" * 5000, "", "\x00", "é"])
def test_damaged_refs(snapshot, hub, load, tmp_path, ref):
    target = snapshot(tmp_path / "hf/hub")
    (target.parents[1] / "refs/main").write_text(ref, encoding="utf-8")
    assert load().source.startswith("hf:")
    assert hub.requests
