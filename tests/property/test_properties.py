"""What holds for every text and every sequence of ids."""

import dataclasses
import pickle

import cloudpickle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordsplit

TOKS = {name: wordsplit.load_tokenizer(name) for name in ("qwen3", "cl100k_base", "r50k_base")}
TOK = TOKS["cl100k_base"]
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
TEXTS = st.lists(TEXT, max_size=8)


@given(TEXT)
def test_round_trip(text):
    assert TOK.decode(TOK.encode(text, special="text")) == text
    assert TOK.decode_bytes(TOK.encode(text)) == text.encode()


@given(st.binary())
def test_round_trip_of_any_bytes(data):
    assert TOK.decode_bytes(TOK.encode(data, special="text")) == data


@given(TEXT)
def test_bytes_and_str_are_the_same_text(text):
    for tok in TOKS.values():
        for data in (text.encode(), bytearray(text.encode()), memoryview(text.encode())):
            assert tok.encode(data) == tok.encode(text)


@given(TEXT)
def test_spans_tile_the_text(text):
    spans = TOK.spans(text, special="text")
    assert "".join(spans) == text
    assert all(spans)


@given(TEXTS)
def test_every_entry_point_gives_the_same_ids(texts):
    for tok in TOKS.values():
        lists = [tok.encode(text) for text in texts]
        assert tok.encode_batch(texts) == lists
        assert tok.encode_batch(texts, threads=2) == lists
        assert tok.count_batch(texts) == [tok.count(text) for text in texts] == list(map(len, lists))
        ids, offsets = tok.encode_batch_to_numpy(texts)
        assert (ids.dtype, offsets.dtype) == (np.uint32, np.int64)
        assert [ids[a:b].tolist() for a, b in zip(offsets, offsets[1:], strict=False)] == lists
        assert [tok.encode_to_numpy(text).tolist() for text in texts] == lists
        assert tok.decode_batch(lists) == [tok.decode(ids) for ids in lists]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_memory_of_freed_arrays_is_used_by_no_two(threads):
    texts = {n: [f"{n} ids, " * n] * 40 for n in (3, 300, 3_000, 2_000)}  # to 300,000 ids and more
    want = {n: TOK.encode(of_n[0]) * 40 for n, of_n in texts.items()}
    TOK.cache_clear()  # forgets what other tests have freed
    held = []
    for n in (3_000, 2_000, 3, 3_000, 3_000, 300, 2_000, 3_000):
        for _ in range(2):  # one to be freed, one to be held
            ids, offsets = TOK.encode_batch_to_numpy(texts[n], threads=threads)
            assert offsets[-1] == len(ids)
        held.append((n, ids))
    assert all(ids.tolist() == want[n] for n, ids in held)


def same_arrays(one, other):
    return one.dtype == other.dtype and np.array_equal(one, other)


@given(TEXTS)
@pytest.mark.parametrize("dtype", ["uint16", np.uint16, np.dtype(">u2"), "int32", int, "uint32", np.uint32, "uint64"])
def test_arrays_of_any_type_of_integers(dtype, texts):
    tok = TOKS["r50k_base"]
    want, want_offsets = tok.encode_batch_to_numpy(texts)
    ids, offsets = tok.encode_batch_to_numpy(texts, dtype=dtype)
    assert same_arrays(ids, want.astype(dtype))
    assert same_arrays(offsets, want_offsets)
    text = "".join(texts)
    assert same_arrays(tok.encode_to_numpy(text, dtype=dtype), tok.encode_to_numpy(text).astype(dtype))


@pytest.mark.parametrize("n", [65_536, 65_537])
def test_uint16_is_for_vocabs_that_fit(n, engine):
    vocab = wordsplit.Vocab(name="wide", tokens={b: bytes([b]) for b in range(255)} | {n - 1: b"\xff"})
    tok = wordsplit.load_tokenizer(vocab, engine=engine)
    assert vocab.n_vocab == n
    if n == 65_536:
        assert tok.encode_to_numpy(b"a\xff", dtype="uint16").tolist() == [97, 65_535]
        with pytest.raises(wordsplit.OptionsError, match=r"'int16' ends at 32,767.* at 65,535; use dtype='uint16'"):
            tok.encode_to_numpy("a", dtype="int16")
    else:  # whether or not the text has the id that does not fit
        for call in (tok.encode_to_numpy, lambda text, dtype: tok.encode_batch_to_numpy([text], dtype=dtype)):
            with pytest.raises(wordsplit.OptionsError, match=r"ends at 65,535.* wide at 65,536; use dtype='uint32'"):
                call("a", dtype="uint16")


