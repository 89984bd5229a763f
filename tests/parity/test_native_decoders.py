"""Decoders whose steps the native core runs give the text of `tokenizers`, and of the steps in Python."""

import json
import random
import threading

import pytest
import tokenizers
from depth import by_depth
from oracles import unless_panic
from random_models import BYTES
from tokenizers import Tokenizer, decoders, models

import wordsplit
from wordsplit.compat.tokenizers import Tokenizer as StandIn
from wordsplit.compat.tokenizers._running import decoded as decoded_by

WORDS = [
    *"ab ▁xé'.?",
    "中",
    "🦜",
    "##",
    "##a",
    "##中b",
    "▁▁",
    "▁a",
    " a ",
    "  ",
    "n't",
    " do",
    " not",
    "<0x",
    "<0xZZ>",
    "<0x+A>",
    "",
    "a" * 40,
]
TOKENS = list(dict.fromkeys([*WORDS, *BYTES]))
REPLACE = decoders.Replace("▁", " ")


def one_by_one(rng):
    """Steps that change each text by itself."""
    return rng.choice(
        (
            lambda: REPLACE,
            lambda: decoders.Replace(rng.choice(("a", "aa", " ", "中", "<", "")), rng.choice(("", "x", "é", "<"))),
            lambda: decoders.Replace(tokenizers.Regex(rng.choice(("a+|é", "a*", "^"))), "y"),
            lambda: decoders.Strip(rng.choice(" a中"), rng.randrange(3), rng.randrange(3)),
            lambda: decoders.Metaspace(prepend_scheme=rng.choice(("always", "never", "first"))),
            lambda: decoders.WordPiece(prefix=rng.choice(("##", "é", "")), cleanup=rng.random() < 0.5),
        )
    )()


def whole(rng):
    """Steps on the whole text."""
    return rng.choice(
        (
            lambda: decoders.Strip(rng.choice(" a中"), rng.randrange(3), rng.randrange(3)),
            lambda: decoders.Replace(rng.choice(("aa", "aba", "a", " '", "中")), rng.choice(("", "x", "ab", "é"))),
            lambda: decoders.Metaspace(prepend_scheme=rng.choice(("always", "never"))),
        )
    )()


def composition(rng):
    known = (
        [REPLACE, decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)],  # Llama 2
        [REPLACE, decoders.ByteFallback(), decoders.Fuse()],  # Gemma
        [decoders.Metaspace()],  # T5
        [decoders.WordPiece()],  # BERT
    )
    if rng.random() < 0.2:
        return rng.choice(known)
    steps = [one_by_one(rng) for _ in range(rng.randrange(3))]
    if rng.random() < 0.7:
        steps.insert(rng.choice((len(steps), rng.randrange(len(steps) + 1))), decoders.ByteFallback())
    if rng.random() < 0.6:
        steps += [decoders.Fuse(), *(whole(rng) for _ in range(rng.randrange(3)))]
    return steps or [decoders.Fuse()]


def oracle_of(steps):
    oracle = Tokenizer(models.WordLevel({token: i for i, token in enumerate(TOKENS)}, unk_token="a"))  # noqa: S106 - a token of text
    oracle.decoder = decoders.Sequence(steps)
    oracle.add_special_tokens(["<s>", "<0x41> "])
    oracle.add_tokens(["▁plain added", "<pad>"])
    return oracle


def ids_for(rng, count):
    """Ids of all kinds; runs of bytes that are characters, parts of one, or nothing."""
    out = []
    while len(out) < count:
        kind = rng.randrange(4)
        if kind == 0:
            data = rng.choice("é中🦜a").encode()
            out += [TOKENS.index(f"<0x{byte:02X}>") for byte in data[rng.randrange(2) : rng.randrange(1, 5)]]
        elif kind == 1:
            out += [TOKENS.index(rng.choice(BYTES))]
        elif kind == 2:
            out += [rng.randrange(len(TOKENS), len(TOKENS) + 4)]
        else:
            out += [rng.randrange(len(TOKENS) + 4)]
    return out


