"""The tables of characters that are made in advance."""

import itertools
import random

import pytest
from depth import by_depth

from wordsplit.engine.word_tables import BREAK, made_in_advance, tables
from wordsplit.engine.words import replacements
from wordsplit.patterns.components import punctuation, whitespace_split
from wordsplit.rules import Normalize

SETTINGS = ("bert_clean_text", "bert_chinese_chars", "bert_strip_accents", "lowercase")
EVERY = [tuple(map(Normalize, itertools.compress(SETTINGS, chosen))) for chosen in itertools.product((1, 0), repeat=4)]
BERT = (whitespace_split(), punctuation("isolated"))


@pytest.mark.parametrize("normalizer", EVERY[: by_depth(1, 16, 16)], ids=lambda steps: "+".join(s.kind for s in steps))
def test_is_what_the_rules_give(normalizer):
    table = made_in_advance(normalizer, BERT)
    expected = replacements(normalizer, BERT, rare=False)
    for point in (*expected, *random.Random(1).sample(range(0x20000, 0x110000), 1000)):
        assert table.becomes(chr(point)) == expected.get(point), hex(point)


@pytest.mark.parametrize("normalizer", EVERY)
def test_has_every_setting(normalizer):
    assert made_in_advance(normalizer, BERT).becomes("!") == BREAK + b"!" + BREAK


def test_of_other_rules_is_none():
    assert made_in_advance((Normalize("nmt"),), BERT) is None
    assert made_in_advance((Normalize("lowercase", "x"),), BERT) is None
    assert made_in_advance((), BERT[:1]) is None


def test_becomes():
    becomes = {0x41: b"a", 0x42: b"B", 0x2C: BREAK + b"," + BREAK, 0x7F: b"", 0xE9: None}
    one, other = tables([becomes, {0x41: b"x"}])
    assert [one.becomes(chr(point)) for point in becomes] == list(becomes.values())
    assert [one.becomes("C"), one.becomes("\u4e00"), other.becomes("A")] == [b"C", "\u4e00".encode(), b"x"]
    assert tables([becomes], outside=True)[0].becomes("\u4e00") is None
