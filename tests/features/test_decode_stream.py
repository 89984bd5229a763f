"""Streamed text is decoded text, however the ids come."""

import copy
import pickle
import random
from functools import cache

import numpy as np
import pytest
from features.toks import BUNDLED, TEXT, tokenizer
from hypothesis import given
from hypothesis import strategies as st

import wordsplit

CUTS = st.lists(st.integers(1, 9), min_size=1, max_size=9)


def parts_of(ids, sizes):
    at, k = 0, 0
    while at < len(ids):
        yield ids[at : at + sizes[k % len(sizes)]]
        at, k = at + sizes[k % len(sizes)], k + 1


@cache
def kinds_of_ids(name):
    tok = tokenizer(name)
    table = {i: token for i, token in enumerate(tok.all_token_bytes()) if token is not None}
    halves = [i for i, token in table.items() if len(token) == 1 and token > b"\x7f"]
    return list(table), halves, [*tok.special_tokens.values()] or halves


def random_ids(name, seed):
    """Ids that spell anything, halves of characters above all."""
    rng = random.Random(seed)
    table, short, special = kinds_of_ids(name)
    return [rng.choice(rng.choice([table, short, short, special])) for _ in range(rng.randrange(60))]


@pytest.mark.parametrize("name", [*BUNDLED, "small gpt2", "neighbourly"])
@given(seed=st.integers(0, 2**32), sizes=CUTS, skip=st.booleans(), errors=st.sampled_from(["replace", "ignore"]))
def test_any_ids_in_any_parts(name, seed, sizes, skip, errors):
    tok = tokenizer(name)
    ids = random_ids(name, seed)
    stream = tok.decode_stream(skip_special=skip, errors=errors)
    said = [stream.push(part) for part in parts_of(ids, sizes)]
    assert "".join(said) + stream.finish() == tok.decode(ids, errors, skip_special=skip)
    one_by_one = tok.decode_stream(skip_special=skip, errors=errors)
    held = 0
    for k, i in enumerate(ids):
        so_far = b"".join(tok.token_bytes(j) for j in ids[: k + 1] if not (skip and j in tok.special_tokens.values()))
        held += len(one_by_one.push(i).encode())
        if errors == "replace" and "\ufffd" not in so_far.decode("utf-8", "replace")[:-1]:
            assert len(so_far) - held <= 3  # no more than the beginning of one character is held back


@given(text=TEXT, sizes=CUTS)
def test_text_streams_through_both_engines(text, sizes):
    for engine in ("native", "python"):
        tok = tokenizer("qwen3", engine)
        ids = tok.encode(text, special="text")
        assert "".join(tok.decode_stream().over(ids)) == tok.decode(ids)
        with tok.decode_stream(errors="strict") as stream:
            out = "".join(stream.push(part) for part in parts_of(np.array(ids, dtype=np.uint32), sizes))
        assert out + stream.rest == tok.decode(ids)


def naive_stop(text, stops):
    """The text before the stop that ends first, longest of equals, and that stop."""
    for end in range(len(text) + 1):
        for stop in sorted(stops, key=len, reverse=True):
            if text[:end].endswith(stop):
                return text[: end - len(stop)], stop
    return text, None


STOPS = st.lists(st.text("ab.", min_size=1, max_size=5), min_size=1, max_size=4)


@given(text=st.text("ab.", max_size=40), stops=STOPS, sizes=CUTS)
def test_stop_strings_wherever_tokens_end(text, stops, sizes):
    tok = tokenizer("cl100k_base")
    ids = [tok.token_id(bytes([b])) for b in text.encode()] if len(text) % 2 else tok.encode(text)
    want, stop = naive_stop(text, stops)
    stream = tok.decode_stream(stop=stops)
    out = ""
    for part in parts_of(ids, sizes):
        out += stream.push(part)
        if stream.stop is None:  # what is held may become a stop string, and no more than that is
            assert text.startswith(out)
    out += stream.finish()
    assert (out, stream.stop) == (want, stop)
    if stop is not None:
        assert text.startswith(out + stop + stream.rest)


