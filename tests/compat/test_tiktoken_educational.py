"""`wordsplit.compat.tiktoken._educational` against `tiktoken._educational`."""

import random

import hypothesis
import hypothesis.strategies as st
import oracles
import pytest
import tiktoken._educational as theirs

import wordsplit
import wordsplit.compat.tiktoken._educational as ours
from wordsplit.compat import tiktoken

PATTERN = r" ?\w+|\S|\s"
TEXTS = st.text(st.sampled_from("aab c\né"), max_size=60)


def ranks_or_error(train, *arguments):
    try:
        return list(train(*arguments, visualise=None).items())
    except ValueError:
        return "too few"


@hypothesis.given(text=TEXTS, size=st.integers(255, 280))
def test_train(text, size):
    assert ranks_or_error(ours.bpe_train, text, size, PATTERN) == ranks_or_error(theirs.bpe_train, text, size, PATTERN)


def test_train_on_longer_texts():
    rng = random.Random(3)
    text = " ".join("".join(rng.choices("abcde", k=rng.randint(1, 7))) for _ in range(300))
    assert ranks_or_error(ours.bpe_train, text, 400, PATTERN) == ranks_or_error(theirs.bpe_train, text, 400, PATTERN)


def test_too_small_or_too_few():
    with pytest.raises(wordsplit.OptionsError, match="256"):
        ours.bpe_train("a", 255, PATTERN, visualise=None)
    with pytest.raises(wordsplit.OptionsError, match="257 tokens"):
        ours.bpe_train("ab", 300, PATTERN, visualise=None)


@hypothesis.given(data=st.one_of(st.binary(max_size=30), TEXTS.map(str.encode)))
def test_encode_a_span(data):
    ranks = tiktoken.get_encoding("gpt2")._mergeable_ranks
    assert ours.bpe_encode(ranks, data, visualise=None) == theirs.bpe_encode(ranks, data, visualise=None)


@hypothesis.given(text=st.one_of(TEXTS, st.text(max_size=30)))
def test_the_class(text):
    enc = ours.SimpleBytePairEncoding.from_tiktoken("cl100k_base")
    expected = oracles.openai("cl100k_base").encode_ordinary(text)
    ids = enc.encode(text, visualise=None)
    assert ids == expected
    assert enc.decode(ids) == text
    assert enc.decode_bytes(ids) == text.encode() == b"".join(enc.decode_tokens_bytes(ids))


def test_makers_and_attributes(capsys):
    enc = ours.SimpleBytePairEncoding.train("abab abab", 258, PATTERN)
    their = theirs.SimpleBytePairEncoding.train("abab abab", 258, PATTERN)
    assert (enc.pat_str, enc.mergeable_ranks) == (their.pat_str, their.mergeable_ranks)
    base = tiktoken.get_encoding("gpt2")
    assert ours.SimpleBytePairEncoding.from_tiktoken(base).mergeable_ranks == base._mergeable_ranks
    assert "b'ab'" in capsys.readouterr().out
    with pytest.raises(KeyError):
        enc.decode([100_000])


@pytest.mark.parametrize("how", ["colour", "color", "simple", None])
def test_steps_are_printed(capsys, how):
    ranks = {bytes([i]): i for i in range(256)} | {b"ab": 256, b"abc": 257, "é".encode(): 258}
    for data in (b"", b"xabcab", "né".encode(), b"\xff\xffaaaaaaaaaaa"):
        ours.bpe_encode(ranks, data, visualise=how)
        found = capsys.readouterr().out
        theirs.bpe_encode(ranks, data, visualise=how)
        assert found == capsys.readouterr().out
    for size in (256, 258):
        ours.bpe_train("ab abc é " * 20, size, PATTERN, visualise=how)
        assert ("ab" in capsys.readouterr().out) == (how is not None and size > 256)


def test_tokens_in_colour(capsys):
    rng = random.Random(1)
    for _ in range(50):
        tokens = [bytes(rng.choices(b"a\xc3\xa9 ", k=rng.randint(0, 9))) for _ in range(rng.randint(0, 12))]
        ours.visualise_tokens(tokens)
        found = capsys.readouterr().out
        theirs.visualise_tokens(tokens)
        assert found == capsys.readouterr().out


def test_training_on_the_module_itself(capsys):
    enc = ours.train_simple_encoding()
    assert len(enc.mergeable_ranks) == 600
    assert enc.decode(enc.encode("hello world", visualise=None)) == "hello world"
    assert "hello" in capsys.readouterr().out
