"""The hand-written scanners against the engines they replace, over whole spaces of strings.

A pattern can tell code points apart only by the classes and literal characters in it. One
representative of every such cell stands for all of Unicode; every string of up to four representatives (three in quick
runs, five or six in long ones) is split by the engine and by each scanner at each SIMD level.
"""

from __future__ import annotations

import ctypes
import functools
import gzip
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import filelock
import numpy as np
import pytest
from depth import by_depth
from oracles import tiktoken_splitter, tokenizers_splitter

import wordsplit.testing

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "native"
# Indexes into the SIMD levels of the machine, and -1 for the one-span-at-a-time reference.
REFERENCE, SCALAR = -1, 0
# A cap no text of these tests reaches, and small ones that stop a scan anywhere.
WHOLE, CAPS = 4096, (1, 2, 7)
ANY, TOKENIZERS, TIKTOKEN = 0, 1, 2

compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
pytestmark = pytest.mark.skipif(compiler is None or sys.platform == "win32", reason="the harness needs a C++ compiler")


class Harness:
    """The scanners through ``scan_harness.cpp``."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.lib = library
        library.scan_name.restype = ctypes.c_char_p
        library.scan_pattern.restype = ctypes.POINTER(ctypes.c_char)
        library.scan_batch.restype = ctypes.c_int64
        library.scan_batch.argtypes = (
            [ctypes.c_int, ctypes.c_int] + [ctypes.c_void_p] * 2 + [ctypes.c_uint64] * 2 + [ctypes.c_void_p]
        )
        library.scan_time.restype = ctypes.c_double
        library.scan_time.argtypes = (
            [ctypes.c_int, ctypes.c_int]
            + [ctypes.c_void_p] * 2
            + [ctypes.c_uint64] * 2
            + [ctypes.c_int, ctypes.c_void_p]
        )
        self.levels = range(library.scan_levels())
        self.names = [library.scan_name(i).decode() for i in range(library.scan_schemes())]

    def dialect(self, name: str, spelling: int) -> int:
        return self.lib.scan_dialect(self.names.index(name), spelling)

    def spellings(self, name: str) -> list[list[str]]:
        scheme, found = self.names.index(name), []
        for spelling in range(self.lib.scan_spellings(scheme)):
            steps = []
            size = ctypes.c_size_t()
            for step in itertools.count():
                text = self.lib.scan_pattern(scheme, spelling, step, ctypes.byref(size))
                if not text:
                    break
                steps.append(text[: size.value].decode())
            found.append(steps)
        return found

    def ends(self, name: str, level: int, texts: list[bytes], cap: int = WHOLE) -> np.ndarray:
        """The span ends of every text, counted from the start of all of them joined."""
        joined = np.frombuffer(b"".join(texts), np.uint8)
        offsets = np.zeros(len(texts) + 1, np.uint64)
        np.cumsum([len(text) for text in texts], out=offsets[1:], dtype=np.uint64)
        out = np.empty(len(joined), np.uint64)
        written = self.lib.scan_batch(
            self.names.index(name),
            level,
            joined.ctypes.data,
            offsets.ctypes.data,
            len(texts),
            cap,
            out.ctypes.data,
        )
        assert written >= 0, f"{name} at level {level} with cap {cap} broke the contract of ScanFn"
        return out[:written]

    def seconds(self, name: str, level: int, text: bytes, cap: int, rounds: int = 1) -> float:
        offsets = np.array([0, len(text)], np.uint64)
        data = np.frombuffer(text, np.uint8)
        spans = ctypes.c_uint64()
        return self.lib.scan_time(
            self.names.index(name),
            level,
            data.ctypes.data,
            offsets.ctypes.data,
            1,
            cap,
            rounds,
            ctypes.byref(spans),
        )


@functools.cache
def harness() -> Harness:
    """The harness, compiled once for all processes that run the tests, and again when a source changes."""
    include, source = NATIVE / "include", NATIVE / "tests" / "scan_harness.cpp"
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-I{include}"]
    flags.append(by_depth("-O1", "-O2", "-O2"))
    digest = hashlib.sha256(repr((compiler, flags)).encode())
    for path in (source, *sorted(include.rglob("*.hpp"))):
        digest.update(path.read_bytes())
    out = ROOT / "build" / "tests" / f"scan_harness-{digest.hexdigest()[:16]}.so"
    out.parent.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(out.with_suffix(".lock")):
        if not out.exists():
            draft = out.with_suffix(".part")
            subprocess.run([compiler, *flags, "-o", draft, source], check=True)
            draft.replace(out)
    return Harness(ctypes.CDLL(str(out)))


# Read from the table, so that nothing is compiled to collect the tests.
TABLE = (NATIVE / "include" / "wordsplit" / "scanners" / "scanners.hpp").read_text()
SCHEMES = re.findall(r'scheme<\w+>\("(\w+)"', TABLE)


SOME = SCHEMES[:: by_depth(4, 1, 1)]


def test_the_table_is_read_right() -> None:
    assert harness().names == SCHEMES


def oracles(name: str) -> list[tuple]:
    """The engines that read each spelling, and their splitters."""
    found = []
    for spelling, steps in enumerate(harness().spellings(name)):
        dialect = harness().dialect(name, spelling)
        if dialect in (ANY, TOKENIZERS):
            found.append(("tokenizers", tokenizers_splitter(steps)))
        if dialect in (ANY, TIKTOKEN) and len(steps) == 1:
            found.append(("tiktoken", tiktoken_splitter(steps)))
    assert len(found) >= len(harness().spellings(name))
    return found


SCALARS = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
LITERALS = {" ", "\n", "\r", "\t", "'", "/", "\u0085", "\u017f", "s", "l", "e", "r", "S"}


@functools.cache
def cells(name: str) -> list[str]:
    """The scalars of each cell of the scheme's patterns, literal characters aside."""
    return wordsplit.testing.cells(map(wordsplit.Split, harness().spellings(name)[0]), literals="")


