"""Added tokens of vocabs without a pattern, which the model may give for their literals, too: as in `tokenizers`."""

import json
import random

import pytest
import tokenizers as theirs
from depth import by_depth
from oracles import unless_panic

from wordsplit.compat import tokenizers as ours

LETTERS = [*"abc\n\té中<>", "▁"]
MERGES = ["a b", "ab c", "\n \n", "\n\n \n\n", "▁ a", "▁ ▁", "▁▁ ▁▁", "< a", "<a >", "b \n", "\t \t", "▁a b", "é 中"]
PIECES = ["<unk>", *LETTERS, *(merge.replace(" ", "") for merge in MERGES), "bc", "c\n", "\n\n\n"]  # three unmerged
NEWLINES = ["\n", "\n\n", "\n\n\n", "\n\n\n\n"]
LITERALS = [*NEWLINES, "\t", "▁▁", "  ", "ab", "bc", "c\n", "<a>", "é中", "▁ab", " ab", "<s>", "中a"]
TO_SPACES = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
SPLIT = {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False}
PREPEND = {"type": "Prepend", "prepend": "▁"}
RULES = {
    "spaces": (TO_SPACES, None),
    "prepended": ({"type": "Sequence", "normalizers": [PREPEND, TO_SPACES]}, None),
    "split": (TO_SPACES, SPLIT),
    "metaspace": (None, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}),
}


def file_of(rules, *, byte_fallback):
    normalizer, step = RULES[rules]
    pieces = [*PIECES, *(f"<0x{byte:02X}>" for byte in range(256))] if byte_fallback else PIECES
    model = {"vocab": {piece: i for i, piece in enumerate(pieces)}, "merges": MERGES, "unk_token": "<unk>"}
    return json.dumps(
        {
            "normalizer": normalizer,
            "pre_tokenizer": step,
            "model": {"type": "BPE", "byte_fallback": byte_fallback, "fuse_unk": True, **model},
        }
    )


@pytest.mark.parametrize("byte_fallback", [False, True])
@pytest.mark.parametrize("rules", RULES)
def test_as_in_the_original(rules, byte_fallback):
    rng = random.Random(rules)
    file = file_of(rules, byte_fallback=byte_fallback)
    for _ in range(by_depth(2, 10, 3_000)):
        tok, mine = theirs.Tokenizer.from_str(file), ours.Tokenizer.from_str(file)
        chances = {"lstrip": 0.1, "rstrip": 0.1, "single_word": 0.1, "normalized": 0.3}
        added = {
            literal: {flag: rng.random() < chance for flag, chance in chances.items()}
            for literal in rng.sample(LITERALS, rng.randrange(1, 9))
        }
        for first, second in (("  ", "▁▁"), (" ab", "▁ab")):  # equal when normalized: either may be found there
            if second in added and added.get(first, {}).get("normalized"):
                added[second]["normalized"] = False
        for each, library in ((mine, ours), (tok, theirs)):
            each.add_tokens([library.AddedToken(literal, **flags) for literal, flags in added.items()])
        texts = ["".join(rng.choices([*LETTERS, " ", "x", *added], k=rng.randrange(1, 30))) for _ in range(10)]
        texts.append("".join(rng.choices([*LETTERS, " ", *added], k=4_000)))  # of more spans than a block has
        for text, found in zip(texts, mine.encode_batch(texts), strict=True):
            want = unless_panic(tok.encode, text)
            if want is None:
                continue
            assert (found.ids, found.offsets) == (want.ids, want.offsets), (added, ascii(text))
            assert mine.encode(text).ids == want.ids, (added, ascii(text))
