"""The compiled cache and what a vocab is made from: nothing that has changed since is missed."""

import hashlib
import os
import pathlib
import threading

import pytest
from vocabs.cache.conftest import CHANGED_IDS, IDS, OLD, changed, ids

import wordsplit
from wordsplit.vocabs.cache import freshness
from wordsplit.vocabs.formats.tokenizer_json.loader import TokenizerJsonLoader


def test_changed_in_place_with_size_and_time_kept(path, loads):
    os.utime(path, ns=(OLD, OLD))
    assert ids(wordsplit.load_vocab(path)) == IDS
    with path.open("r+b") as file:
        data = changed(file.read())
        file.seek(0)
        file.write(data)
    os.utime(path, ns=(OLD, OLD))
    assert ids(wordsplit.load_vocab(path)) == CHANGED_IDS
    assert len(loads) == 2


def test_touched(path, loads):
    wordsplit.load_vocab(path)
    os.utime(path, ns=(OLD, OLD))
    assert ids(wordsplit.load_vocab(path)) == IDS
    assert len(loads) == 2


def test_changed_within_one_tick_of_the_clock(path, compiled, loads, monkeypatch):
    """No status tells it; but the file is young when it is read, so its content is compared."""
    now = path.stat().st_mtime_ns
    monkeypatch.setattr(
        freshness, "_signature", lambda file: [1, now, now, 1, 1] if pathlib.Path(file).exists() else None
    )
    wordsplit.load_vocab(path)
    loads.clear()
    wordsplit.load_vocab(path)
    assert not loads
    path.write_bytes(changed(path.read_bytes()))
    os.utime(compiled, ns=(now, now))  # as if it had been written at once
    assert ids(wordsplit.load_vocab(path)) == CHANGED_IDS
    assert loads


def test_an_old_file_is_not_read_at_all(path, compiled, loads, monkeypatch):
    def fail(*_):
        raise AssertionError

    later = path.stat().st_ctime_ns + freshness.SLACK_NS + 1
    os.utime(compiled, ns=(later, later))
    loads.clear()
    monkeypatch.setattr(freshness.Source, "read", fail)
    assert wordsplit.load_vocab(path).name == "model"
    assert not loads


def test_a_young_file_is_compared_once(path, compiled, monkeypatch):
    before = compiled.stat().st_mtime_ns
    wordsplit.load_vocab(path)
    assert compiled.stat().st_mtime_ns > before  # it says now that the source was the same at that time


def test_changed_while_it_was_read(path, tmp_path, monkeypatch):
    original = TokenizerJsonLoader.load

    def load(self, source, overrides):
        vocab = original(self, source, overrides)
        path.write_bytes(changed(path.read_bytes()) + b" ")
        monkeypatch.setattr(TokenizerJsonLoader, "load", original)
        return vocab

    monkeypatch.setattr(TokenizerJsonLoader, "load", load)
    assert ids(wordsplit.load_vocab(path)) == IDS
    assert not (tmp_path / "cache" / "compiled").exists()
    assert ids(wordsplit.load_vocab(path)) == CHANGED_IDS


def test_changed_siblings(path):
    config = path.with_name("tokenizer_config.json")
    assert wordsplit.load_vocab(path).eos_token_id is None
    config.write_text('{"eos_token": "<|end|>"}')
    assert wordsplit.load_vocab(path).eos_token_id == 260
    config.write_text('{"bos_token": "<|end|>"}')
    vocab = wordsplit.load_vocab(path)
    assert (vocab.eos_token_id, vocab.bos_token_id) == (None, 260)
    config.unlink()
    assert wordsplit.load_vocab(path).bos_token_id is None
    path.with_name("chat_template.jinja").write_text("{{ x }}")
    assert wordsplit.load_vocab(path).chat_template == "{{ x }}"
    assert wordsplit.load_vocab(path).chat_template == "{{ x }}"


def test_vocab_merges_watch_both_files(path):
    wordsplit.load_vocab(path).save_vocab_merges(path.parent)
    path.unlink()
    first = wordsplit.load_vocab(path.parent)
    assert wordsplit.load_vocab(path.parent) == first
    merges = path.with_name("merges.txt")
    merges.write_text(merges.read_text().replace("hell o\n", ""))
    assert len(wordsplit.load_vocab(path.parent).merges) == len(first.merges) - 1