def alphabet(name: str) -> list[str]:
    """One representative a cell, and the literal characters."""
    chars = set(LITERALS)
    for cell in cells(name):
        # A non-ASCII one where there is: the ASCII of most cells is among the literals.
        chars.add(next((c for c in cell if c >= "\x80" and c not in LITERALS), cell[0]))
    return sorted(chars)


def rich_alphabet(name: str) -> list[str]:
    """A few of every cell and UTF-8 length, and everything the patterns name."""
    chars = list("'sStTdDmMlLrReEvV / \n\r\t \u0085\u017f'a1A.!  \n\u00e9")
    for cell in cells(name):
        for low, high in ((0, 0x80), (0x80, 0x800), (0x800, 0x10000), (0x10000, 0x110000)):
            inside = [c for c in cell if low <= ord(c) < high]
            chars += inside[:1] + inside[len(inside) // 2 :][:1]
    return chars


def expected(pieces: list[list[str]]) -> np.ndarray:
    return np.cumsum([len(piece.encode()) for text in pieces for piece in text], dtype=np.uint64)


def check(name: str, texts: list[str], splitter, levels=None, caps=(WHOLE,)) -> None:
    want = expected(splitter(texts))
    data = [text.encode() for text in texts]
    for level in (REFERENCE, *harness().levels) if levels is None else levels:
        for cap in caps:
            got = harness().ends(name, level, data, cap)
            if not np.array_equal(got, want):
                for text in texts:  # name the shortest string that differs
                    one = harness().ends(name, level, [text.encode()], cap)
                    pieces = splitter([text])
                    begins = np.concatenate([[np.uint64(0)], one[:-1]])
                    ours = [text.encode()[b:e] for b, e in zip(begins.tolist(), one.tolist(), strict=True)]
                    assert ours == [p.encode() for p in pieces[0]], (name, level, cap, text)
                pytest.fail("differs only when joined")


def batches(strings, size: int = 20_000):
    strings = iter(strings)
    while batch := list(itertools.islice(strings, size)):
        yield batch


@pytest.mark.parametrize("name", SOME)
def test_every_short_string(name: str) -> None:
    chars = alphabet(name)
    assert len(chars) >= 14
    for _, splitter in oracles(name):
        for length in range(1, by_depth(3, 4, 4) + 1):
            for batch in batches(map("".join, itertools.product(chars, repeat=length))):
                check(name, batch, splitter)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "length"),
    [*((name, 5) for name in SCHEMES), *((name, 6) for name in ("gpt2", "llama3", "qwen2", "o200k"))],
)
def test_every_longer_string(name: str, length: int) -> None:
    splitter = oracles(name)[0][1]
    for batch in batches(map("".join, itertools.product(alphabet(name), repeat=length)), 500_000):
        check(name, batch, splitter)


