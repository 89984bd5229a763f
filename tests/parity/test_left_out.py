"""BPE of characters without an unknown token: unknown characters are left out, and those beside them may merge."""

import json
import random

import pytest
from depth import by_depth
from tokenizers import Tokenizer

import wordsplit
from wordsplit.engine.native import NativeEncoding, NativeWordEngine

LETTERS = "abcé!.中"
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
ACCENTS = {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]}
RULES = {
    "none": (None, None),
    "whitespace": (None, {"type": "Whitespace"}),
    "accents": (ACCENTS, {"type": "Whitespace"}),
    "spaces": (None, {"type": "WhitespaceSplit"}),
    "metaspace": (None, METASPACE),
    "pattern": (None, {"type": "Split", "pattern": {"Regex": r"\w+|\W+"}, "behavior": "Isolated", "invert": False}),
}


def file_of(normalizer, pre_tokenizer):
    pairs = ["ab", "ca", "!!", "é中", "▁a", "abca"]
    merges = [["a", "b"], ["c", "a"], ["!", "!"], ["é", "中"], ["▁", "a"], ["ab", "ca"]]
    vocab = {token: i for i, token in enumerate([*LETTERS, "▁", *pairs, "x y"])}
    model = {"type": "BPE", "unk_token": None, "vocab": vocab, "merges": merges, "fuse_unk": True}
    return json.dumps({"normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "model": model})


@pytest.mark.parametrize("rules", RULES)
def test_ids(rules):
    file = file_of(*RULES[rules])
    theirs, vocab = Tokenizer.from_str(file), wordsplit.load_vocab_bytes(file.encode())
    native, python = (wordsplit.load_tokenizer(vocab, engine=engine) for engine in ("native", "python"))
    assert isinstance(native._engine, (NativeEncoding, NativeWordEngine))
    rng = random.Random(rules)
    letters = [*LETTERS, *"xж☃\u0301 \t▁\U0001f600"]
    texts = ["".join(rng.choices(letters, k=rng.randrange(14))) for _ in range(by_depth(150, 500, 100_000))]
    texts += ["☃" * 300, "a☃" * 300, "ab☃ca" * 100, "ж", ""]
    wanted = [encoding.ids for encoding in theirs.encode_batch(texts)]
    assert native.encode_batch(texts) == python.encode_batch(texts) == wanted
    for text, ids in zip(texts, wanted, strict=True):
        assert native.encode(text) == ids, ascii(text)
        assert native.count(text) == len(ids)
        found, expected = native.encode_with_offsets(text), python.encode_with_offsets(text)
        assert (found.ids, found.char_spans) == (expected.ids, expected.char_spans), ascii(text)


def test_offsets_of_the_stand_in():
    from wordsplit.compat.tokenizers import Tokenizer as Ours

    rng = random.Random(1)
    for rules in RULES.values():
        file = file_of(*rules)
        theirs, ours = Tokenizer.from_str(file), Ours.from_str(file)
        for _ in range(by_depth(40, 150, 10_000)):
            text = "".join(rng.choices([*LETTERS, *"xж☃ \u0301"], k=rng.randrange(9)))
            want, found = theirs.encode(text), ours.encode(text)
            assert (found.ids, found.offsets, found.tokens) == (want.ids, want.offsets, want.tokens), ascii(text)