def test_gguf(tmp_path, path):
    file = tmp_path / "model.gguf"
    vocab = wordsplit.load_vocab("r50k_base")
    vocab.save_gguf(file)
    os.utime(file, ns=(OLD, OLD))
    first = wordsplit.load_vocab(file)
    assert wordsplit.load_vocab(file) == first
    other = wordsplit.load_vocab(file, special_tokens={"<x>": 60000})
    assert other.special_tokens["<x>"] == 60000
    assert wordsplit.load_vocab(file) == first


def test_overrides_are_part_of_the_question(path):
    plain = wordsplit.load_vocab(path)
    asked = [
        {"pattern": "cl100k"},
        {"pattern": "gpt2"},
        {"special_tokens": {"<x>": 300}},
        {"special_tokens": {"<x>": 301}},
        {"format": "tokenizer_json"},
    ]
    for _ in range(2):
        found = [wordsplit.load_vocab(path, **options) for options in asked]
        assert [vocab.pattern == plain.pattern for vocab in found] == [False, False, True, True, True]
        assert found[0].pattern != found[1].pattern
        assert [vocab.special_tokens.get("<x>") for vocab in found] == [None, None, 300, 301, None]
        assert wordsplit.load_vocab(path) == plain


def test_values_that_text_cannot_say(path, tmp_path, loads):
    np = pytest.importorskip("numpy")
    for _ in range(2):
        vocab = wordsplit.load_vocab(path, special_tokens={"<x>": np.int64(300)})
        assert vocab.special_tokens["<x>"] == 300
    assert len(loads) == 2


def test_the_same_file_by_another_way(path, monkeypatch):
    """Name and source follow what was asked."""
    monkeypatch.chdir(path.parent)
    for _ in range(2):
        assert wordsplit.load_vocab(path).source == str(path)
        assert wordsplit.load_vocab("tokenizer.json").source == "tokenizer.json"
        assert wordsplit.load_vocab(".").name == "model"


def test_a_folder_that_takes_the_place_of_another(path, tmp_path, monkeypatch):
    """The same relative name, from elsewhere."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "tokenizer.json").write_bytes(changed(path.read_bytes()))
    for _ in range(2):
        monkeypatch.chdir(path.parent)
        assert ids(wordsplit.load_vocab("tokenizer.json")) == IDS
        monkeypatch.chdir(other)
        assert ids(wordsplit.load_vocab("tokenizer.json")) == CHANGED_IDS


# What is not kept.


def test_plug_ins_are_not_kept(tmp_path):
    calls = []

    class Two(wordsplit.vocabs.Loader):
        def recognizes(self, source):
            return source.name.endswith(".two.json")

        def load(self, source, _):
            calls.append(source.label)
            return wordsplit.Vocab(name="two", tokens={0: b"a", 1: b"b"})

    file = tmp_path / "x.two.json"
    file.write_text("{}")
    wordsplit.vocabs.register("two", Two)
    try:
        for options in ({}, {}, {"format": "two"}, {"format": "two"}):
            assert wordsplit.load_vocab(file, **options).name == "two"
    finally:
        wordsplit.vocabs.unregister("two")
    assert len(calls) == 4


def test_a_name_that_a_plug_in_may_claim(path, loads):
    """Of another file than ``tokenizer.json`` only the plug-ins know whether it is theirs."""
    file = path.rename(path.with_name("other.json"))
    for _ in range(2):
        wordsplit.load_vocab(file)
    assert len(loads) == 2
    for _ in range(2):
        wordsplit.load_vocab(file, format="tokenizer_json")
    assert len(loads) == 3


def test_catalog_entries_of_others_are_not_kept(tmp_path):
    entry = wordsplit.catalog.CatalogEntry(name="two", load=lambda: wordsplit.Vocab(name="two", tokens={0: b"a"}))
    wordsplit.catalog.register(entry)
    try:
        assert wordsplit.load_vocab("two").name == "two"
    finally:
        wordsplit.catalog.unregister("two")
    assert not (tmp_path / "cache").exists()


def test_bytes_and_checked_files_are_not_kept(path, tmp_path):
    data = path.read_bytes()
    wordsplit.load_vocab_bytes(data)
    wordsplit.load_vocab(path, sha256=hashlib.sha256(data).hexdigest())
    assert not (tmp_path / "cache").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("named", [None, "tokenizer_json"])
def test_pipes_are_read_once_and_not_kept(path, tmp_path, named):
    """The next vocab from the same pipe was the first one, since a pipe has no state that tells them apart."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = path.read_bytes()
    for content, want in [(data, IDS), (changed(data), CHANGED_IDS)]:
        writer = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
        writer.start()
        assert ids(wordsplit.load_vocab(pipe, format=named)) == want
        writer.join()
