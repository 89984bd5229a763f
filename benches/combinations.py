"""Normalizers and pre-tokenizers in all combinations: ``python benches/combinations.py [--models bytes unigram]``.

For each model of 8,000 tokens, trained by `tokenizers`, and each normalizer and pre-tokenizer that fit it: ids are
compared, and how often `tokenizers` takes as long, with ids and with offsets. One text of 2 KB at a time, which neither
has seen before; English and many languages. Shows which rules are left to slower ways. Needs `tokenizers` (the group
``test``). Writes ``benches/results/combinations-DATE-COMMIT.json`` and ``.md``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import corpora
import machine
from report import table
from tokenizers import Regex, Tokenizer, models, trainers
from tokenizers import normalizers as n
from tokenizers import pre_tokenizers as p

import wordsplit

HERE = Path(__file__).resolve().parent
CORPORA = ("en", "multi")
WORDS = Regex(r"\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+|\s+")
GPT2 = Regex(r"'s|'t| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
LETTERS = p.ByteLevel(add_prefix_space=False, use_regex=False)
BYTES = p.ByteLevel(add_prefix_space=False)
PATIENCE = 5  # seconds, after which the rest of a corpus is left out

NORMALIZERS = {
    "none": None,
    "NFC": n.NFC(),
    "NFKC": n.NFKC(),
    "NFD, StripAccents, Lowercase": n.Sequence([n.NFD(), n.StripAccents(), n.Lowercase()]),
    "Lowercase": n.Lowercase(),
    "Bert": n.BertNormalizer(),
    "Strip": n.Strip(),
    "Strip, NFC": n.Sequence([n.Strip(), n.NFC()]),
    "NFKC, Replace of spaces": n.Sequence([n.NFKC(), n.Replace(Regex(" {2,}"), " ")]),
    "Replace of spaces by ▁": n.Replace(" ", "▁"),
    "Prepend, Replace of spaces by ▁": n.Sequence([n.Prepend("▁"), n.Replace(" ", "▁")]),
    "Replace of quotation marks": n.Replace("``", '"'),
    "Nmt, NFKC": n.Sequence([n.Nmt(), n.NFKC()]),
    "ByteLevel": n.ByteLevel(),
}
OF_WORDS = {
    "none": None,
    "Whitespace": p.Whitespace(),
    "WhitespaceSplit": p.WhitespaceSplit(),
    "Bert": p.BertPreTokenizer(),
    "Digits": p.Digits(individual_digits=True),
    "Punctuation": p.Punctuation(),
    "UnicodeScripts": p.UnicodeScripts(),
    "Whitespace, Digits": p.Sequence([p.Whitespace(), p.Digits(individual_digits=True)]),
    "CharDelimiterSplit": p.CharDelimiterSplit(" "),
    "Split isolated": p.Split(WORDS, "isolated"),
    "Split removed": p.Split(Regex(r"\s+"), "removed"),
    "Split removed, inverted": p.Split(GPT2, "removed", invert=True),
    "Split merged with next": p.Split(" ", "merged_with_next"),
    "Split merged with previous": p.Split(" ", "merged_with_previous"),
    "Split contiguous": p.Split(Regex(r"\s"), "contiguous"),
    "FixedLength": p.FixedLength(5),
}
OF_PIECES = {
    "Metaspace": p.Metaspace(),
    "Metaspace, first": p.Metaspace(prepend_scheme="first"),
    "Metaspace, never": p.Metaspace(prepend_scheme="never"),
    "Metaspace that does not split": p.Metaspace(split=False),
    "WhitespaceSplit, Metaspace": p.Sequence([p.WhitespaceSplit(), p.Metaspace()]),
    "Punctuation, Metaspace": p.Sequence([p.Punctuation(), p.Metaspace()]),
    "Metaspace, Punctuation": p.Sequence([p.Metaspace(), p.Punctuation()]),
    "Metaspace, Digits": p.Sequence([p.Metaspace(), p.Digits(individual_digits=True)]),
    "Digits, Metaspace": p.Sequence([p.Digits(individual_digits=True), p.Metaspace()]),
}
OF_BYTES = {
    "ByteLevel": BYTES,
    "ByteLevel with a space": p.ByteLevel(add_prefix_space=True),
    "ByteLevel without a pattern": LETTERS,
    "Split, ByteLevel": p.Sequence([p.Split(GPT2, "isolated"), LETTERS]),
    "ByteLevel, Digits": p.Sequence([BYTES, p.Digits(individual_digits=True)]),
    "Digits, ByteLevel": p.Sequence([p.Digits(individual_digits=True), BYTES]),
    "Punctuation, ByteLevel": p.Sequence([p.Punctuation(), BYTES]),
    "WhitespaceSplit, ByteLevel": p.Sequence([p.WhitespaceSplit(), BYTES]),
    "Whitespace, ByteLevel with a space": p.Sequence([p.Whitespace(), p.ByteLevel(add_prefix_space=True)]),
    "Bert, ByteLevel": p.Sequence([p.BertPreTokenizer(), BYTES]),
    "ByteLevel, Whitespace": p.Sequence([BYTES, p.Whitespace()]),
    "ByteLevel, Split removed": p.Sequence([BYTES, p.Split("Ġ", "removed")]),
    "UnicodeScripts, ByteLevel": p.Sequence([p.UnicodeScripts(), BYTES]),
    "Metaspace, ByteLevel": p.Sequence([p.Metaspace(), LETTERS]),
}


def byte_level_bpe() -> tuple[Tokenizer, trainers.Trainer]:
    """Byte-level BPE, to be trained."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = BYTES
    return made, trainers.BpeTrainer(initial_alphabet=p.ByteLevel.alphabet(), **TRAINED)


