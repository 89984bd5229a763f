"""Every scalar value: the pinned classes, and NFC and NFKC, against the engines themselves."""

import random
import unicodedata
from functools import cache

import pytest
import tiktoken
from depth import by_depth
from tokenizers import Regex, normalizers, pre_tokenizers

from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.normalization import normalizer_of
from wordsplit.patterns import components
from wordsplit.patterns.package import package_matcher
from wordsplit.patterns.steps import Steps
from wordsplit.patterns.substitutes import substitutes
from wordsplit.rules import Normalize
from wordsplit.unicode import belongs, members
from wordsplit.unicode.nfc import FORMS

SCALARS = [cp for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]
# For checks that take a call a scalar: all of them; in quick runs the first 13,312 and every 61st of the rest.
EACH = [*SCALARS[:0x3400], *SCALARS[0x3400 :: by_depth(61, 1, 1)]]
CLASSES = ["L", "N", "M", "Lu", "Ll", "Lt", "Lm", "Lo", "s", "P", "S", "Nd", "Han"]


@cache
def every_scalar():
    return "".join(map(chr, SCALARS))


def spelled(name):
    return r"\s" if name == "s" else rf"\p{{{name}}}"


def in_tokenizers(name):
    out = {}
    start = 0
    pieces = pre_tokenizers.Split(Regex(spelled(name)), "removed").pre_tokenize_str(every_scalar())
    for _, (begin, end) in [*pieces, ("", (len(SCALARS), len(SCALARS)))]:
        out |= dict.fromkeys(SCALARS[start:begin], 1)
        start = end
    return out.keys()


def in_tiktoken(name):
    single = {bytes([b]): b for b in range(256)}
    probe = tiktoken.Encoding("probe", pat_str=spelled(name), mergeable_ranks=single, special_tokens={})
    return set(map(ord, bytes(probe.encode_ordinary(every_scalar())).decode()))


@pytest.mark.parametrize("name", CLASSES[:: by_depth(4, 1, 1)])
def test_class_of_every_scalar(name):
    ours = {cp for cp, flag in enumerate(members(name)) if flag and not 0xD800 <= cp < 0xE000}
    assert ours == in_tokenizers(name)
    assert ours == in_tiktoken(name)


@pytest.mark.parametrize("name", [*CLASSES, "w", "word", "Greek", "Lowercase", ("Cc", "Cf", "Co")])
def test_single_code_points_are_in_the_same_classes(name):
    names = [name] if isinstance(name, str) else name
    for cp in EACH[:: by_depth(7, 7, 1)]:
        assert belongs(name, cp) == any(members(each)[cp] for each in names)


def test_native_classes_are_the_same():
    native = pytest.importorskip("wordsplit._native")
    from wordsplit.unicode import class_runs

    for start, end, cls in class_runs():
        assert {native.class_of(cp) for cp in range(start, end)} == {cls}


@pytest.mark.full
def test_stand_ins_bring_the_regex_package_to_the_pinned_classes():
    import regex

    names = frozenset({"L", "N", "M", "Lu", "Ll", "Lt", "Lm", "Lo", "s"})
    differ, table = substitutes(names)
    assert {ord(char) for char in differ} == table.keys()
    seen = every_scalar().translate(table)
    for name in sorted(names):
        flags = members(name)
        theirs = regex.compile(spelled(name)).match
        wrong = [cp for cp, char in zip(SCALARS, seen, strict=True) if bool(theirs(char)) != bool(flags[cp])]
        assert not wrong, (name, [hex(cp) for cp in wrong[:10]])


def assert_same_lines(ours, theirs, texts):
    """Compare many texts in one call each, on lines of their own, which no form joins."""
    for at in range(0, len(texts), 1000):
        some = texts[at : at + 1000]
        found, expected = (function("\n".join(some)).split("\n") for function in (ours, theirs))
        assert len(found) == len(expected)
        assert found == expected, [
            (ascii(text), ascii(a), ascii(b)) for text, a, b in zip(some, found, expected, strict=False) if a != b
        ][:3]


def test_composed_forms_of_every_scalar(composed, engine):
    some = EACH[:: by_depth(1, 7, 1)] if engine == "python" else EACH
    # Alone, after a base and before marks, and between marks of a higher and a lower class.
    for pattern in ("{}", "a{}\u0301\u0323", "q\u0345{}\u0334"):
        assert_same_lines(*composed, [pattern.format(chr(cp)) for cp in some])


def test_composed_forms_of_random_mixtures(composed):
    composed, theirs = composed
    rng = random.Random(7)
    marks = [chr(cp) for cp in SCALARS if unicodedata.combining(chr(cp))]
    composites = [chr(cp) for cp in SCALARS if unicodedata.decomposition(chr(cp))]
    decomposed = [c for char in composites for c in unicodedata.normalize("NFD", char)]
    hangul = [chr(rng.randrange(a, b)) for a, b in ((0x1100, 0x1113), (0x1161, 0x1176), (0x11A7, 0x11C3)) * 30]
    hangul += [chr(rng.randrange(0xAC00, 0xD7A4)) for _ in range(60)]
    for _ in range(by_depth(8_000, 60_000, 60_000)):
        pools = (marks, composites, decomposed, hangul, "aeo\u00e9q ")
        text = "".join(rng.choice(rng.choice(pools)) for _ in range(rng.randrange(1, 12)))
        assert composed(text) == theirs(text), ascii(text)


@pytest.fixture(params=["nfc", "nfkc"])
def composed(request, engine):
    """A normalization form by ours and by `tokenizers`."""
    name, theirs = request.param, getattr(normalizers, request.param.upper())().normalize_str
    if engine == "python":
        return FORMS[name], theirs
    native = getattr(pytest.importorskip("wordsplit._native"), name)
    return lambda text: native(text.encode()).decode(), theirs


@pytest.mark.parametrize("name", ["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Strip"])
def test_every_scalar_is_normalized_as_tokenizers_does(name):
    kinds = ("lstrip", "rstrip") if name == "Strip" else (name.lower(),)
    ours, theirs = normalizer_of(list(map(Normalize, kinds)), "x"), getattr(normalizers, name)()
    if name == "Strip":  # looks at the ends of a text
        for cp in EACH:
            assert ours(AlignedText(chr(cp))).text == theirs.normalize_str(chr(cp)), hex(cp)
    else:
        assert_same_lines(lambda text: ours(AlignedText(text)).text, theirs.normalize_str, list(map(chr, EACH)))


@pytest.mark.parametrize(
    ("step", "theirs"),
    [
        (components.digits(individual=True), pre_tokenizers.Digits(individual_digits=True)),
        (components.punctuation("isolated"), pre_tokenizers.Punctuation("isolated")),
        (components.whitespace(), pre_tokenizers.Whitespace()),
        (components.whitespace_split(), pre_tokenizers.WhitespaceSplit()),
    ],
    ids=["digits", "punctuation", "whitespace", "whitespace split"],
)
def test_every_scalar_is_cut_as_tokenizers_does(step, theirs):
    steps = Steps([step], "x", package_matcher)
    for cp in EACH[:: by_depth(3, 3, 1)]:
        text = f"a{chr(cp)}-"
        assert [text[a:b] for a, b in steps.bounds(text)] == [each for each, _ in theirs.pre_tokenize_str(text)], hex(
            cp
        )