def random_texts(chars: list[str], rng: random.Random, count: int, lengths: tuple[int, int]) -> list[str]:
    """Strings from few or many of the characters, some in runs: hard places at all alignments."""
    texts = []
    for _ in range(count):
        some = rng.sample(chars, rng.randint(2, min(12, len(chars))))
        if rng.random() < 0.5:
            some += ["a"] * rng.randint(1, 12)
        if rng.random() < 0.3:
            some += [" "] * rng.randint(1, 6)
        run = rng.choice([1, 1, 1, 3, 40])
        size, out = rng.randint(*lengths), []
        while len(out) < size:
            out += [rng.choice(some)] * rng.randint(1, run)
        texts.append("".join(out[:size]))
    return texts


@pytest.mark.parametrize("name", SOME)
def test_random_strings(name: str) -> None:
    rng = random.Random(name)
    chars = rich_alphabet(name)
    for engine, splitter in oracles(name):
        # tiktoken is asked by a vocabulary of all substrings: shorter and fewer strings.
        count, lengths = (
            (by_depth(60, 200, 500), (5, 300)) if engine == "tokenizers" else (by_depth(20, 50, 50), (5, 90))
        )
        for batch in batches(random_texts(chars, rng, count * by_depth(1, 1, 60), lengths), count):
            check(name, batch, splitter)
            check(name, batch, splitter, caps=CAPS)


# Places where a span's start depends on more than its neighbours.
HARD = [
    "'s",
    "'S",
    "'re",
    "'Re",
    "'ve",
    "'ll",
    "'lL",
    "'d's",
    "'t'",
    "'\u017f",
    "'l\u017f",
    "'rx",
    "' s",
    "''s",
]
HARD += ["  x", " \n x", "\n \n ", "\n \nx", "\t\t'", "\r\n", " \u00a0x", "  1", "  \u4e2d", "\n\n  \n\n  x"]
HARD += [
    ".x",
    "..x",
    " .x",
    ".\n",
    ".\n\nx",
    ".\n \n",
    "!\n/\n x",
    "/\n/",
    ".\n//\n  ",
    "!/!",
    ".\u0301",
    "..\u0301x",
]
HARD += [
    "1234567",
    "\u0663\u0663",
    "12 34",
    "aZ",
    "\u4e2dZ",
    "\u4e2dZZa",
    "\u4e2dZ\u4e2d",
    "\u4e2dZ.",
    "a\u4e2dZ",
    "Za\u0301Z",
]
HARD += [
    "\u4e2d's\u4e2dZa",
    "a's\u4e2dZ",
    "\u3097\u3042",
    "\u30fb\u3042",
    "\u3007",
    "\u2e80\u4e2d",
    "\u01c5a",
    "\x01a",
    "\x01\x01a",
]


@pytest.mark.parametrize("name", SOME)
def test_hard_places_at_the_edge_of_a_window(name: str) -> None:
    chars = ["a", "Z", "\u00e9", "\u4e2d", "!", "\u2019", "\n", "a ", "\u0416 ", "1"]
    texts = [
        (char * 66)[:before] + hard + after
        for char in chars
        for before in range(55, 67, by_depth(5, 2, 1))
        for hard in HARD
        for after in ("", "e", " ", "a" * 70)
    ]
    engine, splitter = oracles(name)[0]
    check(name, texts[:: 1 if engine == "tokenizers" else 17], splitter, caps=(WHOLE, 7))


@pytest.mark.parametrize("name", SOME)
def test_every_scalar_in_context(name: str) -> None:
    """The class tables: all of Unicode's beginning and a sample of the rest (all in long runs)."""
    engine, splitter = oracles(name)[0]
    chars = SCALARS[:0x3400] + SCALARS[0x3400 :: by_depth(101, 74, 1)]
    if engine == "tiktoken":
        chars = chars[::20]
    texts = (f"a{c}a {c}1{c}\n{c}.{c}{c}{c}." for c in chars)
    for batch in batches(texts, 50_000):
        check(name, batch, splitter, levels=[REFERENCE, SCALAR, harness().levels[-1]])


