"""WordPiece with BERT's rules: spellings, offsets and words as in tokenizers, found by the core or without it."""

import itertools
import json
import random

import pytest
import tokenizers as theirs
from depth import by_depth

from wordsplit.compat import tokenizers as ours

SETTINGS = list(itertools.product((True, False), repeat=4))
PARTS = [
    *(
        "hello",
        "Hello",
        "naïve",
        "ÉCOLE",
        "e\u0301",
        "don't",
        "zzz",
        "#",
        "##",
        "##ing",
        "[UNK]",
        "[MASK]",
        "new",
        "NEWER",
    ),
    *(
        " ",
        "  ",
        "\t",
        "\n",
        "\u3000",
        "\0",
        "\x7f",
        "\xad",
        "\ufffd",
        "…",
        "€",
        "<",
        "!",
        "中",
        "文字",
        "한",
        "ß",
        "İ",
    ),
    *("\U0001f99c", "\U00010330", "\U00020000", "\u1e9e", "a\u0323\u0307", "\u0345", "1", "２", "x" * 101),
]
PIECES = [
    *("h", "e", "l", "o", "##h", "##e", "##l", "##o", "##i", "hello", "na", "##ive", "##ï", "e", "ecole", "don", "t"),
    *(
        "'",
        "#",
        "!",
        "<",
        "中",
        "文",
        "##字",
        "字",
        "ss",
        "##s",
        "1",
        "newer",
        "new",
        "##er",
        "한",
        "x",
        "##x",
        "\u0323",
    ),
]


def both(settings, *, added=()):
    special = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocab = {token: i for i, token in enumerate(dict.fromkeys([*special, *PIECES]))}
    tok = theirs.Tokenizer(theirs.models.WordPiece(vocab, unk_token=special[0]))
    tok.normalizer = theirs.normalizers.BertNormalizer(*settings)
    tok.pre_tokenizer = theirs.pre_tokenizers.BertPreTokenizer()
    tok.post_processor = theirs.processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    tok.add_special_tokens(special)
    mine = ours.Tokenizer.from_str(tok.to_str())
    for each in (tok, mine):
        each.add_tokens(list(added))
    return mine, tok


def same(found, expected):
    for field in ("ids", "tokens", "offsets", "word_ids", "special_tokens_mask"):
        assert getattr(found, field) == getattr(expected, field), field
    assert len(found.overflowing) == len(expected.overflowing)
    for one, other in zip(found.overflowing, expected.overflowing, strict=True):
        same(one, other)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_offsets(settings):
    mine, tok = both(settings)
    rng = random.Random(repr(settings))
    for length in [1, 2, 3, 5, 8, 20] * by_depth(3, 15, 300):
        text = "".join(rng.choices(PARTS, k=length))
        same(mine.encode(text), tok.encode(text))
        same(mine.encode(text, "hello"), tok.encode(text, "hello"))


@pytest.mark.parametrize("part", ["", *PARTS])
def test_offsets_of_one_part(part):
    mine, tok = both((True, True, None, True))
    same(mine.encode(part), tok.encode(part))


def test_the_core_finds_them():
    mine, tok = both((True, True, True, True))
    engine = mine._texts().engine
    if not hasattr(engine, "core"):
        pytest.skip("a pure-Python build")
    find = engine.encode_with_words_quickly
    text = "Hello, naïve zzz 中!"
    expected = tok.encode(text, add_special_tokens=False)
    assert find(text, ()) == (expected.ids, expected.offsets, expected.word_ids, {})
    expected = tok.encode("new[MASK] é[MASK]", add_special_tokens=False)
    assert find("new[MASK] é[MASK]", ()) == (expected.ids, expected.offsets, expected.word_ids, {})
    assert find("", ()) == ([], [], [], {})
    assert find("\U00010330", ()) == ([0], [(0, 1)], [0], {})
    assert find("\ud800", ()) is find("\U0010fffe", ()) is None


