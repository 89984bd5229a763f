"""Bytes that are not UTF-8, each of which counts as a character: the core, and the Python engine."""

import random

import pytest
import random_models
import tokenizers
from depth import by_depth
from tokenizers import decoders, models, normalizers, pre_tokenizers

import wordsplit
from wordsplit.byte_level import to_byte_level

SEEDS = by_depth(25, 150, 6_000)
PIECES = [
    b"\xf0",
    b"\x9f",
    b"\xa6",
    b"\x80",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"\xf5",
    b"\xff",
    b"\xe4\xb8",
    b"\xf0\x9f\xa6",
]
KINDS = [*random_models.MODELS, "byte_level_bpe", "lacking"]


def invalid(rng, text):
    """A text with bytes left out, put in and changed."""
    data = text.encode()
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(data))
        data = data[:at] + rng.choice([*PIECES, bytes([rng.randrange(128, 256)])]) + data[at + rng.randrange(2) :]
    return data


def byte_level(rng):
    """A byte-level BPE."""
    letters = [to_byte_level(bytes([byte])) for byte in range(256)]
    pairs = sorted({a + b for a, b in zip(rng.choices(letters, k=80), rng.choices(letters, k=80), strict=True)})
    vocab = {token: at for at, token in enumerate([*letters, *pairs])}
    made = tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=[(pair[0], pair[1]) for pair in pairs]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=rng.random() < 0.5)
    made.normalizer = rng.choice([None, normalizers.NFC(), normalizers.NFKC()])
    made.decoder = decoders.ByteLevel()
    return made


def oracle(kind, seed):
    """A tokenizer of a kind, the generator for texts, and the texts of its tokens."""
    if kind in random_models.MODELS:
        return random_models.random_oracle(kind, seed)
    rng = random.Random(f"{kind} {seed}")
    if kind == "lacking":
        return *random_models.lacking_oracle(seed, *rng.choice(random_models.MISSING_BYTES)), []
    return byte_level(rng), rng, []


@pytest.mark.parametrize("kind", KINDS)
def test_core_and_python_agree(kind):
    in_core = 0
    for seed in range(SEEDS):
        made, rng, tokens = oracle(kind, seed)
        try:
            ours = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(made.to_str().encode()))
        except wordsplit.UnsupportedVocabError:
            continue
        in_core += ours._engine.core is not None
        given = [invalid(rng, text) for text in random_models.texts(rng, tokens) for _ in range(3)]
        for data in given:
            try:
                ids = ours._engine.in_python.encode(data, ())
            except wordsplit.UnknownTokenError:
                with pytest.raises(wordsplit.UnknownTokenError):
                    ours.encode(data)
                continue
            assert ours.encode(data) == ids, (seed, data, made.to_str())
            assert ours.encode_with_offsets(data).ids == ids, (seed, data)
            assert ours.count(data) == len(ids), (seed, data)
    assert in_core > SEEDS / 10


@pytest.mark.parametrize(
    ("data", "fuse_unk", "ids"),
    [
        (b"ab \xf0\x9f c", False, [1, 2, 0, 0, 0, 0, 3]),
        (b"ab \xf0\x9f c", True, [1, 2, 0, 3]),
        (b"a\x9fb\xf0\x9f\xa6\x9c\x9f\xa6\xff", False, [1, 0, 2, 0, 0, 0, 0]),
        ("\u4e2d".encode() + b"\xff\xe4\xb8", True, [0]),  # no cut where U+10FFFF is a token
        (b"\xff" + "\U0010ffff".encode(), True, [0, 4]),
    ],
)
def test_each_byte_is_unknown(data, fuse_unk, ids):
    vocab = {"<unk>": 0, "a": 1, "b": 2, "c": 3, "\U0010ffff": 4, "\U0001f98a": 5}
    made = tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=[], unk_token="<unk>", fuse_unk=fuse_unk))  # noqa: S106
    ours = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(made.to_str().encode()))
    assert ours._engine.core is not None
    assert ours.encode(data) == ids
    assert ours._engine.in_python.encode(data, ()) == ids


@pytest.mark.parametrize("data", [b"a \x80", b" \x80 ", b"a \x80\x80", b"\xe2\x82 \x82  "])
def test_such_bytes_behind_spaces_are_not_stripped_with_them(data):
    vocab = [("<unk>", 0.0), ("\u2581", -1.0), ("a", -2.0)]
    made = tokenizers.Tokenizer(models.Unigram(vocab, 0, False))
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Strip(left=False)])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    ours = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(made.to_str().encode()))
    assert ours._engine.core is not None
    want = made.encode(data.decode(errors="replace")).ids
    assert want[-1] == 0
    assert ours.encode(data) == ours.encode_with_offsets(data).ids == ours._engine.in_python.encode(data, ()) == want
