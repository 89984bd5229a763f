"""Which name means what, and which files are taken."""

import re

import pytest
from vocabs.formats.gguf_writer import small
from vocabs.hub.conftest import REPO
from vocabs.hub.hub_server import COMMIT, sha256

import wordsplit
from wordsplit.vocabs import catalog
from wordsplit.vocabs.formats.vocab_merges.rules_file import written_rules


def test_a_repository(hub, load):
    vocab = load("hf:some/model")
    assert wordsplit.load_tokenizer(vocab).encode("hello") == [259]
    assert (vocab.name, vocab.source) == ("some/model", "hf:some/model@main/tokenizer.json")
    assert (vocab.eos_token_id, vocab.chat_template) == (260, "from the file")
    asked = [path.rpartition("/")[2] for path in hub.paths("/resolve/")]
    assert asked == ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja"]
    assert hub.paths(f"/resolve/{COMMIT}/") == hub.paths("/resolve/")  # all of one commit


def test_it_equals_the_same_files_in_a_folder(hub, load, tmp_path):
    for name, data in hub.repos[REPO].items():
        (tmp_path / name).write_bytes(data)
    here, there = wordsplit.load_vocab(tmp_path), load()
    for attribute in ("fingerprint", "eos_token_id", "bos_token_id", "chat_template", "special_tokens"):
        assert getattr(here, attribute) == getattr(there, attribute)


def test_a_real_vocab(hub, load, qwen3_json):
    hub.repos[REPO] = {"tokenizer.json": qwen3_json}
    assert load().fingerprint == wordsplit.load_vocab("qwen3").fingerprint
    before = len(hub.requests)
    assert wordsplit.load_tokenizer(load()).encode("hello world") == [14990, 1879]
    assert len(hub.requests) == before


