"""Byte-level BPE with NFKC, which the core normalizes, against `tokenizers`."""

import random
import unicodedata

import pytest
from depth import by_depth
from tokenizers import Tokenizer

import wordsplit
from wordsplit.engine import build_engine
from wordsplit.engine.native import NativeWordEngine
from wordsplit.training import BpeTrainer

CHANGED = [chr(cp) for cp in range(0xA0, 0x2FA20) if unicodedata.normalize("NFKC", chr(cp)) != chr(cp)]
MARKS = ["\u0301", "\u0323", "\u3099", "\uff9e", "\u1161", "\u11a8", "\u0345"]
PLAIN = ["a", "e", " ", "  ", "word ", "\n", "é", "日", "か", "ｶ", "한", "<x>", "<y>", "＜x＞", "🦜", "12"]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Our vocab, and their tokenizer."""
    trained = BpeTrainer(346, pattern="gpt2").update([*PLAIN, "the cat sat fifi"] * 5).train()
    tokens = [
        wordsplit.AddedToken(id=trained.n_vocab, content="<x>"),
        wordsplit.AddedToken(id=trained.n_vocab + 1, content="<y>", normalized=True),
    ]
    vocab = trained.replace(normalizer=(wordsplit.Normalize("nfkc"),), added_tokens=tokens)
    path = tmp_path_factory.mktemp("nfkc") / "tokenizer.json"
    vocab.save_tokenizer_json(path)
    return vocab, Tokenizer.from_file(str(path))


def texts():
    rng = random.Random(3)
    for _ in range(by_depth(300, 2500, 50_000)):
        pools = rng.choices([CHANGED, MARKS, PLAIN], k=rng.randint(1, 20))
        yield "".join(rng.choice(pool) for pool in pools)


def test_ids_and_offsets(both):
    vocab, theirs = both
    ours = wordsplit.TokenizerOptions().build(vocab)
    assert isinstance(build_engine(vocab, ours.options), NativeWordEngine)
    given = list(texts())
    wanted = [theirs.encode(text) for text in given]
    ids = [each.ids for each in wanted]
    assert ours.encode_batch(given, threads=2) == ids
    assert list(map(ours.count, given)) == list(map(len, ids))
    for text, each in zip(given, wanted, strict=True):
        assert ours.encode(text) == ours.encode(text.encode()) == each.ids, ascii(text)
    python = wordsplit.TokenizerOptions(engine="python").build(vocab)
    for text in given[:: by_depth(10, 10, 5)]:
        assert python.encode(text) == ours.encode(text), ascii(text)
        located, expected = (tok.encode_with_offsets(text) for tok in (ours, python))
        assert (located.char_spans, located.ids) == (expected.char_spans, expected.ids), ascii(text)


def test_long_texts(both):
    """Pieces of 64 KB, and parts for threads."""
    vocab, theirs = both
    ours = wordsplit.TokenizerOptions().build(vocab)
    text = "".join(texts()) * by_depth(10, 30, 30)
    wanted = theirs.encode(text).ids
    assert ours.encode(text) == wanted
    assert ours.encode_batch([text], threads=2) == [wanted]


def test_bytes_that_are_not_utf8(both):
    ours, python = (wordsplit.TokenizerOptions(engine=name).build(both[0]) for name in ("native", "python"))
    for data in (b"\xff\xef\xac\x81\xcc", b"e\xcc\x81\xed\xa0\x80\xcc\x81", b"\xef\xac", b"a\xc0\x80\xc2\xb2"):
        assert ours.encode(data) == python.encode(data), data