def character_bpe() -> tuple[Tokenizer, trainers.Trainer]:
    """BPE of characters, to be trained."""
    made = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    made.pre_tokenizer = p.Metaspace()
    return made, trainers.BpeTrainer(special_tokens=["<unk>"], limit_alphabet=2000, **TRAINED)


def unigram() -> tuple[Tokenizer, trainers.Trainer]:
    """Unigram, to be trained."""
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = p.Metaspace()
    return made, trainers.UnigramTrainer(special_tokens=["<unk>"], unk_token="<unk>", **TRAINED)


def word_piece() -> tuple[Tokenizer, trainers.Trainer]:
    """WordPiece, to be trained."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = n.BertNormalizer(), p.BertPreTokenizer()
    return made, trainers.WordPieceTrainer(special_tokens=["[UNK]"], limit_alphabet=2000, **TRAINED)


def word_level() -> tuple[Tokenizer, trainers.Trainer]:
    """WordLevel, to be trained."""
    made = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    made.pre_tokenizer = p.Whitespace()
    return made, trainers.WordLevelTrainer(special_tokens=["[UNK]"], **TRAINED)


TRAINED = {"vocab_size": 8000, "show_progress": False}
Make = Callable[[], tuple[Tokenizer, trainers.Trainer]]
MODELS: dict[str, tuple[Make, dict[str, p.PreTokenizer | None]]] = {
    "bytes": (byte_level_bpe, OF_BYTES),
    "characters": (character_bpe, OF_WORDS | OF_PIECES),
    "unigram": (unigram, OF_WORDS | OF_PIECES),
    "word_piece": (word_piece, OF_WORDS),
    "word_level": (word_level, OF_WORDS),
}


def combinations(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield normalizer, pre-tokenizer, and the tokenizer.json."""
    make, pre_tokenizers = MODELS[name]
    trained, trainer = make()
    texts = [text[:3000] for corpus in CORPORA for text in corpora.load(corpus, 1_200_000, tuning=True)]
    trained.train_from_iterator(texts, trainer)
    content = json.loads(trained.to_str())
    for (normalizer, first), (pre_tokenizer, second) in itertools.product(NORMALIZERS.items(), pre_tokenizers.items()):
        rules = Tokenizer(models.BPE())
        if first is not None:
            rules.normalizer = first
        if second is not None:
            rules.pre_tokenizer = second
        made = json.loads(rules.to_str())
        yield (
            normalizer,
            pre_tokenizer,
            json.dumps(content | {key: made[key] for key in ("normalizer", "pre_tokenizer")}),
        )


