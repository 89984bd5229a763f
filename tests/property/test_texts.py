"""Every way in which CPython holds a text gives the ids of its UTF-8: in one piece, in pieces, in batches."""

import random
import sys
from itertools import chain

import numpy as np
import pytest

import wordsplit

TOK = wordsplit.load_tokenizer("cl100k_base")
ALPHABETS = {  # the last character decides how many bytes each one takes
    "ascii": "ab \n0.",
    "latin-1": "ab \n0.éßÿ\x80",
    "two bytes": "ab \n0.éж中\u07ff\u0800\ud7ff\uffff",
    "four bytes": "ab \n0.éж中\uffff🫨\U00010000\U0010ffff",
}
LENGTHS = [*range(70), 127, 128, 129, 1000, 40_000]


def text_of(kind, length, rng):
    return "".join(rng.choices(ALPHABETS[kind], k=length))


@pytest.mark.parametrize("kind", ALPHABETS)
def test_each_width_and_length(kind):
    rng = random.Random(kind)
    texts = [text_of(kind, length, rng) for length in LENGTHS]
    want = [TOK.encode(text.encode()) for text in texts]
    assert [TOK.encode(text) for text in texts] == want
    assert [TOK.count(text) for text in texts] == list(map(len, want))
    for threads in (1, 2):
        assert TOK.encode_batch(texts, threads=threads) == want
        assert TOK.count_batch(texts, threads=threads) == list(map(len, want))
        ids, offsets = TOK.encode_batch_to_numpy(texts, threads=threads)
        assert ids.tolist() == list(chain.from_iterable(want))
        assert offsets.tolist() == np.cumsum([0, *map(len, want)]).tolist()


@pytest.mark.parametrize("kind", ALPHABETS)
def test_a_long_one_in_pieces(kind):
    text = text_of(kind, 700_000, random.Random(kind))
    assert TOK.encode(text) == TOK.encode(text.encode())


def test_a_text_whose_utf8_python_has_made():
    text = text_of("two bytes", 1000, random.Random(1))
    want = TOK.encode(text)
    TOK.encode_with_offsets(text)  # CPython makes its UTF-8, and keeps it
    assert TOK.encode(text) == want


def test_no_utf8_stays_with_a_text():
    text = text_of("two bytes", 10_000, random.Random(2))
    size = sys.getsizeof(text)
    TOK.encode(text)
    TOK.encode_batch([text] * 100, threads=2)
    assert sys.getsizeof(text) == size


@pytest.mark.parametrize("at", [0, 500, 999])
def test_a_surrogate_among_many(at):
    rng = random.Random(at)
    texts = [text_of("two bytes", rng.randrange(400), rng) for _ in range(1000)]
    texts[at] += "x\ud800y"
    want = [TOK.encode(text) for text in texts]
    assert want[at] == TOK.encode(texts[at].replace("\ud800", "\ufffd"))
    for threads in (1, 2):
        assert TOK.encode_batch(texts, threads=threads) == want
        assert TOK.count_batch(texts, threads=threads) == list(map(len, want))
        assert TOK.encode_batch_to_numpy(texts, threads=threads)[0].tolist() == list(chain.from_iterable(want))
    assert TOK.encode(texts[0]) == want[0]
