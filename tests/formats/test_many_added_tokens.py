"""400,000 added tokens: they load in seconds, and cost nothing where they do not occur."""

import json
import time

import pytest
from formats.test_tokenizer_json import added, document

import wordsplit

COUNT = 400_000


def timed(call, *args):
    start = time.perf_counter()
    found = call(*args)
    return found, time.perf_counter() - start


@pytest.fixture(scope="module")
def data():
    return document(added_tokens=[added(f"<|extra_{i}|>", 260 + i, special=True) for i in range(COUNT)])


def test_they_load_and_cost_nothing(data):
    vocab, took = timed(wordsplit.load_vocab_bytes, data)
    tok, built = timed(wordsplit.load_tokenizer, vocab)
    assert took + built < 10  # 2.5 s on the machine it was written on, which other tests share
    assert tok.encode(f"hello<|extra_{COUNT - 1}|>") == [259, 259 + COUNT]
    few = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(document(added_tokens=[added("<|extra_0|>", 260)])))
    text = "hello hell he <| world\n" * 20_000
    costs = [min(timed(each.encode, text)[1] for _ in range(5)) for each in (few, tok)]
    assert costs[1] < 3 * costs[0], costs


def test_a_damaged_one_among_them_is_named(data):
    document_ = json.loads(data)
    document_["added_tokens"][-1]["lstrip"] = 1
    with pytest.raises(wordsplit.VocabFormatError) as caught:
        wordsplit.load_vocab_bytes(json.dumps(document_).encode())
    assert caught.value.field == f"$.added_tokens[{COUNT - 1}].lstrip"
