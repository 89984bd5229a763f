"""Patterns in both regex dialects: the matches of `tokenizers` and of `tiktoken`, or a refusal by name."""

import base64
import itertools
import json
import random
import re
import time

import pytest
import tiktoken
from depth import by_depth
from oracles import BYTES, pattern_oracle
from random_patterns import CHARS, Generator
from tokenizers import Regex, pre_tokenizers

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.compat import tiktoken as compat
from wordsplit.patterns.coverage import matches_every_character
from wordsplit.patterns.dialects import from_tokenizers, to_tokenizers
from wordsplit.patterns.package import finder
from wordsplit.patterns.schemes import SCHEMES, TABLE
from wordsplit.patterns.substitutes import classes_in, literals_in, with_substitutes
from wordsplit.patterns.syntax import parse
from wordsplit.patterns.syntax.characters import flags
from wordsplit.rules import Split
from wordsplit.testing import representatives

TEXTS = [
    "ab 12\n\nab\r\n",
    "\xdfss ss SSs",
    "a\xe9\u4f60\u017f\u212a\u0130i\u0307\u0131I",
    "fi \ufb01 ffi \ufb03 \ufb00i st \ufb06 s\xdf",
    "x\u200dy\u200cz \u0378\u1c89\U00011de0",
    "a&b&&c[x]-aBc",
    "aA1_\xb2\xbd\u2177\u0663",
    "\x85\u2028\x0b\x0c\r\n\r",
    "pLpl hH 0aFg",
    "~!+<=$ ^`|",
    "\u0301e\u0301\u03b1\u0391\u0e01",
    "abab aab'",
]
POSIX = [
    "alnum",
    "alpha",
    "ascii",
    "blank",
    "cntrl",
    "digit",
    "graph",
    "lower",
    "print",
    "punct",
    "space",
    "upper",
    "word",
    "xdigit",
]
# What the `regex` package read otherwise than one of the two, and what is near it.
CONSTRUCTS = [
    *(r"\h", r"\H", r"[\h]", r"\N", r"\O", r"\R", r"\Z", r"a\Z", r"\n\Z", r"\A.", r".\z", r"\pL+", r"[\pL]"),
    *(r"^", r"$", r".$", r"^.", r"\n^", r"\n$", r"(?m).", r"(?m)^", r"(?m)$", r"\n(?m)^", r"(?m)\n$", r"(?m)^."),
    *(r"\d{2}?", r"\d{1,2}?", r"\d{1,2}+", r"\d{1,2}+2", r"a{,2}", r"a{,}", r"a{2}{3}", r"a*+b", r"{a}"),
    *(r"(?i)ss", r"(?i)s(?:s)", r"(?i)[s]s", r"(?i)s{2}", r"(?i:s)s", r"(?i)ffi", r"(?i)st+", r"(?i)ß"),
    *("(?i)s\xdf", r"(?i)İ", r"(?i)i", r"(?i)k", r"(?i)[ß]", r"(?i)[^ß]", r"(?i)[\p{Ll}]", r"(?i)[^\P{Lu}]"),
    *(r"(?i)\p{Ll}", r"(?i)\p{Lu}", r"(?i)[[:alpha:]]", r"(?i)[a-z]\u0307", r"a(?i)b|c", r"(?:a(?i)b|c)|d"),
    *(r"(a(?i)b)c", r"(?:a(?i)b)c", r"(?i:a(?-i)b)c", r"(?=a(?i)b).", r"(?x) a b # c", r"(?x)[a b]", r"(?#c)a"),
    *(r"[&&a]", r"[a&&]", r"[^&&a]", r"[a-z&&b]", r"[a-z&&[^b]&&\w]", r"[]a]", r"[^]a]", r"[a-]", r"[-a]", r"[a[bc]]"),
    *(rf"[[:{name}:]]" for name in POSIX),
    *(rf"[[:^{name}:]]" for name in POSIX),
    *(rf"\p{{{name}}}" for name in POSIX if name != "xdigit"),
    *(r"\p{Letter}", r"\p{Uppercase_Letter}", r"\p{ lower-case letter}", r"\p{Han}", r"\p{Hani}", r"\p{Greek}"),
    *(r"\p{^L}", r"\P{^L}", r"\p{Alphabetic}", r"\p{Any}", r"\p{Assigned}", r"\P{LC}", r"[^\p{S}\P{S}]", r"\p{Emoji}"),
    *(r"\w", r"\W", r"[\w]", r"[^\w]", r"\b.", r"\B.", r"(?<=\b)a", r"(?<!a)b", r"(?<=a+)b", r"(?<!\n)."),
    *(r"(a|b)\1", r"(?:(a)|b)*\1", r"(?>a|ab)b", r"(?:a|)*b", r"(?<name>a)b", r"\x41", r"\x{e9}"),
    *(r"\u00e9", r"\'", r"\<a", r"b\>", r"[\b]", r"\a\e\f\t\v", "[\n\x85\u2028]", r"(?!)", r"(?=a)", r"()a", "a||b"),
]
ONIGURUMA_ONLY = [r"(?:|a)+b", r"a**", r"\d{2}??", r"a+*?", r"b{2,1}", r"\i", r"[\8]", r"\p", r"a+??", r"a{1,2}{2}"]
RUST_ONLY = [
    *(r"[\p{L}--\p{Lu}]", r"[a-c~~b-d]", r"[a-z--b--c&&d]", r"(?s).", r"(?U)a+", r"(?U)a+?", r"\pN", r"[\pN]"),
    *(
        r"\p{Script=Han}",
        r"\p{sc=Grek}",
        r"\p{gc=Lu}",
        r"\p{gc:L}",
        r"\p{IsGreek}",
        r"\xe9",
        r"\b{start}a",
        r"\b{end}.",
    ),
    *(
        r"\b{start-half}.",
        r".\b{end-half}",
        r"\U00000041",
        r"^*a",
        r"\b+a",
        r"a*?+b",
        r"(?P<x>a)b",
        r"(?:a*?){1}+b",
        r"(?iu)\é",
    ),
]
REFUSED = {
    "tokenizers": {
        r"(?R)": "(?R",
        r"(?<=\b\p{L}*)a": "an assertion beside a repeat",
        r"\X": r"\X",
        r"\K": r"\K",
        r"\G": r"\G",
        r"\y": r"\y",
        r"(a)\g<1>": r"\g",
        r"(?~a)": "(?~",
        r"(?(1)a|b)": "(?(",
        r"(*FAIL)": "(*",
        r"(?s).": "(?s",
        r"\p{Script=Han}": "Script=Han",
        r"\p{Nonsense}": "Nonsense",
        r"[\w-a]": "range",
        r"\xe9": "byte",
        r"(?i)(a)\1": "back reference",
        r"(?<=a++)b": "look-behind",
        r"(a": "without ')'",
        r"a)": "without a group",
        r"[a": "without ']'",
        r"*a": "a repeat of nothing",
        r"\b*": "assertion",
        r"a{100001}": "100000",
        r"(?:^k?){3}": "two or more times",
        r"b(?:(?:a?\b)*|1){2,}": "two or more times",
    },
    "tiktoken": {
        r"(?R)": "(?R",
        r"(?R:.)": "(?R",
        r"\X": r"\X",
        r"\K": r"\K",
        r"\G": r"\G",
        r"(a)\g<1>": r"\g",
        r"(?P>x)": "(?P",
        r"(?~a)": "(?~",
        r"(?(1)a|b)": "(?(",
        r"(*FAIL)": "(*",
        r"\p{scx=Han}": "scx=Han",
        r"[\P{alnum}]": "alnum",
        r"(?=a)*": "repeat",
        r"(?i)(a)\1": "back reference",
        r"(?<=a++)b": "look-behind",
        r"(a": "without ')'",
        r"a)": "without a group",
        r"[a": "without ']'",
        r"a**": "a repeat of nothing",
        r"\d{100001}": "100000",
    },
}
DIALECTS = list(REFUSED)