def test_a_bare_name_where_there_is_no_path(hub, load, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load("some/model").source.startswith("hf:")
    (tmp_path / "some/model").mkdir(parents=True)
    (tmp_path / "some/model/tokenizer.json").write_bytes(hub.repos[REPO]["tokenizer.json"])
    assert load("some/model").source == "some/model/tokenizer.json"
    assert load("hf:some/model").source.startswith("hf:")


def test_the_catalog_comes_before_the_hub(hub):
    assert wordsplit.load_vocab("Qwen/Qwen3-0.6B").source == "bundled:qwen3"
    assert not hub.requests


def test_revisions(hub, load):
    assert load("hf:some/model@main").source == load("some/model", revision="main").source
    pinned = wordsplit.load_vocab(f"hf:some/model@{COMMIT}")  # says nothing: a commit is a pin
    assert pinned.source == f"hf:some/model@{COMMIT}/tokenizer.json"
    with pytest.raises(wordsplit.DownloadError, match="no repository 'some/model' with a revision 'other'"):
        load("hf:some/model", revision="other")
    hub.repos["Qwen/Qwen3-0.6B"] = hub.repos[REPO]
    assert load("Qwen/Qwen3-0.6B", revision="main").n_vocab == 261
    with pytest.raises(wordsplit.OptionsError, match="another"):
        load("hf:some/model@a", revision="b")
    with pytest.raises(wordsplit.OptionsError, match="revision applies to hub names"):
        load("qwen3", revision="main")


def test_a_pair_of_files(hub, load):
    vocab = wordsplit.load_vocab("gpt2")
    assert vocab.n_vocab == 50257
    hub.repos["a/pair"] = {
        "vocab.json": b'{"h": 0, "e": 1, "he": 2}',
        "merges.txt": b"#version: 0.2\nh e\n",
        "tokenizer_config.json": b'{"added_tokens_decoder": {"3": {"content": "<e>", "special": true}},'
        b'"tokenizer_class": "GPT2Tokenizer"}',
    }
    assert wordsplit.load_tokenizer(load("hf:a/pair")).encode("he<e>") == [2, 3]
    qwen3 = wordsplit.load_vocab("qwen3")
    hub.repos["a/trained"] = hub.repos["a/pair"] | {"wordsplit_rules.json": written_rules(qwen3)}
    assert load("hf:a/trained").pre_tokenizer == qwen3.pre_tokenizer


def test_gguf_and_overrides(hub, load):
    assert wordsplit.load_tokenizer(load("hf:some/gguf")).encode("hello")
    hub.repos["some/gguf"]["model.Q8.gguf"] = small(pre=None)
    with pytest.raises(wordsplit.DownloadError, match=rf"choose one: hf:some/gguf@{COMMIT}:model.Q4.gguf \(there are"):
        load("hf:some/gguf@" + COMMIT)
    for _ in range(2):  # also from the cache
        with pytest.warns(wordsplit.VocabWarning, match=r"hf:some/gguf@main/model\.Q8\.gguf: tokenizer\.ggml\.pre"):
            load("hf:some/gguf:model.Q8.gguf")
    assert load("hf:some/gguf:model.Q8.gguf", pre="qwen2").name == "some/gguf"
    with pytest.raises(wordsplit.DownloadError, match=re.escape("has no file 'none.gguf'")):
        load("hf:some/gguf:none.gguf")


def test_a_file_in_a_folder(hub, load):
    hub.repos["a/b"] = {f"deep/er/{name}": data for name, data in hub.repos[REPO].items()}
    vocab = load("hf:a/b:deep/er/tokenizer.json")
    assert (vocab.eos_token_id, vocab.chat_template) == (260, "from the file")


def test_nothing_to_load(hub, load):
    hub.repos["a/b"] = {"config.json": b"{}"}
    with pytest.raises(wordsplit.DownloadError, match=r"holds no tokenizer\.json"):
        load("hf:a/b")
    hub.repos["a/b"]["tiktoken.model"] = b""
    with pytest.raises(wordsplit.DownloadError, match="format='tiktoken' and pattern="):
        load("hf:a/b")


@pytest.mark.parametrize(
    "name",
    [
        "hf:",
        "hf:x",
        "hf:../../x",
        "hf:a/..",
        "hf:../a",
        "hf:a/b/c",
        "hf:/etc/passwd",
        "hf:a/b@",
        "hf:a/b@../../x",
        "hf:a/b@..",
        "hf:a/b@x/../y",
        "hf:a/b@main:",
        "hf:a/b:../x",
        "hf:a/b:/etc/passwd",
        "hf:a/b:x/../../y",
        "hf:a/b@c@d",
        "hf:a/b:c:d",
        "hf:a b/c",
        "hf:a/b\n",
        "hf:a/b\0",
        "hf:a\\b/c",
        "hf:a/" + "b" * 200,
        "hf:-a/b",
    ],
)
def test_a_name_never_becomes_a_path(hub, name, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(wordsplit.OptionsError, match="not a hub name"):
        wordsplit.load_vocab(name)
    assert sorted(tmp_path.rglob("*")) == before
    assert not hub.requests


def test_a_file_without_a_name_is_shown_in_the_error():
    with pytest.raises(wordsplit.OptionsError, match="'hf:a/b@main:' is not a hub name"):
        wordsplit.load_vocab("hf:a/b@main:")


def test_sha256_pins_files_and_names(hub, load, tmp_path, tokenizer_json):
    right, wrong = sha256(tokenizer_json), sha256(b"")
    hub.repos[REPO] = {"tokenizer.json": tokenizer_json}
    assert wordsplit.load_vocab("hf:some/model", sha256=right).n_vocab == 261  # no warning: nothing is taken on trust
    with pytest.raises(wordsplit.DownloadError, match=rf"sha256 is {right}, but should be {wrong}"):
        wordsplit.load_vocab("hf:some/model", sha256=wrong)
    path = tmp_path / "tokenizer.json"
    path.write_bytes(tokenizer_json)
    assert wordsplit.load_vocab(path, sha256=right).n_vocab == 261
    with pytest.raises(wordsplit.VocabFormatError, match="sha256"):
        wordsplit.load_vocab(path, sha256=wrong)
    with pytest.raises(wordsplit.OptionsError, match="64 digits"):
        wordsplit.load_vocab("hf:some/model", sha256="abc")
    with pytest.raises(wordsplit.OptionsError, match="'qwen3' is in the catalog"):
        wordsplit.load_vocab("qwen3", sha256=right)


REMOTE = [name for name in catalog.names() if isinstance(catalog.find(name), catalog.RemoteEntry)]


@pytest.mark.parametrize("name", REMOTE)
def test_rows_of_the_catalog(hub, load, name):
    entry = catalog.find(name)
    hub.repos[entry.repo] = hub.repos[REPO]
    assert catalog.find(entry.repo.lower()) is entry
    if entry.pinned:
        with pytest.raises(wordsplit.DownloadError, match="should be"):  # the server's is another
            load(name)
        assert load(name, revision="main").name == name
        return
    vocab = load(name)
    assert (vocab.name, vocab.eos_token_id) == (name, 260)


def test_the_pinned_row_is_the_official_file(hub, shared):
    entry = catalog.find("gpt2-hf")
    official = (shared / "vocabs/openai/gpt2.tokenizer.json").read_bytes()
    config = b'{"model_max_length": 1024}'
    assert entry.files == {
        "tokenizer.json": (sha256(official), len(official)),
        "tokenizer_config.json": (sha256(config), len(config)),
    }
    hub.repos[entry.repo] = {"tokenizer.json": official, "tokenizer_config.json": config}
    vocab = wordsplit.load_vocab("gpt2-hf")
    assert vocab.n_vocab == 50257
    assert not hub.paths("/api/")


def test_a_bare_name_that_is_nothing_says_so(hub):
    with pytest.raises(wordsplit.DownloadError, match="no repository 'no/such'"):
        wordsplit.load_vocab("no/such")
    with pytest.raises(wordsplit.UnknownNameError, match="Did you mean"):
        wordsplit.load_vocab("qwen33")