@pytest.mark.parametrize("dtype", ["float32", float, bool, None, "no such type", "i4,", object, {"names": 1}])
def test_arrays_of_ids_are_of_integers(dtype):
    for call in (TOK.encode_to_numpy, lambda text, dtype: TOK.encode_batch_to_numpy([text], dtype=dtype)):
        with pytest.raises(wordsplit.OptionsError, match="ids are integers; use dtype='uint32'"):
            call("text", dtype=dtype)


@given(st.text(st.characters(), max_size=12))
def test_lone_surrogates_follow_one_rule(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        replaced = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        assert TOK.encode(text) == TOK.encode(replaced)
        assert TOK.encode_batch([text]) == [TOK.encode(replaced)]
        assert TOK.count(text) == TOK.count(replaced)
        strict = wordsplit.TokenizerOptions(errors="strict").build(TOK.vocab)
        for call in (strict.encode, strict.count, strict.spans, strict.encode_to_numpy, strict.count):
            with pytest.raises(wordsplit.InvalidTextError, match="surrogate"):
                call(text)
        with pytest.raises(wordsplit.InvalidTextError):
            strict.encode_batch(["fine", text])


@given(st.lists(st.integers(-5, 2**33)))
def test_decode_takes_any_id_or_says_which_is_none(ids):
    known = [i for i in ids if 0 <= i < 100256]
    assert isinstance(TOK.decode(known), str)
    if len(known) < len(ids):
        with pytest.raises(wordsplit.InvalidTokenIdError):
            TOK.decode(ids)


def test_decode_of_holes_and_halves():
    with pytest.raises(wordsplit.InvalidTokenIdError, match="100270"):
        TOK.decode([100270])  # a hole between special tokens
    halves = TOK.encode("🫨", special="text")
    assert len(halves) > 1
    assert TOK.decode(halves[:1]) == "\ufffd"
    with pytest.raises(wordsplit.InvalidTextError):
        TOK.decode(halves[:1], errors="strict")
    for wrong in (["a"], [1.5], [None]):
        with pytest.raises(wordsplit.InvalidTokenIdError):
            TOK.decode(wrong)
    assert TOK.decode(np.array([15339, 1917])) == "hello world"
    assert TOK.decode([100257, 15339], skip_special=True) == "hello"


@pytest.mark.parametrize("dumps", [pickle.dumps, cloudpickle.dumps])
def test_pickling_by_content(dumps, engine):
    tok = wordsplit.load_tokenizer("qwen3", encoder="heap_merge", engine=engine)
    again = pickle.loads(dumps(tok))  # noqa: S301 - what we have just made
    assert again.options == tok.options
    assert again.vocab == tok.vocab
    assert again.vocab.fingerprint == tok.vocab.fingerprint
    assert again.encode("hello <|im_end|> world") == tok.encode("hello <|im_end|> world")
    assert again.vocab.chat_template == tok.vocab.chat_template


def test_immutable():
    vocab = TOK.vocab
    for target, name in ((vocab, "name"), (vocab, "pattern"), (TOK, "vocab"), (TOK.options, "encoder")):
        with pytest.raises(AttributeError):
            setattr(target, name, 1)
    TOK.special_tokens["x"] = 1
    assert "x" not in TOK.special_tokens
    with pytest.raises(TypeError):
        vocab.tokens[0] = b"x"


def test_options():
    options = wordsplit.TokenizerOptions(encoder="heap_merge", long_span=10)
    assert wordsplit.TokenizerOptions.from_json(options.to_json()) == options
    assert dataclasses.replace(options, encoder="auto").encoder == "auto"
    resolved = wordsplit.TokenizerOptions().build(TOK.vocab).options
    assert "auto" not in dataclasses.asdict(resolved).values()
    for engine in ("native", "python"):  # an alias is resolved too
        resolved = wordsplit.TokenizerOptions(encoder="reference", engine=engine).build(TOK.vocab).options
        assert resolved.encoder == resolved.long_encoder == "buffer_sweep"
    for wrong in (
        {"engine": "rust"},
        {"errors": "ignore"},
        {"long_span": -1},
        {"encoder": 3},
        {"add_bos": "yes"},
    ):
        with pytest.raises(wordsplit.OptionsError):
            wordsplit.TokenizerOptions(**wrong)
    with pytest.raises(wordsplit.OptionsError, match="Did you mean 'encoder'"):
        wordsplit.load_tokenizer("qwen3", encode="x")
    with pytest.raises(wordsplit.OptionsError, match="JSON"):
        wordsplit.TokenizerOptions.from_json("{")
    with pytest.raises(wordsplit.OptionsError, match="'encoder'"):
        wordsplit.TokenizerOptions.from_json('{"encodr": "x"}')


def test_special():
    tok = TOKS["qwen3"]
    text = "a<|im_start|>b<|im_end|>"
    assert tok.encode(text) == [64, 151644, 65, 151645]
    assert 151644 not in tok.encode(text, special="text")
    assert tok.encode(text, special={"<|im_end|>"})[-1] == 151645
    assert 151644 not in tok.encode(text, special={"<|im_end|>"})
    with pytest.raises(wordsplit.SpecialTokenError, match="im_start"):
        tok.encode(text, special="error")
    with pytest.raises(wordsplit.SpecialTokenError, match="nothing"):
        tok.encode(text, special={"<|nothing|>"})
    with pytest.raises(wordsplit.OptionsError, match="parse"):
        tok.encode(text, special="yes")
    assert tok.encode("plain", special="error") == tok.encode("plain")


def test_wrong_types_and_values():
    for call in (TOK.encode, TOK.count, TOK.spans, TOK.encode_to_numpy):
        for wrong in (None, 3, ["a"]):
            with pytest.raises(wordsplit.InputTypeError):
                call(wrong)
    with pytest.raises(wordsplit.InputTypeError, match="list of texts"):
        TOK.encode_batch("one text")
    for threads in (0, -1, "2", 1.5):
        with pytest.raises(wordsplit.OptionsError):
            TOK.encode_batch(["a"], threads=threads)
    with pytest.raises(wordsplit.UnknownTokenError):
        TOK.token_id("no such token, surely")
    with pytest.raises(wordsplit.InvalidTokenIdError):
        TOK.token_bytes(10**9)


def test_the_cache_is_bounded_and_can_be_cleared(engine):
    tok = wordsplit.load_tokenizer("qwen3", cache_bytes=20_000, engine=engine)
    for i in range(3000):
        tok.encode(f"unlikelyword{i} {'x' * (i % 50)}")
        assert tok.cache_info()["bytes"] <= 20_000 + 20_000 // 2  # what all threads share, and what this one keeps
    tok.cache_clear()
    assert tok.cache_info()["entries"] == 0
    off = wordsplit.load_tokenizer("qwen3", cache_bytes=0, engine=engine)
    assert off.encode("unlikelyword1") == tok.encode("unlikelyword1")
    assert off.cache_info()["entries"] == 0


@pytest.mark.parametrize("name", TOKS)
def test_a_long_text_is_encoded_in_pieces_to_the_same_ids(name):
    tok = TOKS[name]
    page = "It's 1,234.5 — naïve Ünïcödé\n\nclass A:\n    def f(self): return  'x'\r\n" + "<|endoftext|> ok\n"
    text = "".join(page + "a" * (i % 97) + "\n" for i in range(20_000)) + "b" * 600_000 + page * 10
    assert len(text) > 4 << 18
    lines = text.splitlines(keepends=True)
    assert "".join(lines) == text
    alone = tok.encode_batch([text], threads=1)[0]
    assert tok.encode(text) == tok.encode_to_numpy(text).tolist() == alone
    assert tok.count(text) == len(alone)
    assert tok.decode(alone) == text