class Ours:
    def __init__(self, pattern, dialect):
        split = Split(pattern, dialect=dialect)
        self.tiktoken = dialect == "tiktoken"
        self.find = finder(split, "vocab", "pattern")
        self.named = classes_in(split), literals_in(split)

    def matches(self, text):
        """The same; ``None`` where a match is empty, for which `tiktoken` fails."""
        found = self.find(with_substitutes(text, *self.named))
        if self.tiktoken:
            spans = [(start, end) for start, end, is_match in found if is_match]
            return None if any(start == end for start, end in spans) else [text[a:b] for a, b in spans]
        pieces = [(text[a:b], (a, b), is_match) for a, b, is_match in found if a < b]
        return [[piece[:2] for piece in pieces if not piece[2]], [piece[:2] for piece in pieces]]


def compare(pattern, dialect, texts):
    """Whether the pattern is supported; its matches must be the oracle's."""
    try:
        ours = Ours(pattern, dialect)
    except wordsplit.UnsupportedVocabError as error:
        assert "pattern" in str(error)
        return False
    oracle = pattern_oracle(pattern, dialect)
    if oracle is None:
        return False
    for text in texts:
        found = ours.matches(text)
        if found is not None:
            assert found == oracle.matches(text), (dialect, pattern, ascii(text))
    return True


