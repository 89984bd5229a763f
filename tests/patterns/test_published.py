"""Published patterns as automata: the spans of tokenizers or tiktoken, and tables that are small."""

import gzip
import itertools
import json
import random
import time
import timeit
from functools import partial

import pytest
from automata import compiled, ends_of, representatives
from depth import by_depth
from oracles import SHARED, step_splitter, tiktoken_splitter
from patterns.published import PUBLISHED

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.patterns.schemes import SCHEMES

ALL = {**{f"scheme {name}": steps for name, steps in SCHEMES.items()}, **PUBLISHED}
TEXTS = [
    "It's 2024, she'LL pay 1234567.89 (or 12,345)!\r\n\r\n\tdef f(x):  # \u4f60\u597d\u3001\u4e16\u754c \u3053\u3093",
    (
        "Zu\u0308rich's caf\u00e9 \u0645\u0631\u062d\u0628\u0627 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35"
        " HTTPServer \ud55c\uad6d\uc5b4\u2026  \n  x//y\n/"
    ),
    "<sentinel:12>IMGIMGABCZ 1 12 123 1234 12345 123456a 7\u0663\u0664 \u2167\u00bd  \u00a0\u3000\u2581a",
]


def texts(steps, rng, count):
    chars = representatives([compiled_or_none(step) for step in steps if compiled_or_none(step)])
    yield from TEXTS
    for length in range(1, by_depth(2, 3, 5) + 1):
        step = 1 + len(chars) ** length // by_depth(50, 5_000, 2_000_000)  # all, or so many of them
        yield from map("".join, itertools.islice(itertools.product(chars, repeat=length), 0, None, step))
    for _ in range(count):
        some = rng.choices([*chars, *"a1 \n"], k=rng.randint(1, 6))
        yield "".join(rng.choice(some) * rng.choice((1, 1, 1, 2, 7)) for _ in range(rng.randint(1, 12)))


def compiled_or_none(step):
    return None if step.literal else compiled(step.pattern, step.dialect)


def compare(name, every, specified):
    """Compare the spans of texts with the oracle's, and one text of so many with the specification's, too."""
    steps = ALL[name]
    vocab = wordsplit.Vocab(name=name, tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=steps)
    spanner = wordsplit.spanners.get("compiled")(vocab)
    tiktoken_reads = in_tiktoken(name)
    theirs = tiktoken_splitter([step.pattern for step in steps]) if tiktoken_reads else step_splitter(steps)
    while batch := list(itertools.islice(every, 500)):
        for number, (text, expected) in enumerate(zip(batch, theirs(batch), strict=True)):
            data = text.encode()
            ends = spanner.ends(data) if number % specified else ends_of(spanner, data)
            spans = [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]
            assert [span.decode() if tiktoken_reads else to_byte_level(span) for span in spans] == expected, ascii(text)


def in_tiktoken(name):
    """Whether tiktoken is the oracle. Every part of a text is a token of it there, so long texts take long."""
    return any(step.dialect == "tiktoken" for step in ALL[name])


@pytest.mark.parametrize("name", ALL)
def test_the_spans_are_those_of_the_oracle(name):
    count = by_depth(40, 500, 5000 if in_tiktoken(name) else 170_000)
    compare(name, texts(ALL[name], random.Random(name), count), by_depth(1, 1, 20))


@pytest.mark.full
@pytest.mark.parametrize("kind", ["en", "code", "multi"])
@pytest.mark.parametrize("name", ALL)
def test_corpora(name, kind):
    path = SHARED / "corpora" / f"{kind}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no {path.name}")
    size, count = (60, by_depth(1, 50, 500)) if in_tiktoken(name) else (3000, by_depth(1, 4, 1000))
    with gzip.open(path) as lines:
        documents = [json.loads(line)["text"] for line in itertools.islice(lines, count)]
    compare(name, (document[len(document) // 3 :][:size] for document in documents), by_depth(1, 5, 100))


def test_tables_are_small_and_quickly_made():
    for name, steps in ALL.items():
        for step in steps:
            if step.literal:
                continue
            automaton = compiled(step.pattern, step.dialect)
            spans = getattr(automaton, "spans", automaton)
            states = len(spans.next) // (spans.classes + 1)
            assert spans.classes <= 25, name
            assert states <= (25 if "512" not in step.pattern else 600), name
            # One of three, since a collection of all the garbage of a long test run may fall into another.
            again = partial(compiled, step.pattern, step.dialect)
            assert any(timeit.timeit(again, timer=time.process_time, number=1) < 0.25 for _ in range(3)), name
