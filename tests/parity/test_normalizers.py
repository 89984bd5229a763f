"""Each normalizer by itself, and sequences of them, against `tokenizers`: text, and the ranges of its characters."""

import base64
import json
import random
import struct

import pytest
import tokenizers
from charsmaps import charsmap
from depth import by_depth
from generated import random_char
from parity.parts import MAPS, NORMALIZERS, TO_NORMALIZE, bert, texts

import wordsplit
from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.normalization import normalizer_of
from wordsplit.unicode.graphemes import graphemes, marks
from wordsplit.vocabs.formats.tokenizer_json.rule_writer import normalizer as written
from wordsplit.vocabs.formats.tokenizer_json.rules import read_normalizer
from wordsplit.vocabs.json_tree import Node

TEXTS = by_depth(60, 250, 60_000)
SEQUENCES = by_depth(40, 100, 20_000)
LABELS = [json.dumps(part)[:70] for part in NORMALIZERS]


def theirs_of(part):
    """Their tokenizer with a normalizer, each of whose tokens is a character."""
    model = {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"}
    split = {"type": "Split", "pattern": {"Regex": r"[\s\S]"}, "behavior": "Isolated", "invert": False}
    document = {"version": "1.0", "added_tokens": [], "normalizer": part, "pre_tokenizer": split, "model": model}
    return tokenizers.Tokenizer.from_str(json.dumps(document))


def agree(theirs, ours, text):
    expected = theirs.normalizer.normalize_str(text)
    assert ours(AlignedText(text)).text == expected
    found = ours(AlignedText.of(text))
    assert found.text == expected
    assert found.ranges == theirs.encode(text).offsets


def steps_of(part, **options):
    return read_normalizer(Node(part, "test", "$.normalizer"), **options)


@pytest.mark.parametrize("part", NORMALIZERS, ids=LABELS)
def test_each_by_itself(part):
    theirs, ours = theirs_of(part), normalizer_of(steps_of(part, byte_level=False), "test")
    for text in texts(NORMALIZERS.index(part), TO_NORMALIZE, TEXTS):
        agree(theirs, ours, text)


@pytest.mark.parametrize("kind", ["Lowercase", "StripAccents", "Nmt", "ByteLevel", "clean", "chinese", "accents"])
def test_each_character(kind):
    steps = {"clean": bert(True, False, False, False), "chinese": bert(False, True, False, False)}
    part = steps.get(kind) or ({"type": kind} if kind != "accents" else bert(False, False, True, False))
    theirs, ours = theirs_of(part).normalizer.normalize_str, normalizer_of(steps_of(part), "test")
    scalars = [cp for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]
    for cp in [*scalars[:0x3400], *scalars[0x3400 :: by_depth(29, 1, 1)]]:
        assert ours(AlignedText(chr(cp))).text == theirs(chr(cp)), hex(cp)


def test_sequences():
    for seed in range(SEQUENCES):
        rng = random.Random(seed)
        part = {"type": "Sequence", "normalizers": rng.choices(NORMALIZERS, k=rng.randint(2, 4))}
        steps = steps_of(part, byte_level=False)
        theirs, ours = theirs_of(part), normalizer_of(steps, "test")
        again = steps_of(written(steps), byte_level=False)
        assert (again or None) == (steps or None)
        for text in texts(seed, TO_NORMALIZE, 8):
            agree(theirs, ours, text)


@pytest.mark.parametrize("pattern", ["", "a*", r"\b", "(?=b)", "(?!a)"])
def test_an_insertion_at_the_beginning_is_refused_where_they_panic(pattern):
    part = {"type": "Replace", "pattern": {"Regex": pattern}, "content": "x"}
    with pytest.raises(wordsplit.UnsupportedVocabError, match="matches the empty string at the beginning"):
        steps_of(part)
    lower = {"type": "Sequence", "normalizers": [part, {"type": "Lowercase"}]}
    with pytest.raises(wordsplit.UnsupportedVocabError, match="matches the empty string at the beginning"):
        steps_of(lower, byte_level=False)
    with pytest.raises(BaseException, match="out of bounds|out of range"):  # a panic, which is no Exception
        theirs_of(lower).normalizer.normalize_str("ba")
    # By itself it is one like any other.
    theirs, ours = theirs_of(part), normalizer_of(steps_of(part, byte_level=False), "test")
    for text in texts(0, TO_NORMALIZE, 100):
        agree(theirs, ours, text)


def test_prepending_nothing():
    with pytest.raises(wordsplit.UnsupportedVocabError, match="a Prepend of nothing"):
        steps_of({"type": "Prepend", "prepend": ""})


@pytest.mark.parametrize("missing", ["clean_text", "handle_chinese_chars", "lowercase"])
def test_a_bert_normalizer_needs_its_flags(missing):
    part = bert(True, True, None, True)
    del part[missing]
    with pytest.raises(wordsplit.VocabFormatError, match=missing):
        steps_of(part)
    with pytest.raises(Exception, match="did not match"):
        theirs_of(part)


def test_marks():
    """What joins the character before it is in its cluster; what joins none, or the one behind it, is as said, too."""
    joins, alone, before = map(set, marks())
    for point in [*range(0x3100), *range(0xE0000, 0xE0200)]:
        char = chr(point)
        assert (point in joins) == (next(graphemes(f"a{char}")) == (0, 2)), hex(point)
        if point in before:
            assert next(graphemes(f"{char}a")) == (0, 2), hex(point)
        if point in alone:
            assert [*graphemes(f"a{char}\u0301")] == [(0, 1), (1, 2), (2, 3)], hex(point)
    assert max(joins) > 0xE0000


def test_grapheme_clusters():
    """A map of every first byte replaces each cluster of less than six bytes by one character."""
    every = charsmap(MAPS["bytes"])
    count_theirs = theirs_of({"type": "Precompiled", "precompiled_charsmap": every}).normalizer.normalize_str

    def count(text):
        sizes = [(end - start, len(text[start:end].encode())) for start, end in graphemes(text)]
        return sum(1 if in_bytes < 6 else chars for chars, in_bytes in sizes)

    scalars = [cp for cp in range(1, 0x110000) if not 0xD800 <= cp < 0xE000]
    for cp in [*scalars[:0x3400], *scalars[0x3400 :: by_depth(101, 7, 1)]]:
        char = chr(cp)
        for text in (char + "q", "q" + char, char + char, "\u0600" + char, char + "\u0301", char + "\u200d©"):
            assert count(text) == len(count_theirs(text)), ascii(text)
    rng = random.Random(1)
    kinds = [
        "\r\n\x00\u0301\u200d\u0600\u0903",
        "\u1100\u1161\u11a8가각",
        "🇩🇪🇫©®☺👩",
        "कग\u094d\u093c\u09cd\u0995\u200c",
    ]
    for _ in range(by_depth(3000, 12_500, 500_000)):
        text = "".join(rng.choice(rng.choice([*kinds, random_char(rng)])) for _ in range(rng.randint(2, 6)))
        if "\0" not in text:
            assert count(text) == len(count_theirs(text)), ascii(text)


def chain(levels):
    """A map whose nodes are each reached from the one before by two bytes, or a single one from itself."""
    units = [0] * 256 * (levels + 2)
    units[0] = 256 << 10
    for level in range(levels):
        for byte in b"ab":
            at = 256 * (level + 1) ^ byte
            units[at] = byte | (at ^ 256 * (level + (2 if levels > 1 else 1))) << 10
    return base64.b64encode(struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + b"\0").decode()


DAMAGED = {
    "it is not base64": "a!",
    "too few": base64.b64encode(b"abc").decode(),
    "its trie has 0": base64.b64encode(bytes(8)).decode(),
    "its trie has 400": base64.b64encode(b"\x90\x01\0\0" + bytes(8)).decode(),
    "has children at": base64.b64encode(b"\x04\0\0\0\0\0\0\0").decode(),
    "leads back to itself": chain(1),
    "more than 4,194,304 keys": chain(40),
    "not UTF-8": base64.b64encode(base64.b64decode(charsmap({"a": "b"})) + b"\xff").decode(),
}


@pytest.mark.parametrize("message", DAMAGED)
def test_damaged_character_maps(message):
    with pytest.raises(wordsplit.VocabFormatError, match=message):
        steps_of({"type": "Precompiled", "precompiled_charsmap": DAMAGED[message]})
    with pytest.raises(wordsplit.VocabFormatError, match=message):
        normalizer_of([wordsplit.Normalize("precompiled", content=DAMAGED[message])], "test")


def test_no_damage_leads_out_of_the_tables():
    whole = bytearray(base64.b64decode(charsmap(MAPS["letters"])))
    rng = random.Random(5)
    refused = 0
    for _ in range(by_depth(300, 1000, 50_000)):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            data[rng.choice([rng.randrange(4, 2100), rng.randrange(len(data))])] = rng.randrange(256)
        try:
            step = steps_of({"type": "Precompiled", "precompiled_charsmap": base64.b64encode(data).decode()})
        except wordsplit.VocabFormatError:
            refused += 1
            continue
        normalize = normalizer_of(step, "test")
        for text in ("aéxZ", "ﬁ㎏İ\u200b", "".join(map(chr, range(1, 256)))):
            normalize(AlignedText(text))
    assert refused
