"""Vocabs that split texts at spaces: a cut changes no ids, whatever the steps and the added tokens are."""

import random
import re
import string
from dataclasses import replace
from functools import partial

import pytest
from charsmaps import charsmap
from depth import by_depth
from features.test_cuts import all_cuts
from parity.parts import NORMALIZERS, PRE_TOKENIZERS, TO_NORMALIZE, TO_SPLIT
from parity.test_text_steps import ADDED, completed, loaded

import wordsplit
from wordsplit import AddedToken, Normalize, Rewrite, Split, Vocab
from wordsplit.features.cuts import Cuts
from wordsplit.features.word_cuts import WordCuts, word_cuts_of
from wordsplit.model import CharacterBPE
from wordsplit.patterns.components import whitespace, whitespace_split
from wordsplit.testing.vocabs import random_vocab

CONFIGS = by_depth(100, 600, 30_000)
BATCH = 50
TEXTS = 40
WORDS = ("ab", "a1", "Zx", "11", "aa bb", "x1 y2", "ab ", " ab", "a\u0301b", "xa\u0301 bb", "\u0600a cd", "a1 \u0301b")
OFTEN_LOCAL = (
    "NFC",
    "NFD",
    "NFKC",
    "NFKD",
    "Lowercase",
    "StripAccents",
    "Nmt",
    "BertNormalizer",
    "Precompiled",
    "Replace",
)
SPACES = [
    each
    for each in PRE_TOKENIZERS
    if each["type"] in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit")
    or (each["type"] == "Metaspace" and each.get("split", True))
    or each.get("delimiter") == " "
]
SIGNS = [
    {"type": "Replace", "pattern": {"String": text}, "content": more} for text in "-´" for more in (" ", "\u0301a")
]
CLUSTERS = [
    {"type": "Precompiled", "precompiled_charsmap": charsmap(pairs)}
    for pairs in ({"\u0600a": "x "}, {"b\u0301": " "}, {"a\u0301": "ab "})
]


