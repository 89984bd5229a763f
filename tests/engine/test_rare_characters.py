"""Rare characters: tables made in advance have them, others only if they are many. The ids of tokenizers, and soon."""

import itertools
import json
import random
import time

import pytest
import tokenizers
from depth import by_depth

import wordsplit
from wordsplit.engine import native, words

BERT = {"type": "BertPreTokenizer"}
DIGITS = {"type": "Sequence", "pretokenizers": [BERT, {"type": "Digits", "individual_digits": True}]}
"""Its table is not made in advance."""

PRIVATE_OR_UNASSIGNED = (
    (0xE000, 0xF900),
    (0x32400, 0x40000),
    (0xDFF00, 0xE0000),
    (0xE0200, 0xF0100),
    (0x10FE00, 0x10FF00),
)


def file_of(pre_tokenizer, **flags):
    """A WordPiece vocab of a few letters, normalized as BERT's are."""
    tokens = [
        "[UNK]",
        *"abcx",
        "##a",
        "##b",
        "\U00020000",
        "\U0002f81a",
        "\U00012000",
        "##\U00012000",
        "\U0001f600",
        "!",
    ]
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    model |= {"max_input_chars_per_word": 100, "vocab": {token: i for i, token in enumerate(tokens)}}
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, **flags}
    return json.dumps({"normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "model": model})


def tokenizer_of(file):
    return wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(file.encode(), format="tokenizer_json"))


@pytest.mark.parametrize(
    ("lowercase", "strip_accents"), list(itertools.product([True, False], repeat=2))[: by_depth(1, 4, 4)]
)
@pytest.mark.parametrize("pre_tokenizer", [BERT, DIGITS], ids=["in advance", "others"])
def test_ids(lowercase, strip_accents, pre_tokenizer, monkeypatch):
    monkeypatch.setattr(native, "_MUCH", 0)
    file = file_of(pre_tokenizer, lowercase=lowercase, strip_accents=strip_accents)
    theirs, tok = tokenizers.Tokenizer.from_str(file), tokenizer_of(file)
    pages = words._RARE_PAGES + (PRIVATE_OR_UNASSIGNED if pre_tokenizer is BERT else ())
    rare = [point for first, end in pages for point in range(first, end)][:: by_depth(61, 11, 1)]
    rng = random.Random(f"{lowercase} {strip_accents}")
    rng.shuffle(rare)
    between = ["", "", " ", "a", "b", "!", "e\u0301", "\u0301", "\U00020000", "\U0001f600", "\U0002f81a", "\U00010400"]
    texts = ["".join(chr(c) + rng.choice(between) for c in rare[at : at + 5]) for at in range(0, len(rare), 5)]
    wanted = theirs.encode_batch(texts)
    expected = [encoding.ids for encoding in wanted]
    assert [tok.encode(text) for text in texts] == expected
    assert tok.encode_batch(texts) == expected  # by the larger table
    assert tok.count_batch(texts) == list(map(len, expected))
    assert (tok._engine._wider is None) == (pre_tokenizer is BERT)
    assert [tok.encode_with_offsets(text).char_spans for text in texts] == [each.offsets for each in wanted]
    in_core = sum(tok._engine._located(text, ()) is not None for text in texts)
    assert in_core > len(texts) * 0.9


def test_many_are_encoded_in_the_core():
    file = file_of(DIGITS, lowercase=True, strip_accents=True)
    tok = tokenizer_of(file)
    rng = random.Random(0)
    text = "".join(rng.choices([chr(c) for c in range(0x20000, 0x21000)], k=by_depth(300_000, 1_000_000, 3_000_000)))
    tok.encode(text)  # makes the table
    start = time.process_time()
    ids = tok.encode(text)
    assert time.process_time() - start < len(text) / 2_000_000
    assert len(ids) == len(text)
    assert ids[:1000] == tokenizers.Tokenizer.from_str(file).encode(text[:1000]).ids
