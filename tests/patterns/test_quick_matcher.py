"""Patterns of one class of characters are matched by a table, as the regex package matches them."""

import random

import pytest

from wordsplit.patterns.components import digits, punctuation, whitespace_split
from wordsplit.patterns.package import package_matcher, quick_matcher
from wordsplit.rules import Split
from wordsplit.spanners.compiled import can_compile
from wordsplit.vocab import Vocab

CLASSES = [whitespace_split(), punctuation("isolated"), digits(individual=True), Split(r"[^\s\p{L}]"), Split("é")]
OTHERS = [Split(r"\s+"), Split("ab"), Split("a", literal=True), digits(individual=False), Split(r"a|b")]


@pytest.mark.parametrize("split", [*CLASSES, *OTHERS], ids=lambda split: split.pattern[:20])
def test_same_as_the_package(split):
    quick, package = quick_matcher(split, ""), package_matcher(split, "")
    rng = random.Random(1)
    texts = ["", "a", " ", "1!é ab", *("".join(map(chr, rng.choices(range(0xD800), k=50))) for _ in range(100))]
    for text in texts:
        assert quick.find(quick.seen(text)) == package.find(package.seen(text)), text


@pytest.mark.full
def test_every_character():
    text = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))
    for split in CLASSES[:3]:
        quick, package = quick_matcher(split, ""), package_matcher(split, "")
        assert quick.find(quick.seen(text)) == package.find(package.seen(text))


def test_steps_by_character_have_automata():
    pytest.importorskip("wordsplit._native")
    assert can_compile(Vocab(name="test", tokens={0: b"a"}, pre_tokenizer=CLASSES[:3]))
