"""Offsets and words of vocabs that only spell spaces otherwise come from the core, and are those of `tokenizers`."""

import random

import pytest
from depth import by_depth
from random_models import BYTES
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from wordsplit.compat.tokenizers import Tokenizer as StandIn
from wordsplit.engine.tracer import tracer_of

CHARS = "▁abcé中.<0x41>"
MERGES = [("▁", "a"), ("a", "b"), ("▁a", "b"), ("b", "c"), ("▁", "▁"), ("é", "中"), (".", "▁"), ("ab", "c")]
METASPACE = pre_tokenizers.Metaspace
LLAMA = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
RULES = {
    "llama": (LLAMA, None),
    "never prepended": (normalizers.Replace(" ", "▁"), None),
    **{
        f"{scheme} {split}": (None, METASPACE(prepend_scheme=scheme, split=split))
        for scheme in ("always", "first", "never")
        for split in (False, True)
    },
}


def oracle_of(rules, *, with_bytes):
    tokens = ["<unk>", *dict.fromkeys(CHARS), *("".join(pair) for pair in MERGES), *(BYTES if with_bytes else ())]
    vocab = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
    oracle = Tokenizer(models.BPE(vocab, MERGES, unk_token="<unk>", fuse_unk=True, byte_fallback=with_bytes))  # noqa: S106 - a token of text
    oracle.normalizer, pre_tokenizer = rules
    if pre_tokenizer is not None:
        oracle.pre_tokenizer = pre_tokenizer
    oracle.add_special_tokens(["<s>"])
    oracle.add_tokens(["bbb"])
    return oracle


@pytest.mark.parametrize("with_bytes", [True, False])
@pytest.mark.parametrize("name", RULES)
def test_random_texts(name, with_bytes):
    oracle = oracle_of(RULES[name], with_bytes=with_bytes)
    stand_in = StandIn.from_str(oracle.to_str())
    engine = stand_in._texts().engine
    trace = tracer_of(engine).trace
    rng = random.Random(name)
    placed = 0
    for _ in range(by_depth(60, 500, 50_000)):
        parts = rng.choices(
            [*CHARS, " ", " ", "  ", "🦜", "ü", "\n", "<0x0A>", "<unk>", "<s>", "bbb"], k=rng.randrange(9)
        )
        text = "".join(parts)
        want, found = oracle.encode(text), stand_in.encode(text)
        assert found.ids == want.ids, text
        assert found.offsets == want.offsets, text
        assert found.tokens == want.tokens, text
        assert found.word_ids == want.word_ids, text
        assert engine.encode_with_offsets(text, ()).byte_spans == trace(text, ()).byte_spans, text
        places = stand_in._texts().places(text)
        if places is not None:
            assert places[:3] == (want.ids, want.offsets, want.word_ids)
            placed += 1
    assert placed > by_depth(40, 350, 35_000)


def test_long_texts():
    oracle = oracle_of(RULES["llama"], with_bytes=True)
    stand_in = StandIn.from_str(oracle.to_str())
    for text in ("ab c é" * 300, "🦜 ab" * 20_000):  # beyond 32 KiB, the core runs without the GIL
        want, found = oracle.encode(text), stand_in.encode(text)
        assert (found.ids, found.offsets, found.word_ids) == (want.ids, want.offsets, want.word_ids)
