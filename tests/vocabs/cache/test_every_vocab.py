"""Every vocab there is, from the compiled cache and from its source: equal in all that can be asked, and in ids."""

import dataclasses
import json
import pickle
import random

import pytest
from conftest import SHARED
from depth import by_depth
from generated import from_tokens, from_unicode
from random_models import MODELS, random_model_vocab

import wordsplit
from wordsplit.rules import Normalize
from wordsplit.testing import random_vocab
from wordsplit.vocabs.cache.compiled import CacheKey, CompiledStore

FILES = [
    *sorted(path for path in (SHARED / "vocabs" / "gguf").glob("*.gguf") if "spm" not in path.name),
    *sorted((SHARED / "vocabs" / "openai").glob("*.tiktoken")),
    *sorted((SHARED / "vocabs" / "openai").glob("*.json")),
    SHARED / "vocabs" / "qwen3" / "tokenizer.json",
    SHARED / "vocabs" / "qwen3" / "vocab.json",
][:: by_depth(6, 1, 1)]
BUNDLED = [name for name in wordsplit.list_vocabs() if wordsplit.catalog.is_bundled(name)][:: by_depth(6, 1, 1)]
FIELDS = {field.name for field in dataclasses.fields(wordsplit.Vocab)}
PROPERTIES = FIELDS | {name for name in dir(wordsplit.Vocab) if not name.startswith("_")}


def texts(vocab, seed):
    rng, tokens = random.Random(seed), list(vocab.tokens.values())
    generated = [text for _ in range(40) for text in (from_tokens(rng, tokens), from_unicode(rng))]
    return [*generated, "hello world  \n\n 123 don't <|endoftext|>", ""]


