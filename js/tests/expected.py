"""Write texts and the ids that the Python package gives for them: ``python js/tests/expected.py FOLDER [--strings N]``.

For each vocab, ``texts.json`` and ``NAME-SPECIAL.ids`` (little-endian uint32: the number of ids of each text, then all
ids); and tokenizer.json, .tiktoken and GGUF files for every scheme that has a scanner. The texts are generated ones,
inputs that broke tokenizers, and, if ``../shared`` is there, a document of each corpus for every 25 of them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from pathlib import Path

import numpy as np
from expected_bert import write_bert
from expected_cuts import cuts
from expected_decoders import write_decoders
from expected_lengths import write_lengths
from expected_models import write_models, write_random_files, write_random_models, write_spaces
from expected_pairs import write_pairs
from random_rules import write_random_rules

import wordsplit
from wordsplit import Tokenizer
from wordsplit.patterns.schemes import TABLE

SHARED = Path(__file__).resolve().parents[3] / "shared"
BUNDLED = ("qwen3", "r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony")
SPECIALS = ("parse", "text", "no_added")
HOSTILE = [
    "^" * 10_000,
    " " * 10_000,
    " " * 10_000 + "x",
    "a" * 10_000,
    "Z" * 5_000,
    "\n" * 5_000,
    "a  b",
    "def f():\n    return  x",
    "!\u0085",
    "क्ष",
    "a 🫨",
    "a\u1df6\u0301",
    "\U00011935\U00011930",
    "x'ſ",
    " Việt",
    ".data",
    " Japón",
    "\x00",
    "\ufeff",
    "\ufeffx",
    "",
    "\r\n\r\n",
    "e\u0301" * 300,
    "\u0345\u0300" * 500,
    "가각",
]
PIECES = [
    *"aAzZ09 '’\n\r\t.,!?_-/\\\"<>|{}()",
    *["'s", "'LL", "'ſ", "don't", "hello", " world", "THE", "  ", "\n\n", "1234567", "½", "٣"],
    *["é", "e\u0301", "ß", "ﬁ"],
    *["你好", "世界", "ひらがな", "カナ", "한국", "각", "क्षि", "สวัสดี", "שלום", "مرحبا", "Привет", "Ǆ", "ʰ", "ª"],
    *["🦜", "👩‍💻", "🇩🇪", "\u200d", "\u00a0", "\u0085", "\u2003", "\u3000", "\x1c", "\x7f", "\ufeff", "\ufffd"],
    *["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "<|fim_prefix|>", "<|endofprompt|>", "<|start|>", "<|"],
]


def texts(strings: int) -> list[str]:
    """Texts of all kinds."""
    rng = random.Random(16)
    found = list(HOSTILE)
    for _ in range(strings):
        kind = rng.random()
        if kind < 0.7:
            found.append("".join(rng.choices(PIECES, k=rng.randint(1, 12))))
        elif kind < 0.9:
            found.append("".join(chr(_scalar(rng)) for _ in range(rng.randint(1, 12))))
        else:
            found.append("".join(rng.choices("abcdefghijklmnopqrstuvwxyz ", k=rng.randint(1, 60))))
    for path in sorted((SHARED / "corpora").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found += [json.loads(line)["text"] for line, _ in zip(lines, range(strings // 25), strict=False)]
    return found


def _scalar(rng: random.Random) -> int:
    top = rng.choice([0x80, 0x800, 0x3000, 0xD800, 0x20000, 0x110000])
    while 0xD800 <= (point := rng.randrange(top)) < 0xE000:
        pass
    return point


def write_ids(path: Path, tok: Tokenizer, inputs: list[str], special: str) -> None:
    """Write the number of ids of each text, then all ids."""
    ids, offsets = tok.encode_batch_to_numpy(inputs, special=special)
    np.concatenate([np.diff(offsets).astype("<u4"), ids.astype("<u4")]).tofile(path)


def write_files(folder: Path, inputs: list[str]) -> None:
    """Write a vocab file for every scheme with a scanner, and one of every other format, with ids."""
    vocab = wordsplit.load_vocab("r50k_base")
    for name, scheme in TABLE.items():
        if scheme.scanner is None:
            continue
        steps = vocab.replace(name=name, pre_tokenizer=scheme.steps, ignore_merges=False)
        steps.save_tokenizer_json(folder / f"{name}.json")
        write_ids(folder / f"{name}.json.ids", wordsplit.TokenizerOptions().build(steps), inputs, "parse")
    vocab.save_gguf(folder / "r50k_base.gguf")
    write_ids(folder / "r50k_base.gguf.ids", wordsplit.load_tokenizer(folder / "r50k_base.gguf"), inputs, "parse")
    qwen3 = wordsplit.load_vocab("qwen3")
    for save, ending in ((qwen3.save_tokenizer_json, "json"), (qwen3.save_compiled, "ws")):
        save(folder / f"qwen3.{ending}")
        write_ids(folder / f"qwen3.{ending}.ids", wordsplit.load_tokenizer("qwen3"), inputs, "parse")
    cl100k = wordsplit.load_vocab("cl100k_base")
    cl100k.save_tiktoken(folder / "cl100k_base.tiktoken")
    write_ids(folder / "cl100k_base.tiktoken.ids", wordsplit.load_tokenizer("cl100k_base"), inputs, "text")


def write_offsets(path: Path, tok: Tokenizer, inputs: list[str]) -> None:
    """Write, for each text, the character spans of its ids; and texts cut to some ids."""
    found = []
    for text in inputs:
        encoded = tok.encode_with_offsets(text)
        row = {"text": text, "ids": encoded.ids, "chars": encoded.char_spans, "spans": tok.spans(text)}
        row["cut"] = cuts(tok, text)
        found.append(row)
    path.write_text(json.dumps(found), encoding="utf-8")


def main() -> None:
    """Write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strings", type=int, default=5000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    inputs = texts(given.strings)
    (given.folder / "texts.json").write_text(json.dumps(inputs), encoding="utf-8")
    for name in BUNDLED:
        for special in SPECIALS:
            write_ids(given.folder / f"{name}-{special}.ids", wordsplit.load_tokenizer(name), inputs, special)
    for name in ("qwen3", "o200k_base"):
        few = inputs[len(HOSTILE) :][:500]
        write_offsets(given.folder / f"{name}-offsets.json", wordsplit.load_tokenizer(name), few)
    write_files(given.folder, inputs)
    write_lengths(given.folder)
    write_pairs(given.folder)
    write_decoders(given.folder)
    write_bert(given.folder)
    write_models(given.folder, inputs[::2])
    write_spaces(given.folder)
    write_random_models(given.folder, max(50, given.strings // 100))
    write_random_files(given.folder, max(50, given.strings // 100))
    write_random_rules(given.folder, max(50, given.strings // 50))


if __name__ == "__main__":
    main()
