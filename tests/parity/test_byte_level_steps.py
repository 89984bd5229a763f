"""Byte-level BPE whose pre-tokenizer has steps before and behind ``ByteLevel``: ids and places of `tokenizers`."""

import random
from functools import partial

import pytest
from depth import by_depth
from oracles import unless_panic
from parity.parts import BEHAVIORS, PRE_TOKENIZERS, TO_NORMALIZE, TO_SPLIT, byte_level, split, texts
from parity.test_text_steps import ADDED, loaded, normalizer, places

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.engine.in_core import can_preprocess_natively

CONFIGS = by_depth(50, 250, 20_000)
BATCH = 50
TEXTS = by_depth(40, 60, 60)
LETTERS = to_byte_level(bytes(range(256)))
# Of the letters that stand for bytes: a space is Ġ there, é is Ã©.
BEHIND = ("Ġ", "[a-mÃ]+", "©|ł", r"\p{L}+", "[^Ġ]", r"(?<=Ġ)\p{L}", r"Ġ(?=[^Ġ])", "Ġ{1,2}", r"\d", r"^.|.$")


def pre_tokenizer(rng):
    before = [rng.choice(PRE_TOKENIZERS) for _ in range(rng.choice([0, 0, 1, 2]))]
    patterns = [split({"Regex": pattern}, rng.choice(BEHAVIORS), rng.random() < 0.3) for pattern in BEHIND]
    kinds = [{"type": kind} for kind in ("Whitespace", "WhitespaceSplit", "Punctuation", "Digits")]
    kinds[2]["behavior"], kinds[3]["individual_digits"] = rng.choice(BEHAVIORS), rng.random() < 0.5
    behind = [rng.choice(rng.choice([patterns, patterns, kinds])) for _ in range(rng.choice([0, 1, 1, 2]))]
    letters = byte_level(prefix=rng.random() < 0.3, regex=rng.random() < 0.5)
    steps = [each for each in before if each["type"] != "ByteLevel"]
    return {"type": "Sequence", "pretokenizers": [*steps, letters, *behind]}


def document(rng, given):
    """A tokenizer.json whose merges are of letters that follow each other in texts."""
    spelled = [to_byte_level(text.encode()) for text in given if text]
    pairs = {
        text[at : at + 2] for text in rng.choices(spelled, k=60) if (at := rng.randrange(len(text))) < len(text) - 1
    }
    has_all = rng.random() < 0.8
    letters = [each for each in LETTERS if has_all or rng.random() < 0.95]
    pairs = sorted(pair for pair in pairs if set(pair) <= set(letters))
    merges = [list(pair) for pair in pairs]
    model = {"type": "BPE", "vocab": {token: at for at, token in enumerate([*letters, *pairs])}, "merges": merges}
    flags = ("special", "lstrip", "rstrip", "single_word", "normalized")
    tokens = [
        {"id": len(model["vocab"]) + at, "content": content, **{flag: rng.random() < 0.3 for flag in flags}}
        for at, content in enumerate(rng.sample(["<x>", "日", " a", "a\u0301"], rng.choice([0, 0, 1, 2])))
    ]
    rules = {
        "normalizer": normalizer(rng),
        "pre_tokenizer": pre_tokenizer(rng),
        "decoder": byte_level(prefix=False, regex=True),
    }
    return {"version": "1.0", "model": model, "added_tokens": tokens, **rules}


def is_placed_otherwise(vocab):
    """Whether wordsplit.engine.offsets places some otherwise: a space put before a text, clusters, stripped space."""
    rules = vocab.normalizer == "nfc" or vocab.add_prefix_space or any(token.rstrip for token in vocab.added_tokens)
    return rules and can_preprocess_natively(vocab)


@pytest.mark.parametrize("batch", range(CONFIGS // BATCH))
def test_steps_at_random(batch):
    in_core = compared = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(seed)
        given = list(texts(seed, [*TO_NORMALIZE, *TO_SPLIT, *ADDED], TEXTS))
        both = loaded(seed, partial(document, rng, given))
        if both is None:
            continue
        made, theirs, ours = both
        python = wordsplit.TokenizerOptions(engine="python").build(ours.vocab)
        shown = {name: made[name] for name in ("normalizer", "pre_tokenizer", "added_tokens")}
        in_core += ours._engine.core is not None
        for at, text in enumerate(given):
            want = unless_panic(theirs.encode, text)
            if want is None:
                continue
            compared += 1
            assert ours.encode(text) == want.ids, (seed, ascii(text), shown)
            located = ours.encode_with_offsets(text)
            assert located.ids == want.ids
            if not is_placed_otherwise(ours.vocab):
                assert located.char_spans == want.offsets, (seed, ascii(text), shown)
            if at % 8 == 0:
                assert places(located) == places(python.encode_with_offsets(text)), (seed, ascii(text), shown)
    assert compared > BATCH * TEXTS / 2
    assert in_core > BATCH / 3
