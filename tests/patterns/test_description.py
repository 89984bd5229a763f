"""Patterns in English, and their branches."""

import random

import pytest
from depth import by_depth
from random_patterns import Generator

from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.branches import branches_of
from wordsplit.patterns.description import described
from wordsplit.patterns.limits import NotCompilableError
from wordsplit.patterns.lookahead import compile_any
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.patterns.syntax import parse
from wordsplit.patterns.walk import Walker

_CONTRACTIONS = '"\'s", "\'t", "\'re", "\'ve", "\'m", "\'ll" or "\'d", in any case'
_PREFIX = "an optional character other than CR, LF, letters or numbers"
_SYMBOLS = "one or more characters other than white space, letters or numbers"
_UPPER = "uppercase letters, titlecase letters, modifier letters, letters without case or marks"
_LOWER = "lowercase letters, modifier letters, letters without case or marks"
_KEPT = "(never given back)"
_INNER_SPACE = "one or more white-space characters, not followed by a character other than white space"


def descriptions(pattern, dialect="tokenizers"):
    return [described(branch.tree) for branch in branches_of(parse(pattern, dialect), pattern, dialect)]


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (
            "qwen2",
            [
                _CONTRACTIONS,
                f"{_PREFIX}, then one or more letters",
                "a number",
                f"an optional space, then {_SYMBOLS}, then any number of CR or LF",
                "any number of white-space characters, then one or more CR or LF",
                _INNER_SPACE,
                "one or more white-space characters",
            ],
        ),
        (
            "cl100k",
            [
                '"\'", then ("d", "m", "s", "t", "ll", "ve" or "re", in any case)',
                f"{_PREFIX} (never given back), then one or more letters (never given back)",
                "1 to 3 numbers (never given back)",
                f"an optional space, then {_SYMBOLS} {_KEPT}, then any number of CR or LF {_KEPT}",
                "one or more white-space characters (never given back), at the end of the text",
                "any number of white-space characters, then CR or LF",
                _INNER_SPACE,
                "a white-space character",
            ],
        ),
        (
            "o200k",
            [
                f"{_PREFIX}, then any number of {_UPPER}, then one or more {_LOWER}, then optionally ({_CONTRACTIONS})",
                f"{_PREFIX}, then one or more {_UPPER}, then any number of {_LOWER}, then optionally ({_CONTRACTIONS})",
                "1 to 3 numbers",
                f'an optional space, then {_SYMBOLS}, then any number of CR, LF or "/"',
                "any number of white-space characters, then one or more CR or LF",
                _INNER_SPACE,
                "one or more white-space characters",
            ],
        ),
    ],
)
def test_patterns_that_people_use(scheme, expected):
    (step,) = SCHEMES[scheme]
    assert descriptions(step.pattern, step.dialect) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("", ["nothing"]),
        ("ab c", ['"ab c"']),
        ('"', ["'\"'"]),
        (r"\n", ["LF"]),
        (r".", ["a character other than LF"]),
        (r"\w+?|\W", ["one or more word characters, as few as possible", "a character other than word characters"]),
        (r"[a-f]{2,}", ['2 or more "a" to "f"']),
        (r"[a-f]", ['one of "a" to "f"']),
        (r"x{0,4}y{3}", ['up to 4 "x", then exactly 3 "y"']),
        (r"(?i)k", ['"k", in any case']),
        (r"(?i:x)Y", ['"x", in any case, then "Y"']),
        (r"(?>a|b)", ['("a" or "b") (the first match only)']),
        (r"(a)\1", ['"a", then the text of group 1 again']),
        (r"^a$", ['at the start of a line, then "a", at the end of a line']),
        (r"\Aa\z", ['at the start of the text, then "a", at the end of the text']),
        (r"\ba\B", ['at a word boundary, then "a", not at a word boundary']),
        (r"(?<=a)b(?=\z)", ['preceded by "a", then "b", followed by the end of the text']),
        (r"(?!)", ["what never matches"]),
        (r"a(?:b|cd)", ['"a", then ("b" or "cd")']),
        (r"(?:ab|\d)+", ['one or more times (either "ab"; or a decimal digit)']),
        (r"[\p{L}&&[^\p{Han}]]", ["a letter, except Han characters"]),
        (r"[\p{L}\u0300]", ["U+0300 COMBINING GRAVE ACCENT or a letter"]),
    ],
)
def test_constructs(pattern, expected):
    assert descriptions(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("[|]|a(?:b|c)|", ["[|]", "a(?:b|c)", ""]),
        (r"\||\p{L}|x", [r"\|", r"\p{L}", "x"]),
        ("(?i)ab|cd", ["[Aa][Bb]", "[Cc][Dd]"]),  # the flag stands in the first part only
    ],
)
def test_branches(pattern, parts):
    found = branches_of(parse(pattern, "tokenizers"), pattern, "tokenizers")
    assert [branch.pattern for branch in found] == parts
    assert {branch.as_written for branch in found} == {"(?i)" not in pattern}


def test_branches_that_the_engine_lifts_a_letter_out_of():
    tree = parse(r"a\d|a\s", "tiktoken")
    assert [branch.pattern for branch in branches_of(tree, r"a\d|a\s", "tiktoken")] == [r"a\d|a\s"]


@pytest.mark.parametrize("dialect", ["tokenizers", "tiktoken"])
def test_the_first_branch_that_matches_gives_the_match(dialect):
    rng = random.Random(f"branches {dialect}")
    generator = Generator(rng, dialect)
    seen = 0
    for _ in range(by_depth(80, 1000, 100_000)):
        pattern = generator.pattern()
        try:
            tree = parse(pattern, dialect)
        except UnsupportedVocabError:
            continue
        branches = branches_of(tree, pattern, dialect)
        assert all(described(branch.tree) for branch in branches)
        try:
            whole, *parts = (Walker(compile_any(each)) for each in [tree, *(branch.tree for branch in branches)])
        except NotCompilableError:
            continue
        text = generator.text()
        ends = zip(*(part.ends(text) for part in parts), strict=True)
        assert whole.ends(text) == [next((end for end in each if end >= 0), -1) for each in ends], pattern
        seen += len(branches) > 1
    assert seen > by_depth(10, 150, 10_000)
