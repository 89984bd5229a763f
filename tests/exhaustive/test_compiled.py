"""The automata of the patterns that have a hand-written scanner, against that scanner."""

import gzip
import itertools
import json
import random
from pathlib import Path

import pytest
from automata import compiled, ends_of, representatives
from depth import by_depth

import wordsplit
from wordsplit.patterns.schemes import TABLE

CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"
CASES = [(name, number) for name, row in TABLE.items() if row.scanner for number in range(1 + len(row.also))]


def pair(name, number):
    """The steps of a spelling of a scheme, and the compiled spanner and the scanner for them."""
    row = TABLE[name]
    steps = [row.steps, *row.also][number]
    vocab = wordsplit.Vocab(name=name, tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=steps)
    return steps, wordsplit.spanners.get("compiled")(vocab), wordsplit.spanners.get(row.scanner)(vocab)


def compare(ours, theirs, texts):
    for text in texts:
        data = text if isinstance(text, bytes) else text.encode()
        assert ends_of(ours, data) == list(theirs.ends(data)), text


@pytest.mark.parametrize(("name", "number"), CASES)
def test_every_short_string(name, number):
    steps, ours, theirs = pair(name, number)
    chars = representatives([compiled(step.pattern, step.dialect) for step in steps])
    for length in range(1, by_depth(2, 4, 5) + 1):
        compare(ours, theirs, map("".join, itertools.product(chars, repeat=length)))


@pytest.mark.parametrize(("name", "number"), CASES)
def test_random_strings(name, number):
    steps, ours, theirs = pair(name, number)
    chars = representatives([compiled(step.pattern, step.dialect) for step in steps])
    rng = random.Random(f"{name} {number}")
    for _ in range(by_depth(60, 500, 20_000)):
        some = rng.choices([*chars, "a", " ", "\n", "\u4e2d", "\U0010ffff"], k=rng.randint(1, 9))
        text = "".join(rng.choice(some) * rng.choice((1, 1, 1, 2, 40)) for _ in range(rng.randint(1, 40)))
        # Bytes that are not UTF-8, too.
        compare(ours, theirs, [text, text.encode()[: rng.randint(1, 60)] + b"\xff" + text.encode()])


@pytest.mark.parametrize("kind", ["en", "code", "multi"])
@pytest.mark.parametrize(("name", "number"), CASES)
def test_corpora(name, number, kind):
    path = CORPORA / f"{kind}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no {path.name}")
    _, ours, theirs = pair(name, number)
    with gzip.open(path) as lines:
        texts = [json.loads(line)["text"][:20_000] for line in itertools.islice(lines, by_depth(1, 10, 1000))]
    compare(ours, theirs, [text[: by_depth(2000, 20_000, 20_000)] for text in texts])
