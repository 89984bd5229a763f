"""A million added tokens load in seconds, from the compiled cache at once, and cost nothing where they are absent.

On an idle machine the load takes 3 s, and the one from the cache 0.1 s. The bounds are four times that, since the
processor's time grows on a busy one.
"""

import json
import time

import pytest
from depth import by_depth
from vocabs.formats.test_tokenizer_json import added, document

import wordsplit

COUNT = by_depth(100_000, 300_000, 1_000_000)


def timed(call, *args):
    start = time.process_time()
    found = call(*args)
    return found, time.process_time() - start


@pytest.fixture(scope="module")
def data():
    return document(added_tokens=[added(f"<|extra_{i}|>", 260 + i, special=True) for i in range(COUNT)])


def test_they_load_and_cost_nothing(data):
    vocab, took = timed(wordsplit.load_vocab_bytes, data)
    tok, built = timed(wordsplit.load_tokenizer, vocab)
    assert took + built < 12 * COUNT / 1e6 + 0.5
    assert tok.encode(f"hello<|extra_{COUNT - 1}|>") == [259, 259 + COUNT]
    few = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(document(added_tokens=[added("<|extra_0|>", 260)])))
    text = "hello hell he <| world\n" * 20_000
    costs = [min(timed(each.encode, text)[1] for _ in range(5)) for each in (few, tok)]
    assert costs[1] < 3 * costs[0], costs


def test_the_compiled_cache_has_them_at_once(data, tmp_path, monkeypatch):
    monkeypatch.setenv("WORDSPLIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("WORDSPLIT_COMPILED_CACHE", "1")
    path = tmp_path / "tokenizer.json"
    path.write_bytes(data)
    first = wordsplit.load_vocab(path)
    vocab, took = timed(wordsplit.load_vocab, path)
    assert vocab.added_tokens.order is not None, "it did not come from the cache"
    tok, built = timed(wordsplit.load_tokenizer, vocab)
    assert took + built < 1.2 * COUNT / 1e6 + 0.1
    assert tok.encode(f"hello<|extra_{COUNT - 1}|>") == [259, 259 + COUNT]
    assert vocab.added_tokens == first.added_tokens


def test_a_damaged_one_among_them_is_named(data):
    document_ = json.loads(data)
    document_["added_tokens"][-1]["lstrip"] = 1
    with pytest.raises(wordsplit.VocabFormatError) as caught:
        wordsplit.load_vocab_bytes(json.dumps(document_).encode())
    assert caught.value.field == f"$.added_tokens[{COUNT - 1}].lstrip"
