"""BPE of characters of which the last of a word has a suffix, as GPT-1 has it: what `tokenizers` gives, in the core."""

import random

import pytest
import tokenizers
from depth import by_depth
from generated import random_char
from tokenizers import models, normalizers, pre_tokenizers

import wordsplit
from wordsplit import encoders
from wordsplit.compat.tokenizers import Tokenizer as StandIn
from wordsplit.engine.native import NativeWordEngine

SUFFIXES = ("</w>", "_", "e")
CHARS = "abcdeé中\u0301🦜<>/w_"
NORMALIZERS = [
    None,
    normalizers.BertNormalizer(),
    normalizers.NFC(),
    normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()]),
    normalizers.Sequence([normalizers.Strip(), normalizers.Replace("ab", "c")]),
]
WORDS = [
    pre_tokenizers.WhitespaceSplit(),
    pre_tokenizers.BertPreTokenizer(),
    pre_tokenizers.Whitespace(),
    pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Digits(individual_digits=True)]),
]


def model(rng, suffix):
    """Some characters have a token without the suffix, some one with it, and some both or neither."""
    tokens = ["<unk>", *rng.sample(CHARS, rng.randrange(2, len(CHARS)))]
    tokens += [char + suffix for char in rng.sample(CHARS, rng.randrange(2, len(CHARS)))]
    merges = []
    for _ in range(rng.randrange(40)):
        left, right = rng.choice(tokens[1:]), rng.choice(tokens[1:])
        if left.endswith(suffix) or len(left + right) > 20:
            continue
        merges.append((left, right))
        tokens.append(left + right)
    tokens = list(dict.fromkeys(tokens))
    rng.shuffle(merges)
    return models.BPE(
        {token: i for i, token in enumerate(tokens)},
        list(dict.fromkeys(merges)),
        unk_token=rng.choice(["<unk>", "<unk>", None]),
        fuse_unk=rng.random() < 0.5,
        end_of_word_suffix=suffix,
    )


def oracle_of(seed):
    rng = random.Random(seed)
    oracle = tokenizers.Tokenizer(model(rng, rng.choice(SUFFIXES[:2] if seed % 8 else SUFFIXES)))
    if (normalizer := rng.choice(NORMALIZERS)) is not None:
        oracle.normalizer = normalizer
    oracle.pre_tokenizer = rng.choice(WORDS)
    if rng.random() < 0.3:
        oracle.add_special_tokens(["<unk>", "<s>"])
    return oracle, rng


def a_text(rng):
    parts = [*CHARS, *"  \n1", "<unk>", "<s>", "ab", "</w>"]
    return "".join(random_char(rng) if rng.random() < 0.05 else rng.choice(parts) for _ in range(rng.randrange(20)))


@pytest.mark.parametrize("seed", range(by_depth(40, 200, 8000)))
def test_random_models(seed, tmp_path):
    oracle, rng = oracle_of(seed)
    path = tmp_path / "tokenizer.json"
    path.write_text(oracle.to_str(), encoding="utf-8")
    tok, stand_in = wordsplit.load_tokenizer(path), StandIn.from_file(path)
    if not tok.vocab.has_native_model:  # two ways to make a token: its text and the suffix are the same
        return
    assert isinstance(tok._engine, NativeWordEngine)
    others = [wordsplit.TokenizerOptions(encoder=name).build(tok.vocab) for name in encoders.names_for(tok.vocab)]
    for _ in range(40):
        text = a_text(rng)
        want, found = oracle.encode(text), tok.encode_with_offsets(text)
        assert (found.ids, found.char_spans) == (want.ids, want.offsets), ascii(text)
        assert tok.encode(text) == want.ids, ascii(text)
        assert all(other.encode(text) == want.ids for other in others), ascii(text)
        named = stand_in.encode(text)
        assert (named.ids, named.tokens, named.offsets, named.word_ids) == (
            want.ids,
            want.tokens,
            want.offsets,
            want.word_ids,
        ), ascii(text)


def test_most_models_run_in_the_core(tmp_path):
    path = tmp_path / "tokenizer.json"
    native = 0
    for seed in range(40):
        path.write_text(oracle_of(seed)[0].to_str(), encoding="utf-8")
        native += wordsplit.load_vocab(path).has_native_model
    assert native > 15


@pytest.mark.parametrize("last", [normalizers.BertNormalizer(), normalizers.Nmt(), normalizers.Lowercase()])
def test_white_space_that_is_joined_before_steps_that_remove_some(last, tmp_path):
    names = ["<unk>", *"abc", "a</w>", "b</w>", "ab</w>", "bc</w>"]
    ids = {name: at for at, name in enumerate(names)}
    oracle = tokenizers.Tokenizer(models.BPE(ids, [("a", "b</w>")], unk_token="<unk>", end_of_word_suffix="</w>"))  # noqa: S106 - a token of text
    joined = normalizers.Replace(tokenizers.Regex(r"\s+"), " ")
    oracle.normalizer = normalizers.Sequence([joined, last])
    oracle.pre_tokenizer = pre_tokenizers.Whitespace()
    oracle.add_tokens([tokenizers.AddedToken("b c", normalized=True)])
    path = tmp_path / "tokenizer.json"
    oracle.save(str(path))
    tok = wordsplit.load_tokenizer(path)
    for text in ("a\x85b", "a\x0bb", "a\u2028b", "a\u200bb", "a b c", "a b  c"):
        assert tok.encode(text) == oracle.encode(text).ids, ascii(text)