@pytest.mark.parametrize("dialect", DIALECTS)
def test_constructs(dialect):
    others = {"tokenizers": ONIGURUMA_ONLY, "tiktoken": RUST_ONLY}[dialect]
    for pattern in [*CONSTRUCTS, *others]:
        assert compare(pattern, dialect, TEXTS), pattern


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_each_escape_means(dialect):
    supported = [
        pattern
        for char in map(chr, range(33, 127))
        for pattern in (f"\\{char}", f"[\\{char}]", f"\\{char}x")
        if compare(pattern, dialect, [*TEXTS, f"x{char}xx"])
    ]
    assert len(supported) > 140


@pytest.mark.parametrize(("dialect", "pattern"), [(d, p) for d in DIALECTS for p in REFUSED[d]])
def test_refusals_name_the_construct(dialect, pattern):
    vocab = wordsplit.Vocab(
        name="refused", tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=[Split(pattern, dialect=dialect)]
    )
    with pytest.raises(wordsplit.UnsupportedVocabError, match=re.escape(REFUSED[dialect][pattern])) as caught:
        wordsplit.load_tokenizer(vocab)
    assert repr(pattern) in str(caught.value)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "unit", ["(", "(?:", "[", "[^a", "(?i)", "a*", "(?=", "a|", "\\(", "a{1}", "&&"][:: by_depth(4, 1, 1)]
)
def test_long_patterns_are_read_in_linear_time(dialect, unit):
    start = time.process_time()
    try:
        parse(unit * 20_000, dialect)
    except wordsplit.UnsupportedVocabError as error:
        assert len(str(error)) < 500
    assert time.process_time() - start < 3


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("part", range(by_depth(2, 8, 40)))
def test_random_patterns(dialect, part):
    generator = Generator(random.Random(f"{dialect} {part}"), dialect)
    count = by_depth(30, 90, 2500)
    supported = sum(compare(generator.pattern(), dialect, [generator.text() for _ in range(8)]) for _ in range(count))
    assert supported > 0.6 * count


@pytest.mark.parametrize("part", range(by_depth(1, 2, 10)))
def test_letters_that_one_character_stands_for(part):
    rng = random.Random(part)
    letters = [*"sSfFitlI\u017f\xdf\u1e9e\u0130\u0307\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06 "]
    for _ in range(by_depth(50, 300, 2000)):
        pattern = "(?i)" + "".join(rng.choices(letters, k=rng.randint(1, 4)))
        pattern += rng.choice(["", "", "+", "?", "{2}", "(?:s)", "[s]", "|ss", "(?i:s)"])
        assert compare(pattern, "tokenizers", ["".join(rng.choices(letters, k=8)) for _ in range(20)])


NAMES = [
    *[
        "L",
        "Ll",
        "Lm",
        "Lo",
        "Lt",
        "Lu",
        "M",
        "Mc",
        "Me",
        "Mn",
        "N",
        "Nd",
        "Nl",
        "No",
        "P",
        "Pc",
        "Pd",
        "Pe",
        "Pf",
        "Pi",
        "Po",
        "Ps",
        "S",
        "Sc",
        "Sk",
        "Sm",
        "So",
        "Z",
        "Zl",
        "Zp",
        "Zs",
        "C",
        "Cc",
        "Cf",
        "Cn",
        "Co",
        "LC",
    ],
    *["Any", "Assigned", "Alphabetic", "Lowercase", "Uppercase", "White_Space", "Emoji", "Emoji_Presentation"],
    *[
        "Extended_Pictographic",
        "Ideographic",
        "alnum",
        "alpha",
        "blank",
        "cntrl",
        "digit",
        "graph",
        "lower",
        "print",
        "punct",
        "space",
        "upper",
        "word",
    ],
    *[
        "Latin",
        "Greek",
        "Cyrillic",
        "Han",
        "Hiragana",
        "Katakana",
        "Hangul",
        "Thai",
        "Arabic",
        "Hebrew",
        "Devanagari",
        "Common",
        "Inherited",
        "Garay",
    ],
]
CLASSES = [
    *(rf"\p{{{name}}}" for name in NAMES),
    *(rf"[[:{name}:]]" for name in POSIX),
    *(r"\w", r"[\w]", r"\s", r"\d", r"\h", r"(?i)[\p{Lu}]", r"(?i)[a-z]", r"(?i)[^\p{Ll}]"),
]