@pytest.mark.parametrize("name", SOME)
def test_any_bytes(name: str) -> None:
    """Bytes that are not UTF-8: every level agrees with the reference, and the spans tile the text."""
    rng = random.Random(name)
    pieces = [bytes([b]) for b in (*b" aA1.'\n/s", 0, *range(0x80, 0x100, 3), 0xC0, 0xED, 0xF4, 0xF5, 0xFF)]
    pieces += [c.encode() for c in rich_alphabet(name)] + [
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xe4\xb8",
        b"\xc5",
    ]
    texts = [b"".join(rng.choices(pieces, k=rng.randint(1, 200))) for _ in range(by_depth(200, 1000, 2000))]
    want = harness().ends(name, REFERENCE, texts)
    for level in harness().levels:
        for cap in (WHOLE, *CAPS):
            assert np.array_equal(harness().ends(name, level, texts, cap), want), (level, cap)


@pytest.mark.parametrize("name", SOME)
def test_bytes_that_are_not_utf8_are_unassigned_characters(name: str) -> None:
    """An invalid byte splits as U+10FFFF does: what follows from the contract."""
    rng = random.Random(name)
    chars = [*rich_alphabet(name), "\U0010ffff", "\U0010ffff"]
    texts = ["".join(rng.choices(chars, k=rng.randint(1, 100))) for _ in range(by_depth(100, 500, 500))]
    splitter = oracles(name)[0][1]
    for text in texts:
        pieces = [piece.encode().replace("\U0010ffff".encode(), b"\xff") for piece in splitter([text])[0]]
        want = np.cumsum([len(piece) for piece in pieces], dtype=np.uint64)
        got = harness().ends(name, harness().levels[-1], [b"".join(pieces)])
        assert np.array_equal(got, want), text


MILLION = by_depth(10**5, 3 * 10**5, 10**7)
HOSTILE = {
    "spaces": " " * MILLION,
    "spaces, then a letter": " " * MILLION + "x",
    "newlines": "\n" * MILLION,
    "newline and space": "\n " * MILLION,
    "newline and two spaces, then a letter": "\n  " * MILLION + "x",
    "punctuation": "^" * MILLION,
    "apostrophes": "'" * MILLION,
    "letters": "a" * MILLION,
    "capitals": "Z" * MILLION,
    "digits": "7" * MILLION,
    "a caseless letter, then capitals": "\u4e2d" + "Z" * MILLION,
    "a mark, then capitals": "\u0301" + "Z" * MILLION,
    "caseless letters and capitals": "\u4e2dZZ" * MILLION,
    "case by case": "aZ" * MILLION,
    "contractions": "a's" * MILLION,
    "apostrophes and letters": "'s" * MILLION,
    "marks": "!" + "\u0301" * MILLION,
    "slashes and newlines": "!\n/" * MILLION,
    "one tail of slashes": "!" + "\n/" * MILLION,
    "controls": "\x01" * MILLION + "a",
    "ideographic gaps": "\u3097" * MILLION + "\u4e2d",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_time_is_linear(case: str) -> None:
    text = HOSTILE[case].encode()
    for name in SCHEMES:
        for level in (REFERENCE, SCALAR, harness().levels[-1]):
            for cap in (1, 256):
                begin = time.process_time()
                harness().seconds(name, level, text, cap)
                # Some hundredths of a second are usual; a quadratic scan of this takes hours.
                assert time.process_time() - begin < by_depth(2, 2, 20), (name, level, cap)


def corpus(name: str) -> list[bytes]:
    path = ROOT.parent / "shared" / "corpora" / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no {path.name}")
    with gzip.open(path) as lines:
        return [json.loads(line)["text"].encode() for line in lines]


@pytest.mark.parametrize("kind", ["en", "code", "multi"])
@pytest.mark.parametrize("name", SOME)
def test_corpora(name: str, kind: str) -> None:
    texts = corpus(kind)
    want = harness().ends(name, REFERENCE, texts)
    for level in harness().levels:
        assert np.array_equal(harness().ends(name, level, texts), want)
    for engine, splitter in oracles(name):
        if engine == "tokenizers":  # the trick that shows tiktoken's splits needs short texts
            check(name, [text.decode() for text in texts[:: by_depth(400, 80, 1)]], splitter)