def assert_the_same(fresh, compiled):
    assert compiled == fresh
    assert hash(compiled) == hash(fresh)
    assert len(compiled) == len(fresh)
    for name in PROPERTIES:
        one, other = getattr(fresh, name), getattr(compiled, name)
        if name not in ("model", "native_tables", "merge_tables") and not callable(one):
            assert other == one or list(other) == list(one), name
            assert type(other) is type(one), name
    assert dict(compiled.tokens) == dict(fresh.tokens)
    assert list(compiled.merges) == list(fresh.merges)
    for i in [*list(fresh.tokens)[:: max(1, len(fresh.tokens) // 3000)], fresh.max_id + 1]:
        assert compiled.native_tables.made_by(i) == fresh.native_tables.made_by(i)
    assert compiled.native_tables.out_of_order_token == fresh.native_tables.out_of_order_token
    again = pickle.loads(pickle.dumps(compiled))  # noqa: S301
    assert again == fresh
    for name in FIELDS - {"model"}:
        assert getattr(again, name) == getattr(fresh, name) or list(getattr(again, name)) == list(
            getattr(fresh, name)
        ), name
    assert type(again.tokens.blob) is bytes


def assert_the_same_ids(fresh, compiled, some, engines=("native",)):
    for engine in engines:
        one, other = (wordsplit.TokenizerOptions(engine=engine).build(vocab) for vocab in (fresh, compiled))
        for special in ("parse", "text"):
            found = [one.encode(text, special) for text in some]
            assert [other.encode(text, special) for text in some] == found
            assert other.encode_batch(some, special) == found
        ids = one.encode_batch(some)
        assert other.decode_batch(ids) == one.decode_batch(ids)
        assert [other.decode_bytes(each) for each in ids] == [one.decode_bytes(each) for each in ids]
        if engine == "python":
            continue
        for encoder in wordsplit.list_encoders():
            try:
                other = wordsplit.TokenizerOptions(encoder=encoder).build(compiled)
            except wordsplit.UnsupportedVocabError:
                continue  # backtracking does not suit every vocab
            assert other.encode_batch(some) == ids, encoder


def twice(name, monkeypatch):
    """The vocab by the load that fills the cache, and from it."""
    monkeypatch.setenv("WORDSPLIT_COMPILED_CACHE", "1")
    fresh, compiled = wordsplit.load_vocab(name), wordsplit.load_vocab(name)
    assert not isinstance(fresh.tokens.blob, memoryview)
    assert isinstance(compiled.tokens.blob, memoryview), "it is not from the cache"
    return fresh, compiled


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled(name, monkeypatch):
    fresh, compiled = twice(name, monkeypatch)
    assert_the_same(fresh, compiled)
    assert_the_same_ids(fresh, compiled, texts(fresh, name), ("native", "python") if name == "qwen3" else ("native",))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files(shared, path, monkeypatch):
    fresh, compiled = twice(path, monkeypatch)
    assert_the_same(fresh, compiled)
    assert_the_same_ids(fresh, compiled, texts(fresh, path.name))


def test_corpora(shared, monkeypatch):
    """The beginning of each corpus, by every bundled vocab."""
    import gzip

    rows = []
    for path in sorted((shared / "corpora").glob("*.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows += [json.loads(next(file)) for _ in range(60)]
    some = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    for name in BUNDLED:
        one, other = (wordsplit.TokenizerOptions().build(vocab) for vocab in twice(name, monkeypatch))
        assert other.encode_batch(some) == one.encode_batch(some)


@pytest.mark.parametrize("seed", range(30))
def test_random_vocabs(tmp_path, seed):
    """With holes in the ids, literal tokens, merges out of order, steps, templates, roles."""
    vocab = random_vocab(seed)
    end = vocab.max_id + 1
    changes = {
        "merges": vocab.merges,
        "added_tokens": [wordsplit.AddedToken("<é>", end, lstrip=True), wordsplit.AddedToken("𝄞", end + 9, False)],
        "pre_tokenizer": [wordsplit.Split("\\s+", behavior="merged_with_next"), wordsplit.Split("b", literal=True)],
        "normalizer": [None, "nfc", [Normalize("lowercase"), Normalize("replace", "a", "é")]][seed % 3],
        "ignore_merges": seed % 2 == 0,
        "add_prefix_space": seed % 5 == 0,
        "prefix_ids": [end],
        "suffix_ids": [end + 9, end],
        "eos_token_id": end,
        "chat_template": "{{ é }}" if seed % 2 else None,
        "chat_templates": {"tool": "\n"},
        "role_ids": {"fim_pre": end, "eot": end + 9},
        "source": "\udcff/x.json",
    }
    fresh = vocab.replace(**changes)
    store, key = CompiledStore(tmp_path), CacheKey("x", {"seed": seed})
    store.save(key, fresh, [], 0)
    compiled = store.load(key)
    assert_the_same(fresh, compiled)
    some = [text for text in texts(vocab, seed) if all(bytes([b]) in vocab.ids_by_bytes for b in text.encode())]
    one, other = (wordsplit.TokenizerOptions().build(vocab) for vocab in (fresh, compiled))
    assert other.encode_batch(some) == one.encode_batch(some)


@pytest.mark.parametrize("kind", MODELS)
def test_random_models(kind, tmp_path):
    store, stored = CompiledStore(tmp_path), 0
    for seed in range(by_depth(20, 50, 2000)):
        fresh, some = random_model_vocab(kind, seed)
        key = CacheKey("x", {"seed": seed})
        store.save(key, fresh, [], 0)
        compiled = store.load(key)
        assert (compiled is not None) == fresh.has_native_model
        if compiled is None:
            continue
        stored += 1
        assert_the_same(fresh, compiled)
        assert compiled.decoder == fresh.decoder
        for engine in ("native", "python"):
            one, other = (wordsplit.load_tokenizer(vocab, engine=engine) for vocab in (fresh, compiled))
            ids = one.encode_batch(some)
            assert other.encode_batch(some) == ids
            assert other.decode_batch(ids) == one.decode_batch(ids)
    assert stored