def test_only_what_may_be_a_stop_string_is_held():
    tok = tokenizer("qwen3")
    stream = tok.decode_stream(stop="</s>")
    byte_ids = [tok.token_id(bytes([b])) for b in b"a<b</s</t</s>tail"]
    said = [stream.push(i) for i in byte_ids]
    assert said[:8] == ["a", "", "<b", "", "", "", "</s", ""]
    assert "".join(said) == "a<b</s</t"
    assert stream.stop == "</s>"
    stream = tok.decode_stream(stop=["</s>"])
    assert stream.push(tok.encode("done</s> and more")) == "done"
    assert (stream.stop, stream.rest, stream.finish()) == ("</s>", " and more", "")


def test_a_stop_that_is_a_special_token():
    tok = tokenizer("qwen3")
    ids = tok.encode("ok<|im_end|>\nmore")
    assert list(tok.decode_stream(stop="<|im_end|>").over(ids)) == ["ok"]
    assert "".join(tok.decode_stream(stop="<|im_end|>", skip_special=True).over(ids)) == "ok\nmore"


def test_mistakes():
    tok = tokenizer("qwen3")
    stream = tok.decode_stream()
    with pytest.raises(wordsplit.InvalidTokenIdError):
        stream.push([9707, 10**9])
    assert stream.push(9707) == "Hello"  # nothing of the refused ones was taken in
    for wrong in (["a"], 1.5, None, "text", b"text"):
        with pytest.raises(wordsplit.WordsplitError):
            stream.push(wrong)
    assert stream.push(np.int64(11)) == ","
    assert stream.finish() == stream.finish() == ""
    with pytest.raises(wordsplit.StreamFinishedError, match="decode_stream"):
        stream.push(11)
    for stop in ("", [""], [3]):
        with pytest.raises(wordsplit.OptionsError, match="stop"):
            tok.decode_stream(stop=stop)
    for errors in ("nonsense", "xmlcharrefreplace", "namereplace"):  # the latter can only encode
        with pytest.raises(wordsplit.OptionsError, match="'replace', 'strict'"):
            tok.decode_stream(errors=errors)
        with pytest.raises(wordsplit.OptionsError, match="'replace', 'strict'"):
            tok.decode(tok.encode("🦜")[:1], errors=errors)
    strict = tok.decode_stream(errors="strict")
    assert not strict.push(tok.encode("🦜")[:1])
    with pytest.raises(wordsplit.InvalidTextError, match="UTF-8"):
        strict.finish()


def test_a_stop_of_a_subclass_of_str():
    stop = type("Stop", (str,), {})("\nUser:")
    stream = tokenizer("qwen3").decode_stream(stop=[stop])
    assert list(stream.over(tokenizer("qwen3").encode("no\nUser: yes"))) == ["no"]
    assert stream.stop == stop


def test_a_with_that_fails_hides_nothing():
    stream = tokenizer("qwen3").decode_stream()
    half = tokenizer("qwen3").encode("🦜")[:1]
    with pytest.raises(wordsplit.InvalidTokenIdError), stream:
        stream.push([stream.push(half) or 10**9])
    assert stream.rest == ""
    assert stream.finish() == "\ufffd"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("name", ["qwen3", "like llama2"])
def test_a_copy_goes_its_own_way(name, copied):
    tok = tokenizer(name)
    ids, others = tok.encode("Hi 🦜🦞 there"), tok.encode("Hi 🦜🦞 and so on")
    same = next(at for at, (i, k) in enumerate(zip(ids, others, strict=False)) if i != k)
    for begin in range(same + 1):
        stream = tok.decode_stream(stop="no more")
        text = stream.push(ids[:begin])
        other = copied(stream)
        assert text + stream.push(ids[begin:]) + stream.finish() == tok.decode(ids)
        assert text + other.push(others[begin:]) + other.finish() == tok.decode(others)


@pytest.mark.parametrize("name", ["qwen3", "like llama2"])
def test_copies_share_the_texts_of_tokens(name):
    stream = tokenizer(name).decode_stream()
    stream.push(tokenizer(name).encode("Hi"))
    assert copy.copy(stream)._ready is stream._ready
    assert copy.copy(stream)._tokens is stream._tokens


@pytest.mark.parametrize("name", ["qwen3", "like llama2"])
def test_a_pickle_is_refused_with_what_to_do(name):
    with pytest.raises(TypeError, match="pickle the ids, and push them to a new decode_stream"):
        pickle.dumps(tokenizer(name).decode_stream())
