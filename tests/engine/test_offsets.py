"""Offsets tile the original text, agree between engines, and are those of `tokenizers` where both mean the same."""

import itertools

import oracles
import pytest
import tokenizers
from depth import by_depth
from features.toks import BUNDLED, EVERY, SURROGATES, TEXT, VOCABS, changed, tokenizer
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import BYTES

import wordsplit
from wordsplit.unicode.nfc import nfc, nfc_clusters


def tiles(spans, size):
    ends = [0, *(end for _, end in spans)]
    return [start for start, _ in spans] == ends[:-1] and ends[-1] == size and ends == sorted(ends)


def check(tok, text, special):
    found = tok.encode_with_offsets(text, special)
    assert found.ids == tok.encode(text, special)
    assert len(found) == len(found.ids) == len(found.byte_spans) == len(found.char_spans)
    data = text.encode() if isinstance(text, str) else text
    chars = text if isinstance(text, str) else data.decode("utf-8", "surrogateescape")
    assert not found.ids or tiles(found.byte_spans, len(data))
    at = [0, *itertools.accumulate(len(c.encode("utf-8", "surrogateescape")) for c in chars)]
    for (a, b), (first, last) in zip(found.byte_spans, found.char_spans, strict=True):
        assert 0 <= first <= last <= len(chars)
        if tok.vocab.normalizer in (None, "nfc"):  # else characters are as `tokenizers` has them
            assert at[first] <= a <= b <= at[last]  # the characters cover the bytes
    return found


@pytest.mark.parametrize(("name", "engine"), EVERY)
@settings(max_examples=by_depth(30, 75, 2000))
@given(text=TEXT, special=st.sampled_from(["parse", "text"]))
def test_they_tile_the_text(name, engine, text, special):
    check(tokenizer(name, engine), text, special)


@pytest.mark.parametrize("name", VOCABS)
@given(text=TEXT)
def test_both_engines_find_the_same(name, text):
    ours, theirs = (check(tokenizer(name, engine), text, "parse") for engine in ("native", "python"))
    assert (ours.byte_spans, ours.char_spans) == (theirs.byte_spans, theirs.char_spans)
    assert ours.span_starts == theirs.span_starts
    as_bytes = tokenizer(name).encode_with_offsets(text.encode())
    assert (as_bytes.byte_spans, as_bytes.char_spans) == (ours.byte_spans, ours.char_spans)


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base", "small gpt2", "no pattern"])
@given(text=TEXT)
def test_without_normalization_they_are_what_the_tokens_spell(name, text):
    tok = tokenizer(name)
    found = check(tok, text, "parse")
    data = text.encode()
    assert [data[a:b] for a, b in found.byte_spans] == [tok.token_bytes(i) for i in found.ids]
    starts = [found.byte_spans[k][0] for k in found.span_starts]
    assert starts == [0, *itertools.accumulate(len(s.encode()) for s in tok.spans(text))][:-1] if text else not starts


@pytest.mark.parametrize("name", ["cl100k_base", "qwen3", "neighbourly nfc"])
@given(data=st.binary(max_size=30), text=TEXT)
def test_bytes_that_are_not_utf8(name, data, text):
    for engine in ("native", "python"):
        check(tokenizer(name, engine), data + text.encode() + data, "parse")


@given(text=SURROGATES)
def test_surrogates_are_characters_of_the_text(text):
    for engine in ("native", "python"):
        found = tokenizer("qwen3", engine).encode_with_offsets(text)
        assert found.ids == tokenizer("qwen3").encode(text)
        if found.ids:
            assert found.char_spans[-1][1] == len(text)
            assert found.char_spans[0][0] == 0


@given(text=TEXT)
def test_clusters_of_nfc_normalize_by_themselves(text):
    out, at = [], 0
    for start, end, normal in nfc_clusters(text):
        assert at <= start < end
        assert normal == nfc(text[start:end]) != text[start:end]
        out += [text[at:start], normal]
        at = end
    assert "".join([*out, text[at:]]) == nfc(text)


