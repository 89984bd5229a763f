"""Compiled patterns that backtracking matchers take long for, on texts made for them: time and memory.

    python benches/hostile_patterns.py [--megabytes 1 4 16] [--pattern "(a+)+b" ...]

A vocab of the 256 bytes has one of the patterns; a text is one letter, or all but a match again and again, or random.
``count_batch`` takes the whole text on one thread; a stream takes the first megabyte in chunks of 64 KB, if there are
cuts (without, it encodes all of the text again with every chunk). Both must give as many ids as the text has bytes.
Memory is what the process needed at most beyond what the patterns ``.`` and ``.+`` need for the same text. Every
pattern and text runs in a process of its own. Prints a table of the slowest text of each pattern.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import machine
from report import table

import wordsplit
from wordsplit.features.cuts import Cuts
from wordsplit.features.pattern_report import pattern_report

NEAR = "near a match"
PATTERNS = {
    "(a+)+b": "aaaaaaac",
    "(a|aa)+$": "aaaaaaab",
    "(.*)*x": "aaaa a\n",
    "(?=(a+)+b)a": "aaaaaaac",
    "a(?=.*b)|a": "aaaaaaaa\n",
    r"\d{1,3}(?=(?:\d{3})*\b)": "1234567a",
    "(?:a{20})*b|a": "a" * 19 + " ",
    "[a-z]{1,200}x|[a-z]": "abcdefgh",
    "a{100}b|a": "a" * 99 + " ",
    r"(?:\w+\s*)+!|\w": "abc de ",
    "|".join(f"w{number}x" for number in range(10_000)): "w1234 w99x9 ",
    "[" + "".join(map(chr, range(0x4E00, 0x9E00, 2))) + "]+x": "\u4e00\u4e02\u4e01",
}
LETTERS = "ab1 \nw\u4e00x"


def text_of(kind: str, pattern: str, size: int) -> str:
    """A text of about so many bytes."""
    near = PATTERNS[pattern]
    if kind == "one letter":
        unit = near[0]
    elif kind == NEAR:
        unit = near
    else:
        rng = random.Random(0)
        unit = "".join(rng.choices(LETTERS, k=100_000))
    return unit * (size // len(unit.encode()))


def measured(pattern: str, kind: str, sizes: list[int]) -> dict:
    """The figures of a pattern and a kind of text."""
    tokens = {b: bytes([b]) for b in range(256)}
    *harmless, vocab = (
        wordsplit.Vocab(name="hostile", tokens=tokens, pre_tokenizer=[wordsplit.Split(each)])
        for each in ("(?m).", "(?m).+", pattern)
    )
    start = time.perf_counter()
    tok = wordsplit.load_tokenizer(vocab, spanner="compiled")
    out: dict = {"compile": time.perf_counter() - start, "speed": {}, "memory": {}}
    out["states"] = sum(step.states or 0 for step in pattern_report(vocab).steps)
    for size in sizes:
        text = text_of(kind, pattern, size)
        for other in harmless:
            wordsplit.load_tokenizer(other, spanner="compiled").count_batch([text], threads=1)
        before = peak()
        start = time.perf_counter()
        if tok.count_batch([text], threads=1) != [len(text.encode())]:
            sys.exit(f"other ids with {pattern[:40]}, {kind}")
        out["speed"][size] = len(text.encode()) / (time.perf_counter() - start) / 1e6
        out["memory"][size] = peak() - before
    if not Cuts(vocab, "compiled").known:
        return out
    text = text_of(kind, pattern, sizes[0])
    stream = tok.encoder_stream()
    start = time.perf_counter()
    for at in range(0, len(text), 1 << 16):
        stream.append(text[at : at + (1 << 16)])
    out["stream"] = len(text.encode()) / (time.perf_counter() - start) / 1e6
    if len(stream.ids) != len(text.encode()):
        sys.exit(f"other ids in a stream with {pattern[:40]}, {kind}")
    return out


def peak() -> float:
    """The most memory that the process has needed, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="Measure compiled patterns on texts that are made for them.")
    parser.add_argument("--megabytes", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--pattern", nargs="+", choices=PATTERNS, metavar="PATTERN", default=list(PATTERNS))
    given = parser.parse_args()
    sizes = [megabytes * 1_000_000 for megabytes in sorted(given.megabytes)]
    rows = []
    for pattern in given.pattern:
        found = {}
        for kind in ("one letter", NEAR, "random"):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                found[kind] = pool.submit(measured, pattern, kind, sizes).result()
        slowest = min(found, key=lambda kind: found[kind]["speed"][sizes[-1]])
        worst = found[slowest]
        shown = pattern.replace("|", r"\|") if len(pattern) < 40 else f"{pattern[:12]}... ({len(pattern):,} characters)"
        rows.append(
            [
                f"`{shown}`",
                str(worst["states"]),
                f"{1000 * worst['compile']:.0f}",
                slowest,
                *(f"{worst['speed'][size]:.1f}" for size in sizes),
                f"{worst['stream']:.1f}" if "stream" in worst else "no cuts",
                f"{max(each['memory'][sizes[-1]] for each in found.values()):.0f}",
            ]
        )
        print(rows[-1], file=sys.stderr)
    speeds = [f"MB/s, {size // 1_000_000} MB" for size in sizes]
    about = machine.about()
    print(f"wordsplit {about['commit']}, {about['date']}, {about['processor']}, load {about['load_average']:.1f}\n")
    print(table(["pattern", "states", "ms to compile", "slowest text", *speeds, "stream", "MB of memory"], rows))


if __name__ == "__main__":
    main()