def test_overflow():
    mine, tok = both((True, True, True, True))
    for each in (mine, tok):
        each.enable_truncation(7, stride=2)
    text = "".join(PARTS) * 2
    same(mine.encode(text), tok.encode(text))


@pytest.mark.parametrize("settings", SETTINGS[:: by_depth(5, 1, 1)], ids=str)
def test_added_tokens_that_are_normalized(settings):
    mine, tok = both(settings, added=["<new>", "newer", "École"])
    rng = random.Random(1)
    for _ in range(by_depth(5, 25, 500)):
        text = "".join(rng.choices([*PARTS, "<new>", "newer", "école"], k=12))
        same(mine.encode(text), tok.encode(text))
    assert json.loads(mine.to_str()) == json.loads(tok.to_str())


LITERALS = [
    "<new>",
    "École",
    "NEWER",
    "h",
    "中",
    "文字",
    "wörd",
    "e\u0301x",
    "don't",
    "a b",
    "##ing",
    "hell",
    "İ",
    "ELLO",
]


@pytest.mark.parametrize("settings", SETTINGS[:: by_depth(3, 1, 1)], ids=str)
def test_added_tokens_of_all_kinds(settings):
    rng = random.Random(repr(settings))
    for _ in range(by_depth(8, 30, 2_000)):
        kinds = ("lstrip", "rstrip", "single_word", "normalized")
        added = {
            literal: {kind: rng.random() < (0.8 if kind == "normalized" else 0.2) for kind in kinds}
            for literal in rng.sample(LITERALS, rng.randrange(1, 6))
        }
        mine, tok = both(settings)
        for each, library in ((mine, ours), (tok, theirs)):
            each.add_tokens([library.AddedToken(literal, **flags) for literal, flags in added.items()])
        parts = [*PARTS, *[*added] * 4, *map(str.lower, added), *map(str.upper, added), "e", "l", "in"]
        for _ in range(10):
            text = "".join(rng.choices(parts, k=rng.randrange(1, 12)))
            same(mine.encode(text), tok.encode(text))
        texts = [text, "x", "".join(parts)]
        wanted = [encoding.ids for encoding in tok.encode_batch(texts)]
        assert [encoding.ids for encoding in mine.encode_batch(texts)] == wanted


def test_the_same_added_token_on_both_sides_of_another():
    mine, tok = both((False, True, True, True))
    for each, library in ((mine, ours), (tok, theirs)):
        each.add_tokens([library.AddedToken("中", rstrip=True, normalized=True)])
    for text in ["中[MASK]中\u03451", "中[MASK]中[MASK]中 \u0345", "\u0345中 [MASK] 中\u0345"]:
        same(mine.encode(text), tok.encode(text))


def test_the_core_finds_added_tokens_that_are_normalized():
    mine, tok = both((True, True, True, True), added=["<new>", "Éco", "中x"])
    engine = mine._texts().engine
    if not hasattr(engine, "core"):
        pytest.skip("a pure-Python build")
    text = "hello ÉCO<NEW>é 中 x中x <new"
    expected = tok.encode(text, add_special_tokens=False)
    assert engine.encode_with_words_quickly(text, ())[:3] == (expected.ids, expected.offsets, expected.word_ids)
    assert engine.core.encode(text, None) == expected.ids


def test_tokens_added_one_by_one():
    mine, tok = both((True, True, True, True))
    rng = random.Random(19)
    contents = ["<new>", "Éco", "hello", "[MASK]", "中x", "a b", "<", "NEWER!", "ü"]  # none normalizes to another
    for content in contents:
        special = rng.random() < 0.3
        for each in (mine, tok):
            (each.add_special_tokens if special else each.add_tokens)([content])
        parts = [*PARTS, *contents * 4]
        for _ in range(by_depth(20, 150, 3000)):
            text = "".join(rng.choices(parts, k=rng.randrange(1, 12)))
            same(mine.encode(text), tok.encode(text))