def measure(content: str, texts: dict[str, list[str]]) -> dict:
    """The ratios of one combination, by corpus and what is asked for; and how many texts have other ids."""
    theirs = Tokenizer.from_str(content)
    try:
        ours = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(content.encode(), name="made"))
    except wordsplit.UnsupportedVocabError as error:
        return {"refused": str(error)}
    ours.encode("to be ready")
    out: dict = {"different": 0}
    for corpus, given in texts.items():
        half = len(given) // 2
        for kind, some in (("ids", given[:half]), ("offsets", given[half:])):
            spent = [0.0, 0.0]
            for text in some:
                began = time.perf_counter()
                mine = ours.encode(text) if kind == "ids" else ours.encode_with_offsets(text)
                between = time.perf_counter()
                other = theirs.encode(text, add_special_tokens=False)
                ids = other.ids if kind == "ids" else (other.ids, other.offsets)
                spent[0] += between - began
                spent[1] += time.perf_counter() - between
                out["different"] += (mine if kind == "ids" else mine.ids) != (ids if kind == "ids" else ids[0])
                if spent[0] > PATIENCE:
                    break
            out[f"{kind}, {corpus}"] = spent[1] / spent[0]
    return out


def report(about: dict, records: list[dict]) -> str:
    """The table, and the slowest combinations."""
    found = [record for record in records if "refused" not in record]
    kinds = [f"{kind}, {corpus}" for kind in ("ids", "offsets") for corpus in CORPORA]
    rows = []
    for kind in kinds:
        ratios = sorted(record[kind] for record in found)
        few = ratios[len(ratios) // 20]
        rows.append([kind, f"{ratios[0]:.2f}", f"{few:.2f}", f"{statistics.median(ratios):.2f}"])
    slowest = sorted(found, key=lambda record: min(record[kind] for kind in kinds))[:20]
    names = ["model", "normalizer", "pre-tokenizer"]
    shown = [[*(record[name] for name in names), *(f"{record[kind]:.2f}" for kind in kinds)] for record in slowest]
    machine_line = f"{about['processor']}, {about['cores']} cores, Python {about['python']}; texts: {about['texts']}"
    different = sum(record["different"] > 0 for record in found)
    parts = [
        f"# Combinations of normalizers and pre-tokenizers: wordsplit {about['commit']}, {about['date']}",
        f"{machine_line}; load average at the start {about['load_average']:.1f}.",
        f"{len(found)} tokenizers, {different} with other ids than `tokenizers`, {len(records) - len(found)} refused.",
        "Speed as a multiple of that of `tokenizers`: first passes over texts of 2 KB, one at a time.",
        table(["", "least", "5th percentile", "median"], rows),
        "The slowest:",
        table([*names, *kinds], shown),
    ]
    return "\n\n".join(parts)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="Compare normalizers and pre-tokenizers in all combinations.")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--kilobytes", type=int, default=120, help="of text a corpus")
    given = parser.parse_args()
    about = machine.about()
    texts = {corpus: [text[:2000] for text in corpora.load(corpus, 4_000_000)] for corpus in CORPORA}
    for corpus, found in texts.items():
        sizes = itertools.accumulate(len(text.encode()) for text in found)
        texts[corpus] = found[: sum(size < 1000 * given.kilobytes for size in sizes)]
    records = []
    for name in given.models:
        for normalizer, pre_tokenizer, content in combinations(name):
            rules = {"model": name, "normalizer": normalizer, "pre-tokenizer": pre_tokenizer}
            records.append(rules | measure(content, texts))
            print(records[-1], file=sys.stderr)
    path = HERE / "results" / f"{machine.stem(about, 'combinations')}.json"
    path.write_text(json.dumps({"about": about, "records": records}), encoding="utf-8")
    text = report(about, records)
    path.with_suffix(".md").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
