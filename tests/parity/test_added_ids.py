"""Added tokens have the ids that `tokenizers` gives them, whatever the file says."""

import random

from depth import by_depth
from tokenizers import Tokenizer

import wordsplit
from wordsplit.vocabs.formats.tokenizer_json.loader import FLAGS


def document(rng):
    vocab = dict(zip("abc", rng.sample(range(8), 3), strict=True))
    contents = rng.sample(["x", "y", "z", "a", "c", "", "w"], rng.randrange(6))
    flags = dict.fromkeys(FLAGS, False)
    added = [
        {"content": text, "id": vocab.get(text, rng.randrange(12))} | flags | {"special": rng.random() < 0.5}
        for text in contents
    ]
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "a"}
    return {"version": "1.0", "added_tokens": added, "model": model}, contents


def test_gaps_are_closed_and_tokens_without_text_left_out():
    import json

    compared = 0
    for seed in range(by_depth(500, 2_500, 50_000)):
        rules, contents = document(random.Random(seed))
        data = json.dumps(rules)
        oracle = Tokenizer.from_str(data)
        try:
            vocab = wordsplit.load_vocab_bytes(data.encode(), format="tokenizer_json")
        except wordsplit.WordsplitError:
            continue  # an id that is another token's
        for content in filter(None, contents):
            assert vocab.token_id(content) == oracle.token_to_id(content), data
            compared += 1
    assert compared > 300
