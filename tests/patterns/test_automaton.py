"""Patterns as automata: the matches of the library of each dialect, tables that are small and well formed, refusals."""

import itertools
import random
import time

import pytest
from automata import compare, compiled, texts_for
from depth import by_depth
from oracles import pattern_oracle
from random_patterns import Generator, SpanGenerator

import wordsplit
from wordsplit.patterns.limits import NotCompilableError

DIALECTS = ["tokenizers", "tiktoken"]


def compared(generator, dialect, count, texts):
    """How many of so many random patterns are compiled, each compared with the oracle."""
    done = 0
    for _ in range(count):
        pattern = generator.pattern()
        try:
            automaton = compiled(pattern, dialect)
        except (wordsplit.UnsupportedVocabError, NotCompilableError):
            continue
        if pattern_oracle(pattern, dialect) is None:
            continue
        compare(pattern, dialect, list(texts_for(automaton, generator.rng, texts)))
        done += 1
    return done


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("part", range(by_depth(1, 4, 40)))
def test_random_patterns_that_split_text(dialect, part):
    count = by_depth(60, 150, 1000)
    generator = SpanGenerator(random.Random(f"split {dialect} {part}"), dialect)
    assert compared(generator, dialect, count, by_depth(15, 30, 30)) > count / 3


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("part", range(by_depth(1, 4, 40)))
def test_random_patterns_of_any_kind(dialect, part):
    count = by_depth(40, 150, 1000)
    generator = Generator(random.Random(f"any {dialect} {part}"), dialect)
    assert compared(generator, dialect, count, by_depth(15, 30, 30)) > count / 2


CONSTRUCTS = [
    # Loops of what may be empty.
    *(
        "(a*)*",
        "(a*)*b",
        "(a|b*)*",
        "(?:a?b?)*1",
        "(?:a*b*)+ ",
        "(?:(?:a|b)*1?)*",
        "(?:a{0,2}){2,3}b",
        r"(?:a?\b)*",
        r"(?:a?(?!b)1?)*b",
        "(?:a?(?=b+1)b?)*",
    ),
    # Atomic groups and possessive repeats.
    *("(?>ab|a)b", "(?>abc|ab|a)(?>bc|b)?c", "(?>a|ab)b", "(?:(?>ab|a))*b", "(?>a*?)b"),
    *(
        "a++a",
        "a*+b",
        "a?+a",
        "(?>a{1,3})a",
        "(?>(?:ab)+)",
        "(?:ab)++",
        "(?>[ab]+)b",
        "[ab]?+a",
        "(?>(?>a|ab)b|a)b",
        r"\R+",
    ),
    # Anchors and look-around of one character, also of other look-around.
    *("^a", "a$", r"\Aa+\z", r"\ba+\b", r"\Ba", r"a\B", "(?<=a)b", "(?<!a)b+", "a+(?!b)", r"\s+(?!\S)", "(?<=^)a"),
    *("(?=a|b)[ab1]+", "(?=(?=a)[ab])[a1]b", "(?<=b|(?<=a))1", "(?=$)|a", "(?!^)a", "(?<![ab]|1) ", r"(?<=\b)a"),
    # Look-ahead of several characters.
    *(
        "a+(?=b1)",
        "a(?!b+1)",
        "(?!ab)[ab]+",
        "(?!abb1)[ab1]+",
        "(?=a+b)a",
        r"\d{1,3}(?=(?:\d{3})*\b)",
        r"(?=(\d{3})+(?!\d))",
    ),
    *(
        "a(?=(?:b(?=1 )|b(?!1)1)a)",
        "a(?=.*b)",
        "(?!.*b)a",
        "(?=(?:aa)*$)a",
        "(?:(?=a+b)a|b(?=1+a)|1)+",
        r"a(?=b1\b)|b(?!1$)",
    ),
    *("(?!abb1)a(?:ba1|)", "a(?=b(?!11)[1 ]a|b(?=1 )1)", "a(?!b(?!1a)(?=1+b)1)", "(?=.*1)(?!.*b )a"),
    # Priority.
    *("a|ab", "(?:a|ab)(?:1|b1)?", "a*?b", "a{1,3}?b", "a??b", "(?:a+?|b)+?1", "ab|a|b", "|a", "a||b", "(?:a|b)*?1"),
]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_constructs_on_every_short_text(dialect):
    texts = ["".join(chars) for n in range(1, by_depth(5, 6, 8)) for chars in itertools.product("ab1 ", repeat=n)]
    texts = [*texts[:: by_depth(2, 1, 1)], "a\nb", "\na", "a\n", "a\r\nb\r\r\n\n", "1234567 1234", "aabb1\naab1"]
    for pattern in CONSTRUCTS:
        if pattern_oracle(pattern, dialect) is not None:
            compare(pattern, dialect, texts[:: 1 if dialect == "tokenizers" else 3])


