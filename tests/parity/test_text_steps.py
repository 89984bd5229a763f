"""Steps in the core on a text as a whole: ids and offsets are those of `tokenizers`, and of the steps in Python."""

import json
import random
from functools import partial

import pytest
import tokenizers
from depth import by_depth
from oracles import unless_panic
from parity.parts import BEHAVIORS, NORMALIZERS, PRE_TOKENIZERS, TO_NORMALIZE, TO_SPLIT, split, texts

import wordsplit

CONFIGS = by_depth(50, 225, 30_000)
BATCH = 50
TEXTS = by_depth(60, 100, 100)
PATTERNS = (
    r"\s+",
    " {2,}",
    r"\d+",
    r"[^\w\s]",
    r"\p{M}|[a-f]+",
    "(?i)é",
    r"(?<=a) ",
    r"\s+(?=\S)",
    r"^\s|\s$",
    r"\bt?",
)
ADDED = ("<x>", "ab", "é", " a", "\u2581", "a\u0301")
MODELS = ("Unigram", "WordPiece", "WordLevel", "BPE")
KINDS = ("Replace", "Strip", "Lowercase", "NFKC")


def normalizer(rng):
    if rng.random() < 0.2:
        return None
    usual = [each for each in NORMALIZERS if each["type"] in KINDS]
    patterns = [
        {
            "type": "Replace",
            "pattern": {"Regex": rng.choice(PATTERNS)},
            "content": rng.choice([" ", "", "0", "e\u0301"]),
        }
        for _ in range(20)
    ]
    steps = [rng.choice(rng.choice([usual, patterns, NORMALIZERS])) for _ in range(rng.randint(1, 4))]
    return {"type": "Sequence", "normalizers": steps} if len(steps) > 1 else steps[0]


def pre_tokenizer(rng):
    if rng.random() < 0.1:
        return None
    patterns = [split({"Regex": pattern}, rng.choice(BEHAVIORS), rng.random() < 0.3) for pattern in PATTERNS]
    metaspaces = [each for each in PRE_TOKENIZERS if each["type"] == "Metaspace"]
    scripts = [{"type": kind} for kind in ("UnicodeScripts", "WhitespaceSplit", "Whitespace")]
    every = [patterns, metaspaces, scripts, PRE_TOKENIZERS]
    steps = [rng.choice(rng.choice(every)) for _ in range(rng.randint(1, 3))]
    behind = [at for at, step in enumerate(steps) if step["type"] == "ByteLevel"]
    if behind:  # what comes after it sees bytes
        del steps[behind[0] + 1 :]
    return {"type": "Sequence", "pretokenizers": steps}


def model(kind, characters, rng):
    """A model whose ids tell characters apart, and pieces by what is joined in them."""
    letters = sorted(characters)
    pairs = sorted({a + b for a, b in zip(rng.choices(letters, k=60), rng.choices(letters, k=60), strict=True)})
    if kind == "Unigram":
        scores = [["<unk>", 0.0], *([token, -2.0 - at / 512] for at, token in enumerate([*letters, *pairs]))]
        return {"type": "Unigram", "unk_id": 0, "vocab": scores, "byte_fallback": False}
    if kind == "BPE":
        ids = {token: at for at, token in enumerate(["<unk>", *letters, *pairs])}
        merges = [[pair[0], pair[1]] for pair in pairs]
        return {"type": "BPE", "unk_token": "<unk>", "fuse_unk": rng.random() < 0.5, "vocab": ids, "merges": merges}
    every = ["<unk>", *letters, *pairs, *(f"##{letter}" for letter in letters if kind == "WordPiece")]
    found = {"type": kind, "unk_token": "<unk>", "vocab": {token: at for at, token in enumerate(every)}}
    more = {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100_000}
    return found | more if kind == "WordPiece" else found


def document(rng, given):
    """A tokenizer.json with random steps."""
    return completed(rng, given, normalizer(rng), pre_tokenizer(rng))


