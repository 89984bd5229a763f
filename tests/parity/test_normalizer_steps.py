"""Normalizers of several steps before words that begin with a space, in the core: the ids of `tokenizers`."""

import json
import random

import pytest
import tokenizers
from charsmaps import charsmap
from depth import by_depth
from generated import random_char

import wordsplit
from wordsplit.engine.words import word_map_of

TURNS = by_depth(25, 250, 5_000)
TEXTS = 120
CHARSMAP = charsmap(
    {"\u00a0": " ", "\u3000": " ", "\t": " ", ".": "P.", '"': 'Q"', "\u00e9": "e", "e\u0301": "E", "\ufb01": "fi"}
    | {"\u200b": "", "A": "a", "\r\n": " ", "\uff21": "A"}
)


def replace(pattern, content):
    return {"type": "Replace", "pattern": {"String": pattern}, "content": content}


STEPS = [
    *({"type": kind} for kind in ("NFC", "NFD", "NFKC", "NFKD", "StripAccents", "Lowercase", "Nmt")),
    *(replace(*each) for each in (("``", '"'), ("''", '"'), ("a", "e\u0301"), ("\u00e9", "''"), ("e\u0301", "E"))),
    *(replace(*each) for each in (("ab", ""), ("x", ""), ("\u0301", ""))),
]
STRIPS = [
    {"type": "Strip", "strip_left": left, "strip_right": right} for left in (True, False) for right in (True, False)
]
# Marks, letters of Korean syllables, what decomposes to a space and a mark, and what patterns have.
AWKWARD = (
    "\u0300\u0301\u0308\u0316\u0327\u0344\u0345\u0364\u1100\u1161\u11a8\uac00\uac01\u3099\u093c\u09be\u09d7\u200c\u200d"
    "\u0600\u064b\u0651\u05b7\u00a8\u00b4\u037a\u0390\u1fee\u212b\u0130\u03a3\ufb01\u3000\u00a0\u2003\r\n\t\x01\u2581"
    "\U0001d15e\U0001d165\U0001f1e6\U0001f468\ufe0f  ''``ab.aexé"
)


def vocab(normalizers, *, drops_spaces, added=()):
    """A Unigram vocab whose tokens are the characters that the awkward ones become, and a few of two."""
    tokens = sorted(
        {*"abcdefghijklmnopqrstuvwxyzAEPQ.\"'`", *AWKWARD, "\u2581", "\u00e5", "\u03c9", "\u2581a", "ab", "fi"}
    )
    metaspace = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
    pre_tokenizer = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]}
    scores = [["<unk>", 0.0], *([token, -1.0 - n / 64] for n, token in enumerate(tokens))]
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": [
                {"id": len(scores) + n, "content": content, "normalized": True, "special": False}
                | dict.fromkeys(("single_word", "lstrip", "rstrip"), False)
                for n, content in enumerate(added)
            ],
            "normalizer": {"type": "Sequence", "normalizers": normalizers},
            "pre_tokenizer": pre_tokenizer if drops_spaces else metaspace,
            "model": {"type": "Unigram", "unk_id": 0, "vocab": scores, "byte_fallback": False},
        }
    )


def a_text(rng):
    kinds = [lambda: rng.choice(AWKWARD), lambda: random_char(rng), lambda: rng.choice(" abe.")]
    if rng.random() < 0.3:
        del kinds[1]
    return "".join(rng.choice(kinds)() for _ in range(rng.randrange(1, 30)))


@pytest.mark.parametrize("seed", range(TURNS))
def test_random_steps(seed, tmp_path):
    rng = random.Random(seed)
    normalizers = rng.choices(STEPS, k=rng.randint(1, 4))
    if rng.random() < 0.4:
        normalizers.insert(0, rng.choice(STRIPS))
    if rng.random() < 0.7:
        normalizers.append({"type": "Precompiled", "precompiled_charsmap": CHARSMAP})
    if rng.random() < 0.4:
        normalizers.append({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})
    path = tmp_path / "tokenizer.json"
    added = rng.sample(("bc", "[UNK]", "z\u00e9", "``q"), rng.choice((0, 0, 2)))
    path.write_text(vocab(normalizers, drops_spaces=rng.random() < 0.3, added=added), encoding="utf-8")
    theirs, ours = tokenizers.Tokenizer.from_file(str(path)), wordsplit.load_tokenizer(path)
    assert word_map_of(ours.vocab) is not None or added
    texts = [a_text(rng) for _ in range(TEXTS)]
    expected = [each.ids for each in theirs.encode_batch(texts)]
    assert ours.encode_batch(texts) == expected
    assert [ours.encode(text) for text in texts] == expected


@pytest.mark.parametrize("mark", ["\u0301", "`", "\u1161", "\U00012000", "e\u0301"])
def test_ten_megabytes_that_depend_on_each_other(mark, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(vocab([STEPS[7], {"type": "NFKC"}, {"type": "Lowercase"}], drops_spaces=False), encoding="utf-8")
    tok = wordsplit.load_tokenizer(path)
    few, many = mark * 1000, mark * (by_depth(1_000_000, 10_000_000, 10_000_000) // len(mark.encode()))
    assert tokenizers.Tokenizer.from_file(str(path)).encode(few).ids == tok.encode(few)
    assert tok.count(many) >= 1
