"""Normalizers that strip, join or map spaces, in every order, before words with a mark: what `tokenizers` gives."""

import itertools
import json

import pytest
import tokenizers
from charsmaps import charsmap
from depth import by_depth

import wordsplit

STRIPS = [{"type": "Strip", "strip_left": left, "strip_right": True} for left in (False, True)]
JOINS = [{"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": content} for content in (" ", "\u2581")]
MAPS = [{"type": "Precompiled", "precompiled_charsmap": charsmap({"é": made, "\u3000": " "})} for made in ("e", "  ")]
NORMALIZERS = [*STRIPS, *JOINS, *MAPS, {"type": "NFKC"}, {"type": "Lowercase"}]
METASPACES = [
    {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": scheme, "split": split}
    for scheme in ("always", "never", "first")
    for split in (True, False)
]
PRE_TOKENIZERS = [[*before, metaspace] for before in ([], [{"type": "WhitespaceSplit"}]) for metaspace in METASPACES]
TOKENS = ["<unk>", "<x>", "\u2581", "a", "b", "e", "\u2581a", "\u2581b", "\u2581\u2581", "a\u2581"]
MODEL = {"type": "Unigram", "unk_id": 0, "vocab": [[token, -1 - at / 7] for at, token in enumerate(TOKENS)]}
FLAGS = ("lstrip", "rstrip", "single_word", "normalized")
ADDED = [{"id": 1, "content": "<x>", "special": True, **dict.fromkeys(FLAGS, False)}]
TEXTS = [
    *("".join(text) for n in range(1, by_depth(5, 6, 7)) for text in itertools.product("a \u2581", repeat=n)),
    *("".join(text) for n in range(1, by_depth(4, 5, 6)) for text in itertools.product("a é\n\u3000", repeat=n)),
    *("  <x>  ", "a  <x> \n", "a<x>  \u3000b"),
]
ORDERS = [order for n in range(by_depth(3, 4, 5)) for order in itertools.product(NORMALIZERS, repeat=n)]


def document(normalizers, pre_tokenizers):
    """A tokenizer.json with these steps."""
    return json.dumps(
        {
            "normalizer": {"type": "Sequence", "normalizers": normalizers},
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": pre_tokenizers},
            "model": MODEL,
            "added_tokens": ADDED,
        }
    )


@pytest.mark.parametrize("pre_tokenizers", PRE_TOKENIZERS)
def test_in_every_order(pre_tokenizers):
    compared = 0
    for order in ORDERS[:: by_depth(1, 3, 3)]:
        data = document(order, pre_tokenizers)
        theirs = tokenizers.Tokenizer.from_str(data)
        ours = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data.encode()))
        wanted = [encoding.ids for encoding in theirs.encode_batch_fast(TEXTS)]
        for text, ids, want in zip(TEXTS, ours.encode_batch(TEXTS), wanted, strict=True):
            assert ids == want, (order, text)
            compared += 1
        for text in TEXTS[len(order) :: by_depth(29, 11, 5)]:
            assert ours.encode_with_offsets(text).char_spans == theirs.encode(text).offsets, (order, text)
    assert compared > 5000