REFUSED = {
    r"(a)\1": "a back reference",
    "(?:a??)*b": "an endless repeat of an item that prefers to be empty",
    "(?:|a)+b": "an endless repeat of an item that prefers to be empty",
    "(?:(?>a*b?))*": "an endless repeat of an item that may be empty, and has an atomic group",
    "(?:a?(?=(?:(?=a+1)b?)*1))": "an endless repeat of an item that may be empty, and has a look-ahead",
    "(?<=ab)c": "a look-behind of several characters",
    "a\ud800": "at character 1: a lone surrogate",
    "(?)a)": "at character 0: '(?)'",
    "(?<=a++)b": "an atomic group or a possessive repeat within a look-behind",
    r"(?<=\b\w*)a": "an assertion beside a repeat of no fixed count within a look-behind",
    "(?>a*b|a)a": "an atomic group or a possessive repeat that is decided only by text after the end of a match",
    "(?>ab1|a)(?:b11|)": "an atomic group or a possessive repeat that is decided only by text after the end of a match",
    "a(?=(?>b|bcc)d)": "an atomic group or a possessive repeat within a look-ahead of several characters",
    "(?:(?:a{1,1000}){1,1000}){1,1000}": "more than 200000 items, each repeated by its counts",
    "(?:a|b)*a(?:a|b){14}": "more than 4096 states",
    "(?:a|b)*a(?:a|b){1000}": "too many states for an automaton",
    "".join(f"{chr(0x4E00 + i)}{chr(0x9000 - i)}?" for i in range(200)): "more than 254 character classes",
    "|".join(map(chr, range(0x4E00, 0x6E00))): "more than 2048 different sets of characters",
}


SLOW = ["(?:a|b)*a(?:a|b){14}", "(?:a|b)*a(?:a|b){1000}"]  # a second of work, until the limit


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(pattern, marks=pytest.mark.full if pattern in SLOW else (), id=why)
        for pattern, why in REFUSED.items()
    ],
)
def test_refusals_name_the_construct_and_come_soon(pattern):
    vocab = wordsplit.Vocab(name="refused", tokens={0: b"a"}, pre_tokenizer=[wordsplit.Split(pattern)])
    start = time.process_time()
    with pytest.raises(wordsplit.UnsupportedVocabError) as caught:
        wordsplit.spanners.get("compiled")(vocab)
    assert time.process_time() - start < 10
    assert REFUSED[pattern] in str(caught.value)
    assert repr(pattern[:200])[:-1] in str(caught.value)


HOSTILE = {
    "(a+)+b": 4,
    "(?:a*)*b": 3,
    "(?:a|a)*b": 4,
    "(?=a|ab|abc)" * 50 + "abc": 5,
    "(?=a" * 25 + ")" * 25 + "a": 3,
    "(?>a|ab)" * 300: 302,
    "a{1,4000}": 4002,
    "[" + "".join(map(chr, range(0x4E00, 0x9E00, 2))) + "]+": 3,
    "|".join(f"w{number}" for number in range(by_depth(2000, 10_000, 10_000))): 8,
}


@pytest.mark.parametrize("pattern", HOSTILE, ids=lambda pattern: ascii(pattern[:20]))
def test_hostile_patterns_have_small_tables(pattern):
    start = time.process_time()
    automaton = compiled(pattern)
    assert time.process_time() - start < 10
    spans = getattr(automaton, "spans", automaton)
    assert len(spans.next) // (spans.classes + 1) <= HOSTILE[pattern]


def test_tables_are_well_formed_and_minimal():
    generator = SpanGenerator(random.Random(0), "tokenizers")
    done = 0
    for _ in range(by_depth(100, 500, 5000)):
        try:
            automaton = compiled(generator.pattern())
        except (wordsplit.UnsupportedVocabError, NotCompilableError):
            continue
        done += 1
        if hasattr(automaton, "spans"):
            assert len(automaton.back) == len(automaton.symbol)
            assert len(automaton.back) % automaton.classes == 0
            assert max(automaton.back) < len(automaton.back) // automaton.classes
            assert set(automaton.symbol) == set(range(automaton.spans.classes))
            check_ranges(automaton)
            automaton = automaton.spans
        width = automaton.classes + 1
        rows = [tuple(automaton.next[at : at + width]) for at in range(0, len(automaton.next), width)]
        assert len(automaton.next) == len(rows) * width
        assert rows[0] == (0,) * width
        assert len(set(rows)) == len(rows)
        assert max(map(max, rows)) // 2 < len(rows) > max(automaton.starts)
        assert all(entry < 2 for entry in (row[-1] for row in rows))
        assert len(automaton.starts) == width
        columns = list(zip(automaton.starts, *rows, strict=True))
        assert len(set(columns[:-1])) == automaton.classes
        check_ranges(automaton)
    assert done > 20


def check_ranges(automaton):
    first, label = list(automaton.first), automaton.label
    assert first[0] == 0
    assert first == sorted(set(first))
    assert first[-1] < 0x110000
    assert len(label) == len(first)
    assert set(label) == set(range(automaton.classes))
    assert all(one != other for one, other in itertools.pairwise(label))
