"""Compiled files edited by hand, with the right checksum: refused, or used without harm.

Whatever is in such a file, no call may crash, hang, raise an untyped error, or give an id that no token has. A vocab
with a dense table of ids and one with holes are edited: in every part, by numbers that are likely to do harm.
"""

import json
import random
import struct
from contextlib import suppress

import pytest
from depth import by_depth
from vocabs.cache.conftest import environment, turned_on  # noqa: F401 - fixtures here, too
from vocabs.cache.test_damage import parts_of, with_sum
from vocabs.formats.test_tokenizer_json import SINGLE, added, document

import wordsplit
from wordsplit.vocabs.cache.compiled import CacheKey, CompiledStore

EDITS = by_depth(300, 600, 20_000)  # of each of two vocabs
WORDS = (0, 1, 2, 255, 256, 258, 259, 260, 261, 299, 300, 1 << 16, 1 << 20, (1 << 24) - 1, 1 << 31, 0xFFFFFFFE)
TEXTS = ["hello <|end|> hell", "he" * 300, "llhellohe", "\u00e9\u4f60", "", " ", "hello" * 40 + "x", "<|end|>"]


def sources():
    dense = document(added_tokens=[added("<|end|>", 260, special=True)])
    ids = {**SINGLE, "he": 300, "ll": 301, "hell": 305, "hello": 310}
    return {"dense": dense, "holes": document(model={"vocab": ids}, added_tokens=[added("<|end|>", 400, special=True)])}


def use(vocab):
    """Everything that looks into the tables, on every encoder."""
    known = {*vocab.tokens, *(token.id for token in vocab.added_tokens)}
    for encoder in ("auto", *wordsplit.list_encoders()):
        with suppress(wordsplit.WordsplitError):
            tok = wordsplit.TokenizerOptions(encoder=encoder, cache_bytes=4096).build(vocab)
            for text in TEXTS:
                found = tok.encode(text)
                assert set(found) <= known, (encoder, text)
                tok.decode(found)
            assert {i for ids in tok.encode_batch(TEXTS * 3) for i in ids} <= known
            tok.encode_with_offsets(TEXTS[0])
            tok.explain(TEXTS[0]).to_dict()
    for token_id in (0, 256, 259, 300, 310, 400):
        with suppress(wordsplit.WordsplitError):
            vocab.token_id(vocab.token_bytes(token_id))
    with suppress(wordsplit.WordsplitError):
        list(vocab.merges)


def edited(sound, parts, rng):
    """A copy with one to three harmful numbers in one part, and the right checksum."""
    data = bytearray(sound)
    start, size = rng.choice([part for part in parts if part[1]])
    for _ in range(rng.randint(1, 3)):
        place = start + rng.randrange(size) // 4 * 4
        kind = rng.random()
        if kind < 0.5 and place + 4 <= start + size:
            struct.pack_into("<I", data, place, rng.choice(WORDS))
        elif kind < 0.8 and place + 4 <= start + size:
            value = struct.unpack_from("<I", data, place)[0] + rng.choice((-1, 1, 256))
            struct.pack_into("<I", data, place, value & 0xFFFFFFFF)
        else:
            data[start + rng.randrange(size)] = rng.randrange(256)
    return with_sum(bytes(data))


@pytest.mark.parametrize("kind", ["dense", "holes"])
def test_edited_files(kind, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(sources()[kind])
    vocab = wordsplit.load_vocab(path)
    (compiled,) = (tmp_path / "cache" / "compiled").iterdir()
    sound = compiled.read_bytes()
    parts = parts_of(sound)
    at_, size = parts[0]
    store = CompiledStore(tmp_path / "cache")
    key = CacheKey(*json.loads(json.loads(sound[at_ : at_ + size])["key"]))
    assert store.load(key) == vocab
    use(vocab)
    rng = random.Random(kind)
    used = 0
    for _ in range(EDITS):
        compiled.unlink()
        compiled.write_bytes(edited(sound, parts, rng))
        found = store.load(key)
        if found is not None:
            used += 1
            use(found)
    assert used > EDITS // 20, "nearly every edit is refused: edit more cleverly"
