"""A budget cuts a text where encoding all of it says; a limit is told as soon as it is passed."""

import time
from itertools import pairwise

import pytest
import regex as re
from features.toks import BUNDLED, EVERY, SURROGATES, TEXT, VOCABS, tokenizer
from hypothesis import given
from hypothesis import strategies as st

import wordsplit
from wordsplit.rules import rewriting_steps

COMPOSED_WITH_WHAT_IS_BEFORE = re.compile(r"[\p{M}\u1161-\u11c2]")
LONGER = st.lists(TEXT, max_size=5).map(" ".join)


@pytest.mark.parametrize(("name", "engine"), EVERY)
@given(text=LONGER, limit=st.integers(0, 60), special=st.sampled_from(["parse", "text"]))
def test_a_limit_is_met_or_passed(name, engine, text, limit, special):
    tok = tokenizer(name, engine)
    want = len(tok.encode(text, special))
    for given_text in (text, text.encode()):
        assert tok.count(given_text, special, limit=limit) == min(want, limit + 1)


def slow_truncate(tok, text, most, side, special):
    """From the ids and offsets of the whole text."""
    found = tok.encode_with_offsets(text, special)
    ids, chars = found.ids, found.char_spans
    if len(ids) <= most:
        return text, ids, False
    for k in range(most, -1, -1):
        at = k if side == "right" else len(ids) - k
        if at in (0, len(ids)) or chars[at][0] >= chars[at - 1][1]:
            break
    characters = text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
    first, last = len(tok.vocab.prefix_ids), len(ids) - len(tok.vocab.suffix_ids)
    if side == "right" and at >= last:
        return text, ids[:at], True  # with the white space at the end that gives no ids
    if isinstance(text, bytes) and rewriting_steps(
        tok.vocab.pre_tokenizer
    ):  # what is removed belongs to the token before
        place = 0 if at <= first else found.byte_spans[at - 1][1]
    else:
        place = 0 if at <= first else chars[at - 1][1]
        end = 0 if at <= first else chars[at][0] if at < len(ids) else len(characters)
        while place < end and COMPOSED_WITH_WHAT_IS_BEFORE.match(characters[place]):
            place += 1
        if isinstance(text, bytes):
            place = len(characters[:place].encode("utf-8", "surrogateescape"))
    return (text[:place], ids[:at], True) if side == "right" else (text[place:], ids[at:], True)


@pytest.mark.parametrize(("name", "engine"), EVERY)
@given(
    text=LONGER,
    most=st.integers(0, 40),
    side=st.sampled_from(["right", "left"]),
    special=st.sampled_from(["parse", "text"]),
)
def test_the_longest_part_that_fits(name, engine, text, most, side, special):
    tok = tokenizer(name, engine)
    for given_text in (text, text.encode()):
        assert tok.truncate(given_text, most, side, special) == slow_truncate(tok, given_text, most, side, special)


@given(text=SURROGATES, most=st.integers(0, 12), side=st.sampled_from(["right", "left"]))
def test_surrogates(text, most, side):
    tok = tokenizer("qwen3")
    assert tok.truncate(text, most, side) == slow_truncate(tok, text, most, side, "parse")


@given(data=st.binary(max_size=40), most=st.integers(0, 12))
def test_bytes_that_are_not_utf8(data, most):
    tok = tokenizer("qwen3")
    for side in ("right", "left"):
        assert tok.truncate(data, most, side) == slow_truncate(tok, data, most, side, "parse")


@pytest.mark.parametrize("name", BUNDLED)
def test_most_of_a_long_text_is_left_alone(name):
    tok = tokenizer(name)
    text = "It's 1984: naïve words, 你好。 <|endoftext|> and\n\nmore of them. " * 40_000
    ids = tok.encode(text)
    for most in (10, 3000):
        right, left = tok.truncate(text, most), tok.truncate(text, most, side="left")
        assert right.ids == ids[: len(right.ids)]
        assert left.ids == ids[len(ids) - len(left.ids) :]
        assert text.startswith(right.text)
        assert text.endswith(left.text)
        assert most - 3 <= len(right.ids) <= most
        assert most - 3 <= len(left.ids) <= most
        assert tok.count(text, limit=most) == most + 1
    start = time.process_time()
    tok.count(text)
    whole = time.process_time() - start
    for call in (
        lambda: tok.truncate(text, 100),
        lambda: tok.truncate(text, 100, "left"),
        lambda: tok.count(text, limit=100),
    ):
        start = time.process_time()
        call()
        assert time.process_time() - start < whole / 3


