"""Steps on automata: behaviors, several steps, and texts on which a backtracking matcher takes long."""

import random
import time

import pytest
from automata import compiled, ends_of
from depth import by_depth
from oracles import step_splitter

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.patterns.compiled import compiled_matcher
from wordsplit.patterns.steps import Steps
from wordsplit.patterns.walk import Walker
from wordsplit.rules import Split

BEHAVIORS = ["isolated", "merged_with_previous", "merged_with_next", "contiguous"]
PATTERNS = [r"\s", r"\d+", "a|ab", "b*", r"(?=\d)", r"\b", "a(?=b+1)", "[^a]"]


def spans(steps, text):
    vocab = wordsplit.Vocab(name="steps", tokens={0: b"a"}, pre_tokenizer=steps)
    data = text.encode()
    ends = ends_of(wordsplit.spanners.get("compiled")(vocab), data)
    return [to_byte_level(data[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def compare(steps, rng, count):
    texts = ["".join(rng.choices("aab1 \u4e2d", k=rng.randint(1, 12))) for _ in range(count)]
    for text, expected in zip(texts, step_splitter(steps)(texts), strict=True):
        assert spans(steps, text) == expected, (steps, text)


@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize("invert", [False, True])
def test_behaviors(behavior, invert):
    rng = random.Random(behavior)
    for pattern in PATTERNS:
        compare([Split(pattern, behavior=behavior, invert=invert)], rng, by_depth(20, 250, 5000))
    for literal in (" ", "ab", ".", "a1"):
        compare([Split(literal, behavior=behavior, invert=invert, literal=True)], rng, by_depth(20, 250, 5000))


def test_several_steps():
    rng = random.Random(0)
    for _ in range(by_depth(20, 250, 5000)):
        steps = [
            Split(rng.choice(PATTERNS), behavior=rng.choice(BEHAVIORS), invert=rng.random() < 0.2)
            for _ in range(rng.randint(2, 4))
        ]
        byte_level = rng.choice([0, 0, 1])
        steps += [Split(rng.choice(["[0-9]", "\u00b8|a", r"\W"]), byte_level=True)] * byte_level
        compare(steps, rng, 10)


def removing_pieces(text, steps):
    """The pieces of steps that may remove text and add spaces."""
    pieces = Steps(steps, "steps", compiled_matcher).rewrite(text.encode())
    return [to_byte_level(piece) for piece in pieces]


def test_steps_that_remove_text():
    rng = random.Random(0)
    for _ in range(by_depth(40, 500, 10_000)):
        behaviors = ["removed", *rng.choices(BEHAVIORS, k=rng.randint(0, 2))]
        rng.shuffle(behaviors)
        steps = [Split(rng.choice(PATTERNS), behavior=how, invert=rng.random() < 0.3) for how in behaviors]
        texts = ["".join(rng.choices("aab1 \u4e2d", k=rng.randint(1, 12))) for _ in range(10)]
        for text, expected in zip(texts, step_splitter(steps)(texts), strict=True):
            assert removing_pieces(text, steps) == expected, (steps, text)


def test_bytes_that_are_not_utf8_are_as_in_the_regex_spanner():
    rng = random.Random(0)
    for steps in (
        [Split(r"\p{L}+|\s")],
        [Split(r"[^\s]+")],
        [Split(r"\p{C}|\w")],
        [Split("a"), Split("\u00b8", byte_level=True)],
    ):
        vocab = wordsplit.Vocab(name="steps", tokens={0: b"a"}, pre_tokenizer=steps)
        ours, theirs = (wordsplit.spanners.get(name)(vocab) for name in ("compiled", "regex"))
        for _ in range(by_depth(50, 500, 10_000)):
            data = bytes(rng.choices(b"a \xff\x80\xe4\xb8\xad\xed\xa0", k=rng.randint(1, 12)))
            assert ends_of(ours, data) == list(theirs.ends(data)), data


@pytest.mark.parametrize("pattern", ["[\ue000-\U0010ffff]", r"[\x{d700}-\x{e000}]", r"[^\p{Cn}]", r"\p{Cn}|a(?=.{2})"])
def test_bytes_that_are_not_utf8_count_as_the_last_code_point(pattern):
    spanner = wordsplit.spanners.get("compiled")(
        wordsplit.Vocab(name="steps", tokens={0: b"a"}, pre_tokenizer=[Split(pattern)])
    )
    last = "\U0010ffff"
    for text in (f"a{last}b", f"{last}{last}aa{last}"):
        ends = ends_of(spanner, text.encode())
        shorter = [len(text.encode()[:end].replace(last.encode(), b"\x80")) for end in ends]
        assert ends_of(spanner, text.encode().replace(last.encode(), b"\x80")) == shorter


MILLION = by_depth(20_000, 100_000, 2_000_000)


@pytest.mark.parametrize(
    "pattern", ["a+b|a", "(a+)+b|a", "(?:a*?1)?a", "a(?=a*b)|a", "(?=.*b)a", r"a*$|[ab]", "(?:aa)*b|a|b"]
)
@pytest.mark.parametrize("text", ["a", "ab", "aab1"])
def test_time_is_linear(pattern, text):
    walker = Walker(compiled(pattern))
    text = text * (MILLION // len(text)) + "a" * 1000
    start = time.process_time()
    found = walker.matches(text)
    assert time.process_time() - start < by_depth(2, 5, 100)
    assert found[-1][1] == len(text)
