"""Unigram, WordPiece and WordLevel behind `ByteLevel`, with tokens of letters that stand for bytes, in the core."""

import random

import pytest
from depth import by_depth
from generated import random_char
from parity.test_models import compare
from random_models import ALPHABET
from tokenizers import AddedToken, Tokenizer, models
from tokenizers.decoders import ByteLevel as Decoder
from tokenizers.pre_tokenizers import ByteLevel, Digits, Punctuation, Sequence, Split

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.engine.native import NativeWordEngine

TURNS = by_depth(15, 100, 6000)
CHARS = [*ALPHABET, *"12's, \t\u00a0", "'s", "  "]
STEPS = [Digits(individual_digits=True), Punctuation(), Split(" ", "merged_with_next"), Split("a", "isolated")]


def spelled(text):
    return to_byte_level(text.encode())


def a_model(rng, words):
    letters = sorted({letter for char in ALPHABET for letter in spelled(char)})
    tokens = ["<unk>", *rng.sample(letters, rng.randint(3, len(letters)))]
    tokens += [spelled(rng.choice(["", " ", "  "]) + word) for word in words]
    tokens += [spelled(word)[: rng.randint(1, 4)] for word in words]  # some of which end within a character
    tokens = list(dict.fromkeys(tokens))
    kind = rng.choice(("unigram", "pieces", "words"))
    if kind == "unigram":
        fallback = rng.random() < 0.3
        tokens += [f"<0x{byte:02X}>" for byte in range(256 * fallback)]
        return models.Unigram([(token, -rng.uniform(1, 9)) for token in tokens], 0, fallback)
    if kind == "pieces":
        tokens = list(dict.fromkeys([*tokens, *("##" + token for token in tokens[1:])]))
    ids = {token: at for at, token in enumerate(tokens)}
    make = models.WordPiece if kind == "pieces" else models.WordLevel
    return make(ids, unk_token="<unk>")  # noqa: S106 - a token of text


def an_oracle(rng):
    words = ["".join(rng.choices(ALPHABET.replace(" ", ""), k=rng.randint(1, 5))) for _ in range(30)]
    oracle = Tokenizer(a_model(rng, words))
    last = ByteLevel(add_prefix_space=rng.random() < 0.5, use_regex=rng.random() < 0.8)
    before = [rng.choice(STEPS)] if rng.random() < 0.4 else []
    oracle.pre_tokenizer = Sequence([*before, last]) if before else last
    oracle.decoder = Decoder()
    if rng.random() < 0.5:
        flags = {name: rng.random() < 0.3 for name in ("lstrip", "rstrip", "single_word", "normalized")}
        oracle.add_tokens([AddedToken("<s>", **flags), AddedToken("b中", normalized=rng.random() < 0.5)])
    return oracle, words


def some_texts(rng, words):
    parts = [*words, "<s>", "b中"]
    for at in range(12):
        made = [
            rng.choice(parts if rng.random() < 0.5 else CHARS) + rng.choice(["", " "]) for _ in range(rng.randint(0, 8))
        ]
        yield "".join(made) + (random_char(rng) if at % 3 == 0 else "")


@pytest.mark.parametrize("seed", range(TURNS))
def test_random_models(seed, tmp_path):
    rng = random.Random(seed)
    oracle, words = an_oracle(rng)
    path = tmp_path / "tokenizer.json"
    path.write_text(oracle.to_str())
    compare(path, some_texts(rng, words), (seed, oracle.pre_tokenizer))


def test_the_core_runs_them(tmp_path):
    path = tmp_path / "tokenizer.json"
    for prefix in (False, True):
        oracle = Tokenizer(models.Unigram([("<unk>", 0.0), ("a", -1.0), ("\u0120a", -1.0), ("\u00c3", -2.0)], 0))
        oracle.pre_tokenizer = ByteLevel(add_prefix_space=prefix)
        path.write_text(oracle.to_str())
        tok = wordsplit.load_tokenizer(path)
        assert isinstance(tok._engine, NativeWordEngine)
        assert prefix or tok._engine._located("a a\u00e9 \u4e2d a", ()) is not None
        text = "a \u00e9a  a's 12\n" * 50_000 + "\U00012000" * 60_000
        assert tok.encode(text) == tok.encode(text.encode()) == oracle.encode(text).ids
        tok.vocab.save_compiled(tmp_path / "portable.ws")
        assert wordsplit.load_tokenizer(tmp_path / "portable.ws").encode(text[:100]) == tok.encode(text[:100])
