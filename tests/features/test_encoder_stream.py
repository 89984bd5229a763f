"""The ids of a growing text are those of the whole text, after every append, for every vocab."""

import copy
import pickle
import random
import time

import pytest
from features.toks import EVERY, PARTS, SURROGATES, TEXT, VOCABS, tokenizer
from hypothesis import given
from hypothesis import strategies as st

import wordsplit


def check_appends(tok, parts, special="parse"):
    stream = tok.encoder_stream(special)
    whole, ids, promises = "", tok.encode(""), []
    assert stream.ids == ids
    for part in parts:
        kept, new = stream.append(part)
        whole += part
        want = tok.encode(whole, special)
        assert stream.ids == want == ids[:kept] + new
        assert len(stream) == len(want)
        ids = want
        promises.append(stream.stable)
    last = (0, 0)
    for stable in promises:
        assert stable >= last  # what is stable stays so
        last = stable
        assert ids[: stable.ids] == tok.encode(whole, special)[: stable.ids]
    return stream, whole


def cut_up(text, rng):
    places = sorted(rng.randrange(len(text) + 1) for _ in range(rng.randrange(8)))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


@pytest.mark.parametrize(("name", "engine"), EVERY)
@given(text=TEXT, seed=st.integers(0, 2**32), special=st.sampled_from(["parse", "text"]))
def test_any_split_of_any_text(name, engine, text, seed, special):
    check_appends(tokenizer(name, engine), cut_up(text, random.Random(seed)), special)


@pytest.mark.parametrize("name", VOCABS)
@given(text=TEXT)
def test_character_by_character(name, text):
    check_appends(tokenizer(name), text[:60])


@pytest.mark.parametrize("name", VOCABS)
@given(text=TEXT, then=TEXT)
def test_what_is_stable_is_so_whatever_follows(name, text, then):
    tok = tokenizer(name)
    stream = tok.encoder_stream()
    stream.append(text)
    stable, ids = stream.stable, stream.ids
    for more in (then, "\u0301", "'ll", "<|endoftext|>", " ", "\n", "a", "1", "ftext|>", "e", "/"):
        whole = tok.encode(text + more)
        assert whole[: stable.ids] == ids[: stable.ids]
        # The stable text is what the stable ids are for.
        assert tok.encode(text[: stable.chars])[: stable.ids] == ids[: stable.ids]


@given(text=SURROGATES, seed=st.integers(0, 2**32))
def test_surrogates_that_meet(text, seed):
    check_appends(tokenizer("qwen3"), cut_up(text, random.Random(seed)))


def test_a_chat_of_ten_thousand_appends_costs_no_more_for_being_long():
    tok = tokenizer("qwen3")
    rng = random.Random(1)
    parts = [
        rng.choice(["Hello", " there", ", how", " are you", "?\n", "<|im_end|>", " 12", "34", "好", "。"])
        for _ in range(10_000)
    ]
    stream = tok.encoder_stream()
    laps = []
    for half in (parts[:5000], parts[5000:]):
        start = time.process_time()
        for part in half:
            stream.append(part)
        laps.append(time.process_time() - start)
    assert stream.ids == tok.encode("".join(parts))
    assert stream.stable.chars > len("".join(parts)) - 200
    assert laps[1] < 3 * laps[0] + 0.1, laps


@pytest.mark.parametrize("name", ["qwen3", "o200k_base"])
def test_most_of_ordinary_text_is_stable(name):
    stream = tokenizer(name).encoder_stream()
    text = "The quick brown fox, it's said, jumps over 13 lazy dogs.\n\nदेवनागरी लिपि में। 你好，世界。"
    unstable = []
    for char in text:
        stream.append(char)
        unstable.append(len(stream) - stream.stable.ids)
    assert max(unstable) <= 12


def test_special_tokens_that_are_refused_leave_the_stream_as_it_was():
    stream = tokenizer("qwen3").encoder_stream(special="error")
    stream.append("a <|im_")
    before = stream.ids, stream.stable
    with pytest.raises(wordsplit.SpecialTokenError):
        stream.append("end|>")
    assert (stream.ids, stream.stable) == before
    stream.append("nd|>")
    assert stream.ids == tokenizer("qwen3").encode("a <|im_nd|>")
    with pytest.raises(wordsplit.InputTypeError, match="decode"):
        stream.append(b"bytes")


class FarSighted(wordsplit.spanners.TextSpanner):
    """Where spans end depends on the whole text."""

    def pieces(self, text):
        size = 1 + text.count(" ") % 3 + len(text) % 2
        return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("engine", ["native", "python"])
def test_a_plug_in_may_look_as_far_as_it_likes(engine):
    wordsplit.spanners.register("far_sighted", FarSighted)
    try:
        tok = wordsplit.load_tokenizer("cl100k_base", spanner="far_sighted", engine=engine)
        text = "The quick brown fox. It's 1984 again"
        stream, _ = check_appends(tok, text)
        assert stream.stable == (0, 0)
        for most in range(12):
            assert tok.truncate(text, most).ids == tok.encode(text)[:most]
            assert tok.truncate(text, most, side="left").ids == tok.encode(text)[len(tok.encode(text)) - most :]
        assert "".join(chunk.text for chunk in tok.split(text, 5)) == text
        assert "".join(text[a:b] for a, b in tok.encode_with_offsets(text).char_spans) == text
    finally:
        wordsplit.spanners.unregister("far_sighted")


def test_without_cuts_it_is_right_as_well():
    tok = wordsplit.load_tokenizer(VOCABS["no pattern"]())
    stream, whole = check_appends(tok, PARTS[:40])
    assert stream.stable == (0, 0)
    assert whole


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("name", VOCABS)
def test_a_copy_goes_its_own_way(name, copied):
    tok = tokenizer(name)
    stream = tok.encoder_stream()
    stream.append("Once upon a ti")
    other = copied(stream)
    stream.append("me, and often")
    other.append("ger")
    assert stream.ids == tok.encode("Once upon a time, and often")
    assert other.ids == tok.encode("Once upon a tiger")


def test_a_pickle_is_refused_with_what_to_do():
    with pytest.raises(TypeError, match="pickle the text, and append it to a new encoder_stream"):
        pickle.dumps(tokenizer("qwen3").encoder_stream())