@pytest.mark.parametrize("name", ["qwen3", "nfc"])
@given(text=TEXT)
def test_under_nfc_a_token_has_what_it_was_made_of(name, text):
    tok = tokenizer(name)
    found = check(tok, text, "text")
    added = {token.id: nfc(token.content).encode() for token in tok.vocab.added_tokens}
    for i, (first, last), (a, b) in zip(found.ids, found.char_spans, found.byte_spans, strict=True):
        if a == b and i in tok.special_tokens.values():
            continue  # a template's
        token = added.get(i) or tok.token_bytes(i)
        assert token in nfc(text[first:last]).encode()
        if text[first:last] == nfc(text[first:last]) and len(text[first:last].encode()) == b - a:
            assert text[first:last].encode() == token


def test_one_example_of_each_kind():
    tok = tokenizer("qwen3")
    assert tok.encode_with_offsets("").ids == []
    assert tok.encode_with_offsets("").byte_spans == []
    text = "x\u1100\u1161\u11a8 e\u0301\u0338🦜<|im_end|>"
    found = tok.encode_with_offsets(text)
    pieces = [(tok.token_bytes(i), text[a:b]) for i, (a, b) in zip(found.ids, found.char_spans, strict=True)]
    assert ("각".encode(), "\u1100\u1161\u11a8") in pieces
    assert pieces[-1] == (b"<|im_end|>", "<|im_end|>")
    spaced = tokenizer("prefix space").encode_with_offsets("a<l>  <r> t")
    assert [("a<l>  <r> t")[a:b] for a, b in spaced.char_spans][-2:] == ["<r> ", "t"] or spaced.span_starts
    assert "10 ids" in repr(tok.encode_with_offsets("one two three four five six seven eight nine ten"))


def test_tokens_that_strip_have_the_white_space():
    tok = tokenizer("neighbourly")
    text = "a \n<l>b<r> \n<b>"
    found = tok.encode_with_offsets(text)
    said = [(tok.token_bytes(i), text[a:b]) for i, (a, b) in zip(found.ids, found.char_spans, strict=True)]
    assert [pair for pair in said if pair[0].startswith(b"<")] == [
        *((b"<l>", ""), (b"<r>", "")),  # the template's
        *((b"<l>", " \n<l>"), (b"<r>", "<r> \n"), (b"<b>", "<b>"), (b"<b>", "")),
    ]


@pytest.mark.parametrize("engine", ["native", "python"])
@pytest.mark.parametrize(
    "changes",
    [
        {"normalizer": [wordsplit.Normalize("nfkd"), wordsplit.Normalize("lowercase")]},
        {"normalizer": [wordsplit.Normalize("nfkc"), wordsplit.Normalize("rstrip")]},
        {"normalizer": [wordsplit.Normalize("replace", r"\s+", "é")], "add_prefix_space": True},
        {
            "pre_tokenizer": [
                wordsplit.Split(" ", behavior="removed"),
                wordsplit.Rewrite("metaspace", "\u2581", "first"),
            ]
        },
        {"pre_tokenizer": [wordsplit.Split(".", behavior="removed", byte_level=True, invert=True)]},
    ],
)
@given(text=TEXT, data=st.binary(max_size=5))
def test_rewritten_text_is_tiled(changes, engine, text, data):
    tok = rewriting(engine, changes)
    for given_text in (text, data + text.encode() + data):
        found = tok.encode_with_offsets(given_text)
        assert found.ids == tok.encode(given_text)
        as_bytes = given_text if isinstance(given_text, bytes) else given_text.encode()
        assert not found.ids or tiles(found.byte_spans, len(as_bytes))
        chars = as_bytes.decode("utf-8", "surrogateescape")
        assert all(0 <= first <= last <= len(chars) for first, last in found.char_spans)
        assert sorted(found.char_spans) == found.char_spans


