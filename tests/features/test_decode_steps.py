"""Text that is decoded by steps streams as it is decoded at once."""

import random
import time

import pytest
from depth import by_depth
from oracles import unless_panic
from random_models import BYTES, decoder
from tokenizers import Tokenizer, decoders, models

import wordsplit

WORDS = [*"ab ▁xé'.", "</w>", "##a", "b</w>", " do", " not", " ' ", "n't", "▁a", "🦜", "ĠaĊ", ""]
TOKENS = list(dict.fromkeys([*WORDS, *BYTES[::5], *BYTES[0x80:0x98], *BYTES[0xC2:0xE4]]))


def vocab_of(part):
    oracle = Tokenizer(models.WordLevel({token: i for i, token in enumerate(TOKENS)}, unk_token="a"))  # noqa: S106 - a token of text
    if part is not None:
        oracle.decoder = part
    oracle.add_special_tokens(["<s>"])
    return wordsplit.load_vocab_bytes(oracle.to_str().encode()), oracle


def joined(tok, ids, rng, **options):
    stream, said, at = tok.decode_stream(**options), [], 0
    while at < len(ids):
        size = rng.choice((1, 1, 1, 2, 5))
        part = ids[at : at + size]
        said.append(stream.push(part[0] if size == 1 else part))
        at += size
    return "".join(said) + stream.finish()


def test_random_decoders():
    for seed in range(by_depth(150, 750, 15000)):
        rng = random.Random(seed)
        part = decoder(rng)
        if rng.random() < 0.4:  # steps after all texts are joined
            after = [
                decoders.Strip(" ", rng.randrange(3), rng.randrange(3)),
                decoders.Replace(rng.choice(("aa", "aba", "a", " '")), rng.choice(("", "x", "b"))),
                decoders.Metaspace(prepend_scheme="always"),
                decoders.WordPiece(),
                decoders.BPEDecoder(suffix="</w>"),
                decoders.CTC("a", "b", cleanup=True),
                decoders.ByteFallback(),
                decoders.ByteLevel(),
            ]
            part = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse(), *rng.choices(after, k=2)])
        vocab, oracle = vocab_of(part)
        tok = wordsplit.load_tokenizer(vocab)
        for _ in range(8):
            ids = rng.choices(range(vocab.n_vocab), k=rng.randrange(12))
            for skip in (False, True):
                want = tok.decode(ids, skip_special=skip)
                decoded = unless_panic(oracle.decode, ids, skip_special_tokens=skip, otherwise=want)
                assert decoded == want, (seed, part, ids)
                assert joined(tok, ids, rng, skip_special=skip) == want, (seed, part, ids)


LLAMA = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]


@pytest.mark.parametrize("part", [decoders.Sequence(LLAMA), decoders.Metaspace(), decoders.WordPiece()])
def test_nothing_is_held_back_without_need(part):
    vocab, _ = vocab_of(part)
    stream = wordsplit.load_tokenizer(vocab).decode_stream()
    said = [stream.push(TOKENS.index(token)) for token in ("a", "b", "▁", "é")]
    assert all(said)
    assert stream.finish() == ""


def test_stop_strings_and_bytes():
    vocab, _ = vocab_of(decoders.Sequence(LLAMA))
    tok = wordsplit.load_tokenizer(vocab)
    stream = tok.decode_stream(stop=["b a"])
    ids = [TOKENS.index(token) for token in ("▁a", "b", "▁a", "x")]
    assert [stream.push(i) for i in ids] == ["a", "", "", ""]
    assert stream.stop == "b a"
    stream = tok.decode_stream(errors="strict")
    stream.push(TOKENS.index("<0x82>"))
    with pytest.raises(wordsplit.InvalidTextError):
        stream.push(TOKENS.index("a"))
    with pytest.raises(wordsplit.InvalidTokenIdError):
        tok.decode_stream().push([1, 10**6])


def test_a_push_takes_as_long_at_the_end_as_at_the_beginning():
    vocab, _ = vocab_of(decoders.Sequence(LLAMA))
    stream = wordsplit.load_tokenizer(vocab).decode_stream()
    times = []
    for _ in range(40):
        began = time.perf_counter()
        for _ in range(500):
            stream.push(0)
        times.append(time.perf_counter() - began)
    assert min(times[20:]) < 3 * min(times[:20])


@pytest.mark.parametrize("errors", ["surrogateescape", "surrogatepass", "ignore", "backslashreplace"])
def test_bytes_that_one_step_leaves_to_another(errors):
    """What an error handler makes of bytes, such as surrogates, is text for the next step that makes bytes of text."""
    vocab, _ = vocab_of(decoders.Sequence([decoders.ByteLevel(), decoders.ByteLevel()]))
    tok = wordsplit.load_tokenizer(vocab)
    ids = [TOKENS.index(token) for token in ("▁a", "é", "b")]
    try:
        want = tok.decode(ids, errors)
    except wordsplit.InvalidTextError:
        assert errors == "surrogatepass"
    else:
        assert joined(tok, ids, random.Random(0), errors=errors) == want
