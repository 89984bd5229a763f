"""Generate the tables of characters for usual rules, ``src/wordsplit/engine/word_tables.bin``.

    python tools/generate_word_tables.py [--check]

They are made by running the rules themselves, as `wordsplit.engine.words` does for others.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import zlib
from pathlib import Path

from wordsplit.engine.word_tables import FILE, WordRules, packed, tables
from wordsplit.engine.words import EVERY_PAGE, replacements
from wordsplit.patterns.components import punctuation, whitespace, whitespace_split
from wordsplit.rules import Normalize
from wordsplit.unicode.graphemes import marks

OUT = Path(__file__).resolve().parent.parent / "src" / "wordsplit" / "engine" / FILE
SETTINGS = ("bert_clean_text", "bert_chinese_chars", "bert_strip_accents", "lowercase")  # in the order of their steps
BERT = (whitespace_split(), punctuation("isolated"))
OTHERS = ((whitespace(),), (whitespace_split(),))
NORMALIZERS = ("", "lowercase", "nfd strip_accents", "nfd lowercase strip_accents", "nfd strip_accents lowercase")


def rules() -> list[WordRules]:
    """Return the rules whose tables are in the file."""
    chosen = itertools.product((True, False), repeat=len(SETTINGS))
    of_bert = [tuple(map(Normalize, itertools.compress(SETTINGS, each))) for each in chosen]
    usual = [tuple(map(Normalize, names.split())) for names in NORMALIZERS]
    lowered = tuple(map(Normalize, SETTINGS))
    return [(each, BERT) for each in of_bert] + [(each, steps) for steps in OTHERS for each in (*usual, lowered)]


def content() -> bytes:
    """Return the content of the file."""
    every = rules()
    made = tables([replacements(*each, EVERY_PAGE) for each in every], outside=True)
    names = ("joins", "alone", "before")
    return packed(dict(zip(every, made, strict=True)), dict(zip(names, map(ranges, marks()), strict=True)))


def ranges(points: list[int]) -> list[tuple[int, int]]:
    """Return the first and the last of each run of numbers, which ascend."""
    out: list[tuple[int, int]] = []
    for point in points:
        if out and out[-1][1] == point - 1:
            out[-1] = (out[-1][0], point)
        else:
            out.append((point, point))
    return out


def main() -> None:
    """Write the file, or check it."""
    parser = argparse.ArgumentParser(description="Generate the tables of characters for usual rules.")
    parser.add_argument("--check", action="store_true", help="fail if the file differs")
    data = content()
    if not parser.parse_args().check:
        OUT.write_bytes(data)
    elif zlib.decompress(OUT.read_bytes()) != zlib.decompress(data):
        sys.exit(f"{OUT} differs from what its generator writes: python tools/generate_word_tables.py")


if __name__ == "__main__":
    main()