def rewriting(engine, changes, cache={}):  # noqa: B006 - made once
    key = engine, repr(changes)
    if key not in cache:
        cache[key] = wordsplit.load_tokenizer(changed(tokenizer("cl100k_base").vocab, **changes), engine=engine)
    return cache[key]


def test_one_example_of_rewritten_text():
    steps = [wordsplit.Normalize("nfkc"), wordsplit.Normalize("lowercase")]
    vocab = changed(tokenizer("cl100k_base").vocab, normalizer=steps)
    found = wordsplit.load_tokenizer(vocab).encode_with_offsets("HELLO ﬁne \U0001f99c!")
    assert found.char_spans == [(0, 5), (5, 9), (9, 11), (10, 11), (10, 11), (11, 12)]
    assert found.byte_spans == [(0, 5), (5, 11), (11, 14), (14, 15), (15, 16), (16, 17)]


# Against `tokenizers`, which counts characters, and says of a token that splits one that it has all of it.


@given(text=TEXT)
def test_like_tokenizers_where_nothing_is_changed(text):
    engine = oracles.qwen3()
    engine.encode_special_tokens = False
    if nfc(text) != text:
        return  # it gives what NFC has made of several characters to the first of them
    theirs = engine.encode(text, add_special_tokens=False)
    ours = tokenizer("qwen3").encode_with_offsets(text)
    assert ours.ids == theirs.ids
    assert ours.char_spans == theirs.offsets


@given(text=TEXT)
def test_like_tokenizers_with_prefix_space_and_tokens_that_strip(text):
    vocab = tokenizer("prefix space").vocab
    if vocab.normalizer or not vocab.has_explicit_merges:
        pytest.fail("the vocab is not what this test needs")
    engine = tokenizers.Tokenizer.from_str(as_json(vocab))
    theirs, ours = engine.encode(text, add_special_tokens=False), tokenizer("prefix space").encode_with_offsets(text)
    assert ours.ids == theirs.ids
    spaced = [k for k, (a, b) in enumerate(ours.char_spans) if a == b]
    assert [s for k, s in enumerate(ours.char_spans) if k not in spaced] == [
        s for k, s in enumerate(theirs.offsets) if k not in spaced
    ]


def test_unlike_tokenizers_where_nfc_composes():
    text = "re\u0301sume\u0301"
    theirs = oracles.qwen3().encode(text, add_special_tokens=False)
    ours = tokenizer("qwen3").encode_with_offsets(text)
    assert ours.ids == theirs.ids
    assert theirs.offsets == [(0, 2), (3, 6), (6, 7)]  # the accents are no token's
    assert ours.char_spans == [(0, 3), (3, 6), (6, 8)]


def as_json(vocab, cache={}):  # noqa: B006 - made once
    if vocab.name not in cache:
        import pathlib
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "tokenizer.json"
            vocab.save_tokenizer_json(path)
            cache[vocab.name] = path.read_text()
    return cache[vocab.name]


@pytest.mark.parametrize("name", BUNDLED)
def test_a_long_text(name):
    text = ("It's naïve: 你好，世界 🦜 e\u0301 \u1100\u1161\n\n" * 3000) + "<|endoftext|>" + "x" * 5000
    tok = tokenizer(name)
    found = check(tok, text, "parse")
    assert found.ids == tok.encode(text)


@pytest.mark.parametrize("engine", ["native", "python"])
def test_tokens_without_characters_where_some_were_removed(engine):
    """A prefix that is spelled in bytes has tokens of its own, here beside an accent that no token has."""
    names = ["<unk>", "c", *BYTES]
    model = tokenizers.models.BPE(
        vocab={name: i for i, name in enumerate(names)},
        merges=[],
        byte_fallback=True,
        continuing_subword_prefix="##",
    )
    made = tokenizers.Tokenizer(model)
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.Digits(individual_digits=True)
    tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(made.to_str().encode()), engine=engine)
    found = tok.encode_with_offsets("c\u00e9\u03011")
    assert all(start <= end for start, end in found.char_spans)
    assert [start for start, _ in found.char_spans] == [0, 1, 3, 3, 3]