def completed(rng, given, normalizer, pre_tokenizer):
    """A tokenizer.json whose model has the characters that its steps make of texts."""
    made = {"version": "1.0", "normalizer": normalizer, "pre_tokenizer": pre_tokenizer}
    plain = made | {"model": {"type": "WordLevel", "vocab": {"<unk>": 0}, "unk_token": "<unk>"}, "added_tokens": []}
    theirs = tokenizers.Tokenizer.from_str(json.dumps(plain))
    characters = {*"ab \u2581"}
    for text in given:
        normal = unless_panic(theirs.normalizer.normalize_str, text, otherwise="") if made["normalizer"] else text
        characters.update(normal)
        if made["pre_tokenizer"] and normal:
            found = unless_panic(theirs.pre_tokenizer.pre_tokenize_str, normal, otherwise=[])
            characters.update(*(piece for piece, _ in found))
    kept = [char for char in sorted(characters) if rng.random() < 0.97]
    made["model"] = model(rng.choice(MODELS), kept, rng)
    size = len(made["model"]["vocab"])
    tokens = {each if isinstance(each, str) else each[0] for each in made["model"]["vocab"]}
    flags = ("special", "lstrip", "rstrip", "single_word", "normalized")
    contents = rng.sample(ADDED, rng.choice([0, 0, 1, 3]))
    made["added_tokens"] = [
        {"id": size + at, "content": content, **{flag: rng.random() < 0.3 for flag in flags}}
        for at, content in enumerate(contents)
        if content not in tokens
    ]
    return made


def places(found):
    return found.ids, found.byte_spans, found.char_spans, found.span_starts


def loaded(seed, make):
    """A tokenizer.json, and the tokenizers of both libraries for it; ``None`` if they cannot be compared."""
    try:
        made = make()
        theirs = tokenizers.Tokenizer.from_str(json.dumps(made))
        ours = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(json.dumps(made).encode()))
    except wordsplit.UnsupportedVocabError:
        return None
    except BaseException as error:  # noqa: BLE001 - it panics on a few normalizers
        assert "index out of bounds" in str(error), seed
        return None
    literals = [token["content"] for token in made["added_tokens"] if theirs.normalizer]
    found = [unless_panic(theirs.normalizer.normalize_str, literal) for literal in literals]
    if len(set(found)) < len(found):
        return None  # which of two `tokenizers` finds changes from one run to the next
    return made, theirs, ours


@pytest.mark.parametrize("batch", range(CONFIGS // BATCH))
def test_steps_at_random(batch):
    in_steps = in_core = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(seed)
        given = list(texts(seed, [*TO_NORMALIZE, *TO_SPLIT, *ADDED], TEXTS))
        both = loaded(seed, partial(document, rng, given))
        if both is None:
            continue
        made, theirs, ours = both
        shown = {name: made[name] for name in ("normalizer", "pre_tokenizer", "added_tokens")}
        is_in_steps = ours._engine.core is not None and ours._engine._rules.in_steps
        in_steps += is_in_steps
        wanted = [unless_panic(theirs.encode, text) for text in given]
        kept = [(text, want.ids) for text, want in zip(given, wanted, strict=True) if want is not None]
        for text, want in zip(given, wanted, strict=True):
            if want is None:
                continue
            assert ours.encode(text) == want.ids, (seed, made["model"]["type"], ascii(text), shown)
            located = ours.encode_with_offsets(text)
            assert located.char_spans == want.offsets, (seed, made["model"]["type"], ascii(text), shown)
            assert places(located) == places(ours._engine.in_python.encode_with_offsets(text, ())), (seed, ascii(text))
            in_core += is_in_steps and ours._engine._located(text, ()) is not None
        every = [text for text, _ in kept]
        assert ours.encode_batch(every) == [ids for _, ids in kept], (seed, shown)
        assert ours.count_batch(every) == [len(ids) for _, ids in kept], (seed, shown)
    assert in_steps > BATCH / 4
    assert in_core > BATCH * TEXTS / 4
