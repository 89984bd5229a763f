"""`Whitespace` and what often stands beside it, with all characters: the ids of `tokenizers`, from the core."""

import json
import random

import pytest
from depth import by_depth
from tokenizers import Tokenizer

import wordsplit
from wordsplit.engine.native import NativeWordEngine

LETTERS = "abé1!.-\u0301\u3000\u200dßΣ"
NORMALIZERS = {
    "none": [],
    "lowercase": ["Lowercase"],
    "accents": ["NFD", "Lowercase", "StripAccents"],
    "nfd": ["NFD"],
    "bert": [{"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True}],
}
MORE = {
    "alone": [],
    "digits": [{"type": "Digits", "individual_digits": True}],
    "punctuation": [{"type": "Punctuation"}],
}


def file_of(normalizer, more):
    """WordPiece tells where words begin, and knows few of them."""
    tokens = ["[UNK]", *(prefix + letter for prefix in ("", "##") for letter in LETTERS), "ab", "!!", "...", "--"]
    steps = [{"type": step, "behavior": "Isolated"} if isinstance(step, str) else step for step in normalizer]
    pre = [{"type": "Whitespace"}, *({"behavior": "Isolated", **step} for step in more)]
    return json.dumps(
        {
            "normalizer": {"type": "Sequence", "normalizers": steps},
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": pre},
            "model": {
                "type": "WordPiece",
                "unk_token": "[UNK]",
                "continuing_subword_prefix": "##",
                "max_input_chars_per_word": 100,
                "vocab": {token: i for i, token in enumerate(tokens)},
            },
        }
    )


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("normalizer", by_depth(["none", "accents"], [*NORMALIZERS], [*NORMALIZERS]))
def test_ids(normalizer, more):
    file = file_of(NORMALIZERS[normalizer], MORE[more])
    theirs = Tokenizer.from_str(file)
    toks = [
        wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(file.encode()), engine=each)
        for each in ("native", "python")
    ]
    assert isinstance(toks[0]._engine, NativeWordEngine)
    rng = random.Random(f"{normalizer} {more}")
    scalars = [point for point in range(1, 0x32400) if not 0xD800 <= point < 0xE000]
    texts = [f"a{chr(c)}b{chr(c)}!{chr(c)}. {chr(c)} a" for c in scalars[rng.randrange(97) :: by_depth(211, 97, 1)]]
    letters = [*LETTERS, *" \t\nAÉ\u0130\u00bd\u1e9b\u0323中\u4e00¿«\U0001f600\u0e01\u0345"]
    texts += ["".join(rng.choices(letters, k=rng.randrange(12))) for _ in range(by_depth(300, 800, 200_000))]
    wanted = [encoding.ids for encoding in theirs.encode_batch(texts)]
    for tok in toks:
        assert tok.encode_batch(texts) == wanted
    for text, ids in zip(texts, wanted, strict=True):
        assert toks[0].encode(text) == ids, ascii(text)
