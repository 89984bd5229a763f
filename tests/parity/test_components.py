"""tokenizer.json files put together at random, of every component that is supported, against `tokenizers`."""

import json
import random
import re
from contextlib import suppress
from functools import cache

import pytest
import tokenizers
from depth import by_depth
from oracles import unless_panic
from parity.parts import BEHAVIORS, NORMALIZERS, PRE_TOKENIZERS, TO_NORMALIZE, TO_SPLIT

import wordsplit
from wordsplit.compat.tokenizers import NotSupportedError
from wordsplit.compat.tokenizers import Tokenizer as Compatible

CONFIGS = by_depth(50, 150, 3000)
BATCH = 50
CORPUS = [
    "the",
    "hello",
    "world",
    "wOrLd's",
    "don't",
    "I'll",
    "12",
    "123",
    "4567",
    "a_b",
    "x=1;",
    "if",
    "(y):",
    "return\n\n",
    "",
    "tabs\tand",
    "",
    "spaces",
    "née",
    "Œuvre",
    "ŒUVRE",
    "ﬁ",
    "²",
    "你好",
    "世界",
    "こんにちは",
    "한국어",
    "नमस्ते",
    "١٢٣",
    "é",
    "ẛ̣",
    "<x>",
    "</s>",
    "[MASK]",
    "!?.,;:",
    "\u3000",
    "İstanbul",
    "ΣΑΣ",
    "🙂🙂",
    "Ⅷ",
]
CHARS = [
    *CORPUS,
    *" \n\t\r'",
    *"aZ0²½_-+$<|>",
    " ",
    "  ",
    "\n\n",
    "\u0085",
    "\u00a0",
    "\u200d",
    "\u0327\u0301",
    "\U00011de3",
]
CONTENTS = ["<x>", "</s>", "[MASK]", " lo", "née", "ﬁ", "hell", "AB", "<x", "12", "e\u0301", "  "]
ON_TEXT = ("Metaspace", "UnicodeScripts")  # which are refused after ByteLevel
FORMS = [{"type": kind} for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase")]
PATTERNS = [
    r"\s+",
    r"\w+|[^\w\s]+",
    r"\p{N}{1,2}",
    r"a*",
    r"(?=\d)",
    r"[a-m]+\b",
    r"^.",
    r".$",
    r"(?i:'s|'ll)| ?\p{L}+",
    "o|lo",
]


@cache
def trained():
    """A vocab of 500 tokens, as the tokenizer.json's model has it."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=500, initial_alphabet=alphabet, show_progress=False)
    words = [" ".join(random.Random(i).sample(CORPUS, 20)) for i in range(200)]
    tokenizer.train_from_iterator([*words, *(word.lower() for word in words)], trainer)
    return json.loads(tokenizer.to_str())["model"]


def pattern(rng):
    literal = rng.random() < 0.3
    return {"String": rng.choice([" ", "l", "12", ".", "ﬁ", ""])} if literal else {"Regex": rng.choice(PATTERNS)}


def normalizer(rng):
    def part():
        return rng.choice(
            [
                *FORMS,
                {"type": "Prepend", "prepend": rng.choice([" ", "x", "\u0301"])},
                {"type": "Replace", "pattern": pattern(rng), "content": rng.choice(["", " ", "zz", "\u0301"])},
                {"type": "Strip", "strip_left": rng.random() < 0.5, "strip_right": rng.random() < 0.5},
                *rng.choices(NORMALIZERS, k=8),
            ]
        )

    if rng.random() < 0.4:
        return None
    return (
        part()
        if rng.random() < 0.6
        else {"type": "Sequence", "normalizers": [part() for _ in range(rng.randint(0, 3))]}
    )


def pre_tokenizer(rng):
    def part(*, on_bytes=False):
        others = [each for each in PRE_TOKENIZERS if each["type"] not in ("ByteLevel", *ON_TEXT * on_bytes)]
        return rng.choice(
            [
                *rng.choices(others, k=6),
                {
                    "type": "Split",
                    "pattern": pattern(rng),
                    "behavior": rng.choice(BEHAVIORS),
                    "invert": rng.random() < 0.3,
                },
                {"type": "Digits", "individual_digits": rng.random() < 0.5},
                {"type": "Punctuation", "behavior": rng.choice(BEHAVIORS)},
                {"type": "Whitespace"},
                {"type": "WhitespaceSplit"},
                {"type": "CharDelimiterSplit", "delimiter": rng.choice(" l_1")},
            ]
        )

    spaced, regex = rng.random() < 0.4, rng.random() < 0.5
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": spaced,
        "trim_offsets": rng.random() < 0.5,
        "use_regex": regex,
    }
    before, after = rng.choice([0, 0, 1, 2, 3]), rng.choice([0, 0, 0, 1, 2])
    if not before + after and rng.random() < 0.5:
        return byte_level
    parts = [*(part() for _ in range(before)), byte_level, *(part(on_bytes=True) for _ in range(after))]
    return {"type": "Sequence", "pretokenizers": parts}


def post_processor(rng, ids):
    byte_level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True}
    first, last = rng.sample(sorted(ids), 2)
    sides = [{"SpecialToken": {"id": name, "type_id": 0}} for name in (first, last)]
    text = {"Sequence": {"id": "A", "type_id": 0}}
    special = {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in (first, last)}
    single = [*sides[: rng.randint(0, 1)], text, *sides[1 : rng.randint(1, 2)]]
    pair = [text, {"Sequence": {"id": "B", "type_id": 0}}]
    template = {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": special}
    around = {"sep": [last, ids[last]], "cls": [first, ids[first]]}
    roberta = {"type": "RobertaProcessing", **around, "trim_offsets": True, "add_prefix_space": False}
    several = {"type": "Sequence", "processors": [byte_level, template]}
    return rng.choice([None, byte_level, template, roberta, {"type": "BertProcessing", **around}, several])


def document(rng):
    contents = rng.sample(CONTENTS, rng.randint(2, 6))
    flags = ("special", "lstrip", "rstrip", "single_word", "normalized")
    model = trained() | {"ignore_merges": rng.random() < 0.3, "dropout": rng.choice([None, 0.0])}
    model |= {"continuing_subword_prefix": rng.choice([None, ""]), "end_of_word_suffix": rng.choice([None, ""])}
    model |= {"unk_token": rng.choice([None, "a"]), "fuse_unk": rng.random() < 0.5}
    following = len(model["vocab"])
    added = []
    for content in contents:
        i = model["vocab"].get(content, following)
        following += i == following
        added.append({"id": i, "content": content, **{flag: rng.random() < 0.3 for flag in flags}})
    return {
        "added_tokens": added,
        "normalizer": normalizer(rng),
        "pre_tokenizer": pre_tokenizer(rng),
        "post_processor": post_processor(rng, {token["content"]: token["id"] for token in added}),
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": model,
    }


def texts(rng):
    chars = [*CHARS, *CONTENTS, *rng.sample(TO_NORMALIZE, 20), *rng.sample(TO_SPLIT, 20)]
    return ["", " ", *("".join(rng.choices(chars, k=rng.randint(1, 12))) for _ in range(30))]


def compatible(data):
    with suppress(NotSupportedError):  # of post-processors
        return Compatible.from_str(data)


def rows(encoding):
    return {row: getattr(encoding, row) for row in ("ids", "tokens", "offsets", "word_ids", "special_tokens_mask")}


def tiles(spans, size):
    ends = [0, *(end for _, end in spans)]
    return not spans or ([start for start, _ in spans] == ends[:-1] and ends[-1] == size and ends == sorted(ends))


@pytest.mark.parametrize("batch", range(CONFIGS // BATCH))
def test_components_at_random(batch, tmp_path):
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(seed)
        made = document(rng)
        data = json.dumps(made)
        shown = {name: made[name] for name in ("added_tokens", "normalizer", "pre_tokenizer", "post_processor")}
        try:
            theirs = tokenizers.Tokenizer.from_str(data)
        except BaseException as error:  # noqa: BLE001 - it panics on a few normalizers
            assert "index out of bounds" in str(error), (seed, shown)
            continue
        looked_for = [
            theirs.normalizer.normalize_str(token["content"])
            for token in made["added_tokens"]
            if token["normalized"] and theirs.normalizer
        ]
        if len(set(looked_for)) < len(looked_for):
            continue  # which of two `tokenizers` finds changes from one run to the next; here it is the first
        engine = rng.choice(["native", "python"])
        try:
            tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data.encode()), engine=engine)
        except wordsplit.UnsupportedVocabError as error:
            assert re.search("is empty when normalized|matches the empty string", str(error)), (seed, shown)
            continue
        again = None
        if rng.random() < 0.3 and not {"12", "hell"} & {token["content"] for token in made["added_tokens"]}:
            tok.vocab.save_tokenizer_json(tmp_path / "again.json")
            assert wordsplit.load_vocab(tmp_path / "again.json").fingerprint == tok.vocab.fingerprint, (seed, shown)
            again = tokenizers.Tokenizer.from_file(str(tmp_path / "again.json"))
        alike = compatible(data)
        for text in texts(rng):
            expected = unless_panic(theirs.encode, text)
            if expected is None:
                continue
            found = tok.encode_with_offsets(text)
            assert found.ids == tok.encode(text) == expected.ids, (seed, engine, text, shown)
            assert tiles(found.byte_spans, len(text.encode())), (seed, engine, text, shown)
            if again is not None:
                assert unless_panic(again.encode, text).ids == expected.ids, (seed, text, shown)
            assert alike is None or rows(alike.encode(text)) == rows(expected), (seed, text, shown)