def test_random_compositions():
    native = 0
    for seed in range(by_depth(12, 250, 20_000)):
        rng = random.Random(seed)
        steps = composition(rng)
        oracle = oracle_of(steps)
        data = oracle.to_str().encode()
        vocab = wordsplit.load_vocab_bytes(data)
        tok, in_python = (wordsplit.TokenizerOptions(engine=engine).build(vocab) for engine in ("native", "python"))
        stand_in = StandIn.from_buffer(data)
        rows = [ids_for(rng, rng.choice((1, 2, 3, 8, 300))) for _ in range(8)]
        for ids in [[], *rows, *rows]:  # the second time, the core knows all of them
            for skip in (False, True):
                want = in_python.decode(ids, skip_special=skip)
                decoded = unless_panic(oracle.decode, ids, skip_special_tokens=skip, otherwise=want)
                assert decoded == want, (seed, steps, ids, skip)
                assert tok.decode(ids, skip_special=skip) == want, (seed, steps, ids, skip)
                assert stand_in.decode(ids, skip_special_tokens=skip) == want, (seed, steps, ids, skip)
                found = tok._engine.decode_quickly(ids, "replace", skip)
                assert found in (None, want)
                native += found is not None
            assert tok.decode(ids) == in_python.decode(ids)
            assert tok.decode_bytes(ids) == in_python.decode_bytes(ids)
        assert tok.decode_batch(rows) == [in_python.decode(ids) for ids in rows]
    assert native > 12  # most compositions do without Python


@pytest.fixture(scope="module")
def llama():
    data = oracle_of([REPLACE, decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]).to_str()
    return wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data.encode()))


def test_all_that_is_usual_stays_in_the_core(llama):
    rng = random.Random(1)
    rows = [ids_for(rng, 20) for _ in range(20)]
    for ids in rows:
        llama.decode(ids)
    for ids in rows:
        assert llama._engine.decode_quickly(ids, "replace", False) == llama.decode(ids, "replace", skip_special=False)


def test_errors_are_those_of_the_steps(llama):
    half = [TOKENS.index("<0xE4>")]
    for _ in range(2):
        assert llama.decode(half) == "\ufffd"
        assert llama.decode(half, "ignore") == ""
        with pytest.raises(wordsplit.InvalidTextError):
            llama.decode(half, "strict")
        for ids in ([0, 10**6], [-1], [2**32], [2**70]):
            with pytest.raises(wordsplit.InvalidTokenIdError):
                llama.decode(ids)
        with pytest.raises(wordsplit.InvalidTokenIdError):
            llama.decode([0, 1.5])
    ids = [TOKENS.index("a"), TOKENS.index("b")]
    assert llama.decode(tuple(ids)) == llama.decode(iter(ids)) == llama.decode(ids) == "ab"
    assert llama.decode([True]) == llama.decode([1])


@pytest.mark.parametrize("pattern", ["", tokenizers.Regex(""), tokenizers.Regex("a*"), tokenizers.Regex("$")])
def test_an_empty_text_has_no_matches(pattern):
    step = decoders.Replace(pattern, "<")
    node = json.loads(oracle_of([step]).to_str())["decoder"]["decoders"][0]
    for texts in ([""], ["", "b"], ["a", "", ""]):
        assert decoded_by(node, texts) == step.decode(texts)


def test_threads_share_what_the_core_knows():
    data = oracle_of([REPLACE, decoders.ByteFallback(), decoders.Fuse()]).to_str().encode()
    vocab = wordsplit.load_vocab_bytes(data)
    tok, in_python = (wordsplit.TokenizerOptions(engine=engine).build(vocab) for engine in ("native", "python"))
    rng = random.Random(2)
    rows = [ids_for(rng, 9) for _ in range(by_depth(200, 1000, 20_000))]
    want = [in_python.decode(ids) for ids in rows]
    found = [None] * 4

    def run(n):
        found[n] = [tok.decode(ids) for ids in rows]

    threads = [threading.Thread(target=run, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [want] * 4
