"""The tables of characters that are made in advance."""

import itertools
import random

import pytest
from depth import by_depth

from wordsplit.engine import word_tables
from wordsplit.engine.word_tables import BREAK, SIGN, made_in_advance, tables
from wordsplit.engine.words import EVERY_PAGE, replacements
from wordsplit.patterns.components import punctuation, whitespace, whitespace_split
from wordsplit.rules import Normalize

SETTINGS = ("bert_clean_text", "bert_chinese_chars", "bert_strip_accents", "lowercase")
EVERY = [tuple(map(Normalize, itertools.compress(SETTINGS, chosen))) for chosen in itertools.product((1, 0), repeat=4)]
BERT = (whitespace_split(), punctuation("isolated"))
ACCENTS = tuple(map(Normalize, ("nfd", "lowercase", "strip_accents")))
RULES = [
    (EVERY[0], BERT),
    *((normalizer, (step,)) for step in (whitespace(), whitespace_split()) for normalizer in (ACCENTS, EVERY[0], ())),
    *((normalizer, BERT) for normalizer in EVERY[1:]),
]


@pytest.mark.parametrize("rules", RULES[: by_depth(2, 4, 22)], ids=lambda rules: "+".join(s.kind for s in rules[0]))
def test_is_what_the_rules_give(rules):
    table = made_in_advance(*rules)
    first, *others = EVERY_PAGE
    pages = [(at, at + 0x100) for start, end in others for at in range(start, end, 0x100)][:: by_depth(29, 3, 1)]
    expected = replacements(*rules, (first, *pages))
    same = [random.Random(page[0]).randrange(*page) for page in pages]
    for point in (*expected, *same):
        assert table.becomes(chr(point)) == expected.get(point), hex(point)


@pytest.mark.parametrize("normalizer", EVERY)
def test_has_every_setting(normalizer):
    assert made_in_advance(normalizer, BERT).becomes("!") == BREAK + b"!" + BREAK


def test_is_read_as_far_as_asked():
    every = [(normalizer, BERT) for normalizer in EVERY] + [(ACCENTS, (whitespace(),)), ((), (whitespace_split(),))]
    whole = [made_in_advance(*rules) for rules in every]
    for order in (every, every[::-1], random.Random(3).sample(every, len(every))):
        word_tables._file.cache_clear()
        found = {rules: made_in_advance(*rules) for rules in order}
        for rules, table in zip(every, whole, strict=True):
            points = random.Random(4).sample(range(0x3000), 500)
            assert [found[rules].becomes(chr(i)) for i in points] == [table.becomes(chr(i)) for i in points]
    word_tables._file.cache_clear()
    first = made_in_advance(*every[0])
    assert len(first.entries) < len(whole[-1].entries) / 3
    assert [first.becomes(chr(i)) for i in points] == [whole[0].becomes(chr(i)) for i in points]


def test_of_other_rules_is_none():
    assert made_in_advance((Normalize("nmt"),), BERT) is None
    assert made_in_advance((Normalize("lowercase", "x"),), BERT) is None
    assert made_in_advance((), BERT[1:]) is None


def test_becomes():
    becomes = {0x41: b"a", 0x42: b"B", 0x2C: BREAK + b"," + BREAK, 0x2D: SIGN + b"-", 0x7F: b"", 0xE9: None}
    one, other = tables([becomes, {0x41: b"x"}])
    assert [one.becomes(chr(point)) for point in becomes] == list(becomes.values())
    assert [one.becomes("C"), one.becomes("\u4e00"), other.becomes("A")] == [b"C", "\u4e00".encode(), b"x"]
    assert tables([becomes], outside=True)[0].becomes("\u4e00") is None