def document(rng, given):
    """A tokenizer.json whose steps mostly treat words one by one."""
    local = [*(each for each in NORMALIZERS if each["type"] in OFTEN_LOCAL), *SIGNS, *CLUSTERS * 5]
    normalizers = [rng.choice(local if rng.random() < 0.8 else NORMALIZERS) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
    if rng.random() < 0.3:
        normalizers += [{"type": "Strip", "strip_left": False, "strip_right": True}]
    more = [rng.choice(PRE_TOKENIZERS) for _ in range(rng.choice([0, 0, 1, 2]))]
    first = rng.choice(SPACES if rng.random() < 0.8 else PRE_TOKENIZERS)
    pre_tokenizers = {"type": "Sequence", "pretokenizers": [first, *more]}
    return completed(
        rng, given, {"type": "Sequence", "normalizers": normalizers} if normalizers else None, pre_tokenizers
    )


def texts(rng):
    spice = [*WORDS * 6, *TO_NORMALIZE, *TO_SPLIT, *ADDED * 3, "-", "´"]
    for _ in range(TEXTS):
        yield rng.choice(["", " "]).join(rng.choices(spice, k=rng.randint(2, 14)))


@pytest.mark.parametrize("batch", range(CONFIGS // BATCH))
def test_ids_on_both_sides_of_a_cut_are_those_of_the_whole(batch):
    known = count = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(f"word cuts {seed}")
        given = list(texts(rng))
        both = loaded(seed, partial(document, rng, given))
        if both is None:
            continue
        made, _, tok = both
        shown = {name: made[name] for name in ("normalizer", "pre_tokenizer", "added_tokens")}
        known += word_cuts_of(tok.vocab) is not None
        for text in given:
            for part in (text, text.encode()):
                cuts = all_cuts(tok._cuts, part)
                count += len(cuts)
                ids = tok.encode(part) if cuts else []
                for at in cuts:
                    assert tok.encode(part[:at]) + tok.encode(part[tok._cuts.begin(at) :]) == ids, (
                        seed,
                        ascii(text),
                        at,
                        shown,
                    )
    assert known > BATCH / 10
    assert count > BATCH * TEXTS / 10


CHARACTERS = [*string.ascii_letters, *string.digits, "\u2581"]


def one_span(rng, prepends):
    """BPE of characters over whole texts, whose merges now and then join a word with the space behind it.

    If it ``prepends`` a space to every text, it has nothing that forbids cuts.
    """
    tokens = [*CHARACTERS, *(char for char in "é>.<你" if rng.random() < 0.7)]
    joins, merges = not prepends and rng.random() < 0.4, []
    for _ in range(rng.choice([20, 300])):
        left, right = rng.choice([*"ab1\u2581>", *tokens[-20:]]), rng.choice([*"ab1\u2581<", *tokens[-20:]])
        joined = left + right
        may_join = joins or not re.search("[a-zA-Z0-9]\u2581", joined)
        if may_join and len(joined) < 8 and joined not in tokens and {left, right} <= set(tokens):
            tokens.append(joined)
            merges.append((left, right))
    tokens += [token for token in ("ab", "11", "aa", "\u2581bb") if token not in tokens]  # which no merge makes
    ids = {token: at for at, token in enumerate(["<unk>", *tokens, *(f"<0x{byte:02X}>" for byte in range(256))])}
    model = CharacterBPE(
        tokens={at: token.encode() for token, at in ids.items()},
        explicit_merges=[(ids[left], ids[right]) for left, right in rng.sample(merges, len(merges))],
        unk_id=0,
        fuse_unk=rng.random() < 0.5,
        byte_fallback=rng.random() < 0.5,
        ignore_merges=not prepends and rng.random() < 0.2,
    )
    spelled = Normalize("replace", " ", "\u2581", literal=True)
    prepended = [Normalize("prepend", content="\u2581")]
    before = rng.choice([[], [Normalize("nfkc")], [Normalize("lowercase")], prepended, prepended])
    if prepends:
        return Vocab(name="one span", model=model, normalizer=[*prepended, spelled])
    scheme = rng.choice(["always", "first", "never"])
    rules = rng.choice(
        [{"normalizer": [*before, spelled]}, {"pre_tokenizer": [Rewrite("metaspace", "\u2581", scheme)]}]
    )
    flags = {flag: rng.random() < 0.2 for flag in ("lstrip", "rstrip", "single_word", "normalized")}
    contents = rng.sample([*ADDED, "b\u2581", "  "], rng.choice([0, 1, 2]))
    added = [AddedToken(content, len(ids) + at, **flags) for at, content in enumerate(contents) if content not in ids]
    return Vocab(name="one span", model=model, added_tokens=added, **rules)


@pytest.mark.parametrize("batch", range(CONFIGS // BATCH))
def test_texts_that_are_one_span(batch):
    known = count = dropped = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(f"one span {seed}")
        vocab = one_span(rng, prepends=seed % 10 == 0)
        tok = wordsplit.load_tokenizer(vocab)
        known += tok._cuts.known
        for text in texts(rng):
            cuts = all_cuts(tok._cuts, text)
            count += len(cuts)
            ids = tok.encode(text) if cuts else []
            for at in cuts:
                behind = text[tok._cuts.begin(at) :]
                assert tok.encode(text[:at]) + tok.encode(behind) == ids, (seed, text, at, vocab.normalizer)
                dropped += text[at:] != behind
    assert BATCH / 10 < known < 0.8 * BATCH
    assert dropped > BATCH / 10
    assert count > BATCH * TEXTS / 10


def test_where_they_are():
    vocab = random_vocab(0, pre_tokenizer=[whitespace()]).replace(normalizer=[Normalize("lowercase")])
    cuts = Cuts(vocab, "compiled")
    for text in ("aa bb", b"aa bb", "é aa B", "11 2"):
        assert cuts.known
        assert cuts.last(text) == text.index(b" " if isinstance(text, bytes) else " ", 2)
    for text in ("a bb", "aa  bb", "aa é", "aá b", "aa\nbb", "aa, bb"):
        assert cuts.last(text) is None


SPACED = [whitespace_split()]
MARKED = [Rewrite("metaspace", "\u2581", "always"), Split("\u2581", "merged_with_next", literal=True)]


@pytest.mark.parametrize(
    ("known", "changes"),
    [
        (True, {"pre_tokenizer": MARKED}),
        (True, {"normalizer": [Normalize("replace", " {2,}", "\u2581")]}),
        (True, {"normalizer": [Normalize("replace", "``", '"', literal=True), Normalize("rstrip")]}),
        (False, {"pre_tokenizer": MARKED[:1]}),
        (True, {"pre_tokenizer": [replace(MARKED[0], prepend="first"), MARKED[1]]}),
        (False, {"pre_tokenizer": [*SPACED, Rewrite("metaspace", "\u2581", "first")]}),
        (False, {"pre_tokenizer": ()}),
        (False, {"pre_tokenizer": [Split(r"\d", "isolated"), *SPACED]}),
        (False, {"normalizer": [Normalize("lstrip")]}),
        (False, {"normalizer": [Normalize("prepend", content="a")]}),
        (False, {"normalizer": [Normalize("byte_level")]}),
        (False, {"normalizer": [Normalize("replace", "ab", "", literal=True)]}),
        (False, {"normalizer": [Normalize("replace", r"\s+", " ")]}),
    ],
)
def test_which_rules_have_them(known, changes):
    vocab = random_vocab(0, pre_tokenizer=SPACED).replace(**changes)
    assert (word_cuts_of(vocab) == WordCuts()) == known
    assert Cuts(vocab, "compiled").known == known


def test_a_token_of_normalized_text_has_no_space():
    vocab = random_vocab(0, pre_tokenizer=SPACED).replace(normalizer=[Normalize("lowercase")])
    token = wordsplit.AddedToken("AA BB", 900, normalized=True)
    assert not word_cuts_of(vocab.replace(added_tokens=[token]))
    for flag in ("rstrip", "single_word"):
        token = wordsplit.AddedToken("AA", 900, normalized=True, **{flag: True})
        assert not word_cuts_of(vocab.replace(added_tokens=[token]))
    tok = wordsplit.load_tokenizer(vocab.replace(added_tokens=[wordsplit.AddedToken("aa bb", 900)]))
    assert tok._cuts.last("xaa bb") is None
    assert tok._cuts.last("xaa bb cc") == 6


def test_most_of_a_long_text_is_left_alone(monkeypatch):
    tok = wordsplit.load_tokenizer(random_vocab(0, pre_tokenizer=SPACED).replace(normalizer=[Normalize("lowercase")]))
    text, sizes = "Some words and more. " * 20_000, []
    encode = tok._engine.encode
    monkeypatch.setattr(tok._engine, "encode", lambda part, as_text: sizes.append(len(part)) or encode(part, as_text))
    tok.truncate(text, 100)
    tok.truncate(text, 100, side="left")
    assert sizes
    assert max(sizes) < 2000
