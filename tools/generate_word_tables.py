"""Generate the tables of characters for BERT's rules, ``src/wordsplit/engine/word_tables.bin``.

    python tools/generate_word_tables.py [--check]

They are made by running the rules themselves, as `wordsplit.engine.words` does for others.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import zlib
from pathlib import Path

from wordsplit.engine.word_tables import FILE, packed, tables
from wordsplit.engine.words import replacements
from wordsplit.patterns.components import punctuation, whitespace_split
from wordsplit.rules import Normalize

OUT = Path(__file__).resolve().parent.parent / "src" / "wordsplit" / "engine" / FILE
SETTINGS = ("bert_clean_text", "bert_chinese_chars", "bert_strip_accents", "lowercase")  # in the order of their steps
STEPS = (whitespace_split(), punctuation("isolated"))


def content() -> bytes:
    """Return the content of the file."""
    chosen = itertools.product((True, False), repeat=len(SETTINGS))
    normalizers = [tuple(map(Normalize, itertools.compress(SETTINGS, each))) for each in chosen]
    made = tables([replacements(each, STEPS, rare=False) for each in normalizers], outside=True)
    return packed(dict(zip(normalizers, made, strict=True)), STEPS)


def main() -> None:
    """Write the file, or check it."""
    parser = argparse.ArgumentParser(description="Generate the tables of characters for BERT's rules.")
    parser.add_argument("--check", action="store_true", help="fail if the file differs")
    data = content()
    if not parser.parse_args().check:
        OUT.write_bytes(data)
    elif zlib.decompress(OUT.read_bytes()) != zlib.decompress(data):
        sys.exit(f"{OUT} differs from what its generator writes: python tools/generate_word_tables.py")


if __name__ == "__main__":
    main()