def enough(tok):
    """What any character fits in: four bytes, or twelve if NFC takes it apart, and what stands around every text."""
    vocab = tok.vocab
    return (12 if vocab.normalizer else 5) + len(vocab.prefix_ids) + len(vocab.suffix_ids)


@pytest.mark.parametrize(("name", "engine"), EVERY)
@given(text=LONGER, more=st.integers(0, 30), special=st.sampled_from(["parse", "text"]))
def test_chunks_fit_and_join(name, engine, text, more, special):
    tok = tokenizer(name, engine)
    most = enough(tok) + more
    chunks = tok.split(text, most, special=special)
    assert "".join(chunk.text for chunk in chunks) == text
    assert all(chunk.ids == tok.encode(chunk.text, special) for chunk in chunks)
    assert all(len(chunk.ids) <= most for chunk in chunks)
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert all(a.end == b.start for a, b in zip(chunks, chunks[1:], strict=False))
    assert all(chunk.text for chunk in chunks)


@pytest.mark.parametrize("name", ["qwen3", "cl100k_base", "neighbourly", "prefix space", "nfc"])
@given(text=LONGER, more=st.integers(0, 30), overlap=st.integers(1, 4))
def test_chunks_that_overlap(name, text, more, overlap):
    tok = tokenizer(name)
    most = enough(tok) + more
    chunks = tok.split(text, most, overlap)
    end = 0
    for k, chunk in enumerate(chunks):
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.ids == tok.encode(chunk.text)
        assert len(chunk.ids) <= most
        assert chunk.start <= end < chunk.end
        if k:
            assert chunk.start > chunks[k - 1].start
        end = chunk.end
    assert end == len(text)


def test_chunks_end_with_words_and_are_as_long_as_may_be():
    tok = tokenizer("qwen3")
    text = "The quick brown fox jumps over the lazy dog. " * 50
    chunks = tok.split(text, 32)
    assert all(not chunk.text[0].isalpha() or chunk.start == 0 for chunk in chunks)
    assert all(len(chunk.ids) >= 31 for chunk in chunks[:-1])
    repeated = tok.split(text, 32, overlap=10)
    assert all(a.end > b.start for a, b in zip(repeated, repeated[1:], strict=False))
    rare = " Pneumonoultramicroscopic silicovolcanoconiosis, honorificabilitudinitatibus" * 20
    assert all(c.text[0] in " ," for c in tok.split(rare, 40, overlap=15))
    assert [c.text for c in tok.split("x" * 1000, 10)] != []
    assert "".join(c.text for c in tok.split("🦜" * 20, 4)) == "🦜" * 20
    assert tok.split("", 5) == []


@pytest.mark.parametrize("engine", ["native", "python"])
def test_chunks_of_a_text_that_is_one_span(engine):
    """Words end before white space; what is no word is repeated from token to token."""
    tok = tokenizer("like llama2", engine)
    words = "at atat at a atatat" + " at atat a atatat" * 20
    assert tok.spans(words) == ["▁" + words.replace(" ", "▁")]
    for overlap in (0, 4):
        chunks = tok.split(words, 12, overlap)
        assert all(chunk.text[0] == " " for chunk in chunks[1:])
        assert all(9 <= len(chunk.ids) <= 12 for chunk in chunks[:-1])
        assert all((a.end > b.start) == bool(overlap) for a, b in pairwise(chunks))
    chunks = tok.split("até" * 30, 12, overlap=4)
    assert all(a.end > b.start for a, b in pairwise(chunks))


def test_mistakes():
    tok = tokenizer("qwen3")
    for wrong in (-1, 1.5, "3", None, True):
        with pytest.raises(wordsplit.OptionsError, match="max_tokens"):
            tok.truncate("text", wrong)
        with pytest.raises(wordsplit.OptionsError, match="max_tokens"):
            tok.split("text", wrong)
        if wrong is not None:
            with pytest.raises(wordsplit.OptionsError, match="limit"):
                tok.count("text", limit=wrong)
    with pytest.raises(wordsplit.OptionsError, match="side"):
        tok.truncate("text", 3, side="middle")
    with pytest.raises(wordsplit.OptionsError, match="overlap"):
        tok.split("text", 3, overlap=3)
    with pytest.raises(wordsplit.OptionsError, match="'é' at character 1 takes 2 tokens"):
        wordsplit.load_tokenizer(VOCABS["small gpt2"]()).split("aé", 1)
    with pytest.raises(wordsplit.InputTypeError, match="decode"):
        tok.split(b"text", 3)
    with pytest.raises(wordsplit.SpecialTokenError):
        tok.truncate("a <|im_end|>", 3, special="error")
