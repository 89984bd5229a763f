"""The texts: English documentation (en), source code (code), many languages (multi), the three in turn (mix); and
the hostile inputs.

The corpora of ``../shared/corpora`` when they are there, else what comes with Python: its help topics and docstrings,
its standard library's sources, and, since Python ships no prose in other languages, words made up from the letters of
twelve scripts with the frequencies of Zipf's law.

What is lacking to the size that is asked for is taken from packages (assembled.py). The table says which it was.

Documents that hold ``<|`` are left out, so that no library meets a special token. The order is shuffled, the same way
each time. Every second document belongs to the half that is for tuning and for warming up; figures are published of
the other half.
"""

# ruff: noqa: PLC0415 - only where the shared corpora are absent

from __future__ import annotations

import ast
import gzip
import itertools
import json
import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import assembled
from assembled import DOCUMENT

CACHE = Path(__file__).resolve().parent / ".cache" / "texts"
FOLDER = Path(__file__).resolve().parents[2] / "shared" / "corpora"
NAMES = ("en", "code", "multi")
ALL = 10**12  # a limit that is none

# First and last letter of twelve alphabets, or stretches of them.
SCRIPTS = ("az", "àÿ", "αω", "ая", "את", "ءي", "अह", "กฮ", "가힣", "ぁん", "ァヶ", "一龠")


def source() -> str:
    """Return the origin of the texts, for the report."""
    own = "shared/corpora" if FOLDER.is_dir() else "Python's documentation and library, multi made up"
    return f"{own}, with text of packages where that is too little"


def load(name: str, limit: int, *, tuning: bool = False) -> list[str]:
    """Documents of about ``limit`` bytes of UTF-8, of one half. New objects at each call, nothing cached in them."""
    path = FOLDER / f"{name}.jsonl.gz"
    made_from = FOLDER.stat().st_mtime_ns if FOLDER.is_dir() else sysconfig.get_python_version()
    cached = CACHE / f"{name}-{limit}-{'tuning' if tuning else 'published'}-{made_from}.json"
    if not cached.exists():
        if name == "mix":
            parts = [load(part, limit // len(NAMES), tuning=tuning) for part in NAMES]
            found = [text for texts in itertools.zip_longest(*parts) for text in texts if text]
        else:
            texts = _shared(path) if path.exists() else list({"en": _en, "code": _code, "multi": _multi}[name]())
            found = _half(texts, limit, name, tuning)
        CACHE.mkdir(parents=True, exist_ok=True)
        part = cached.with_suffix(".part")
        part.write_text(json.dumps(found), encoding="ascii")
        part.replace(cached)
    texts: list[str] = json.loads(cached.read_text(encoding="ascii"))
    return texts


def short(texts: list[str], size: int, count: int) -> list[str]:
    """Beginnings of documents and of lines within them, of ``size`` bytes, or up to three less."""
    rng = random.Random(size)
    out: list[str] = []
    while len(out) < count:
        lines = rng.choice(texts).split("\n")
        data = "\n".join(lines[rng.randrange(len(lines)) :]).encode()
        if len(data) >= size and (found := data[:size].decode("utf-8", "ignore")).strip():
            out.append(found)
    return out


def everything(name: str) -> list[str]:
    """Both halves of a corpus, and nothing else."""
    return load(name, ALL) + load(name, ALL, tuning=True)


def _half(texts: list[str], limit: int, name: str, tuning: bool) -> list[str]:
    lacking = 2.1 * limit - sum(len(text.encode()) for text in texts)
    if lacking > 0 and limit < ALL:
        texts += assembled.documents(name, int(lacking))
    random.Random(0).shuffle(texts)
    return every_second(texts, limit, tuning=tuning)


def every_second(texts: list[str], limit: int, *, tuning: bool) -> list[str]:
    """Documents of about ``limit`` bytes of UTF-8, of the half for tuning or of the one that is published."""
    out, size = [], 0
    for text in texts[tuning::2]:
        if size >= limit:
            break
        if text and "<|" not in text:
            out.append(text)
            size += len(text.encode())
    return out


def _shared(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def _sources() -> Iterator[str]:
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).rglob("*.py")):
        if not {"site-packages", "test", "tests", "idle_test"} & set(path.parts):
            try:
                yield path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def _code() -> Iterator[str]:
    for text in _sources():
        yield from (text[at : at + DOCUMENT] for at in range(0, len(text), DOCUMENT))


def _en() -> Iterator[str]:
    from pydoc_data.topics import topics

    yield from topics.values()
    held, size = [], 0
    for text in _sources():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (doc := ast.get_docstring(node)):
                held.append(doc)
                size += len(doc)
                if size >= DOCUMENT:
                    yield "\n\n".join(held)
                    held, size = [], 0


def _multi() -> Iterator[str]:
    chance = random.Random(1)
    lexicons = []
    for first, last in SCRIPTS:
        letters = [c for c in map(chr, range(ord(first), ord(last) + 1)) if c.isalpha()]
        lexicons.append(["".join(chance.choices(letters, k=chance.randint(1, 9))) for _ in range(4000)])
    weights = [1 / rank for rank in range(1, 4001)]
    for at in range(6000):
        words = chance.choices(lexicons[at % len(lexicons)], weights, k=DOCUMENT // 6)
        yield " ".join(word + chance.choice([""] * 9 + [",", ".\n"]) for word in words)


def hostile(name: str, size: int) -> str:
    """``size`` characters of one of `HOSTILE`."""
    if name == "random letters":
        return bytes(random.Random(2).choices(b"abcdefghijklmnopqrstuvwxyz", k=size)).decode()
    if name == "spaces, x":
        return " " * (size - 1) + "x"
    unit = HOSTILE[name]
    return unit * (size // len(unit))


# Each is one span, or spans that a regex engine must go back and forth to find.
HOSTILE = {
    "one letter": "a",
    "random letters": "",
    "spaces": " ",
    "spaces, x": "",
    "newlines": "\n",
    "carets": "^",
    "! and U+0085": "!\u0085",
    "Thai letter": "\u0e01",
    "combining marks": "e\u0301\u0316",
    "apostrophes": "'",
}