@pytest.mark.full
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("pattern", CLASSES[:: by_depth(80, 20, 1)])
def test_members_of_classes(dialect, pattern):
    scalars = [cp for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]
    every = "".join(map(chr, scalars))
    tree = parse(pattern, dialect)
    # Of a set without regard to case, the alternatives to one character.
    members = getattr(tree, "members", None) or tree.branches[0].members
    inside = flags(members)
    ours = {chr(cp) for cp in scalars if inside[cp]}
    if dialect == "tiktoken":
        probe = tiktoken.Encoding("probe", pat_str=pattern, mergeable_ranks=BYTES, special_tokens={})
        theirs = set(bytes(probe.encode_ordinary(every)).decode())
    else:
        spaced = " ".join(every)  # apart, so that no character is one of several letters
        kept = pre_tokenizers.Split(Regex(pattern), "removed").pre_tokenize_str(spaced)
        outside = bytearray(len(spaced))
        for _, (start, end) in kept:
            outside[start:end] = b"\1" * (end - start)
        theirs = {char for at, char in zip(range(0, len(spaced), 2), every, strict=True) if not outside[at]}
    assert ours == theirs, sorted(map(ascii, ours ^ theirs))[:20]


def test_characters_that_the_package_classes_otherwise():
    """Named in the pattern, in its ranges, or compared with each other, they are not replaced."""
    newer = [char for char in CHARS if ord(char) in (0x1C89, 0x11DE0, 0x323B0, 0x378)] + ["\u200d", "\U00010d4f"]
    for dialect in DIALECTS:
        for pattern in [
            *(f"{char}|\\p{{L}}\\p{{L}}" for char in newer),
            *(f"[{char}\\w]\\W|\\p{{N}}+" for char in newer),
            "[\u3000-\U0003ffff]\\p{L}|.",
            r"(.)\1|\p{L}\P{L}",
            r"(\P{L})\1|\w+",
            r"[^\x00-\x7f]\p{Cn}|\p{L}",
        ]:
            rng = random.Random(pattern)
            assert compare(
                pattern, dialect, ["".join(rng.choices([*newer, "a", "1"], k=8)) for _ in range(by_depth(20, 60, 60))]
            )


@pytest.mark.parametrize("scheme", [name for name, row in TABLE.items() if row.scanner and len(row.steps) == 1])
def test_to_keep_the_matches_of_a_covering_pattern_is_to_isolate_them(scheme):
    for steps in (TABLE[scheme].steps, *TABLE[scheme].also):
        pattern = to_tokenizers(steps[0])
        isolated = pre_tokenizers.Split(Regex(pattern), "isolated")
        kept = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
        found = from_tokenizers(Split(pattern, behavior="removed", invert=True))
        assert (found.behavior, found.invert) == ("isolated", False)
        for chars in itertools.product(representatives(steps, literals=""), repeat=3):
            text = "".join(chars)
            assert isolated.pre_tokenize_str(text) == kept.pre_tokenize_str(text), ascii(text)


def test_a_split_that_keeps_matches_has_its_scanner():
    split = {"type": "Split", "pattern": {"Regex": SCHEMES["o200k"][0].pattern}, "behavior": "Removed", "invert": True}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    document = {
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, byte_level]},
        "decoder": byte_level,
        "model": {"type": "BPE", "vocab": {to_byte_level(bytes([b])): b for b in range(256)}, "merges": []},
    }
    tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(json.dumps(document).encode()))
    assert tok.options.spanner == "o200k"


def test_other_patterns_that_keep_matches_are_as_they_were():
    for pattern in (r"\p{L}+", r"\s"):
        split = Split(pattern, behavior="removed", invert=True)
        assert from_tokenizers(split) is split


def test_known_patterns_match_every_character_where_a_scanner_says_so():
    for name, row in TABLE.items():
        if len(row.steps) == 1:
            covers = matches_every_character(parse(row.steps[0].pattern, row.steps[0].dialect))
            assert covers or row.scanner is None, name
    assert not matches_every_character(parse(SCHEMES["bloom"][0].pattern, "tiktoken"))


@pytest.mark.parametrize(
    "pattern", [r"\p{L}+", r"\p{L}++|\s", SCHEMES["bloom"][0].pattern, r"a?+[ab]|[^ab]", r"\w+|\W"]
)
def test_a_tiktoken_file_drops_what_its_pattern_does_not_match(pattern):
    data = b"".join(base64.b64encode(bytes([b])) + b" %d\n" % b for b in range(256))
    loaded = wordsplit.load_vocab_bytes(data, format="tiktoken", pattern=pattern)
    theirs = tiktoken.Encoding("theirs", pat_str=pattern, mergeable_ranks=BYTES, special_tokens={})
    stand_in = compat.Encoding("ours", pat_str=pattern, mergeable_ranks=BYTES, special_tokens={})
    for text in ["ab 12, c (d)! \xe9\n", "", "12", "a", *TEXTS]:
        expected = theirs.encode_ordinary(text)
        assert wordsplit.load_tokenizer(loaded).encode(text) == expected, text
        assert stand_in.encode_ordinary(text) == expected, text
