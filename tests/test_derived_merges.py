"""Merges derived from mergeable ranks: the native derivation gives those of the definition."""

import random
from array import array

import pytest
from depth import by_depth

import wordsplit
from wordsplit.merges import derive_merges, derive_merges_in_python
from wordsplit.tables import TokenTable

NAMES = ["r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base"]


@pytest.mark.parametrize("name", NAMES)
def test_of_published_vocabs(name):
    """Their bundled merges were made by the definition, and checked against the official files."""
    vocab = wordsplit.load_vocab(name)
    assert vocab.has_explicit_merges
    assert derive_merges(vocab.tokens, vocab.unreachable_ids).flat == vocab.merges.flat


@pytest.mark.parametrize("name", by_depth(NAMES[:1], NAMES, NAMES))
def test_of_published_vocabs_by_definition(name):
    vocab = wordsplit.load_vocab(name)
    assert derive_merges_in_python(vocab.tokens, vocab.unreachable_ids).flat == vocab.merges.flat


def random_vocab(rng: random.Random) -> tuple[TokenTable, list[int]]:
    """Tokens of a few letters in any order, with holes in the ids, and some of them unreachable."""
    letters = b"ab\xc3\x81"[: rng.randint(1, 4)]
    tokens = {letters[i : i + 1] for i in range(len(letters)) if rng.random() < 0.95}
    for _ in range(rng.randint(0, 40)):
        pool = [*sorted(tokens), letters[:1]]
        count = rng.choice((2, 2, 2, 2, 3, 30))
        tokens.add(b"".join(rng.choices(pool, k=count))[:200])
    ordered = sorted(tokens, key=lambda token: (len(token), token))
    if rng.random() < 0.3:
        rng.shuffle(ordered)
    ids = sorted(rng.sample(range(3 * len(ordered)), len(ordered)))
    table = TokenTable.pack(dict(zip(ids, ordered, strict=True)))
    return table, [i for i in ids if rng.random() < 0.05]


def test_of_random_vocabs():
    made = left_out = 0
    for seed in range(by_depth(600, 5_000, 200_000)):
        tokens, unreachable = random_vocab(random.Random(seed))
        found = derive_merges(tokens, unreachable)
        assert list(found) == list(derive_merges_in_python(tokens, unreachable)), seed
        made += len(found)
        left_out += len(tokens) - len(found)
    assert min(made, left_out) > by_depth(2000, 5000, 5000)


def test_tables_of_derived_merges_need_no_search_for_live_ones():
    """What the tables are promised about derived merges is what they would find."""
    _native = pytest.importorskip("wordsplit._native")
    for seed in range(by_depth(200, 1500, 50_000)):
        tokens, unreachable = random_vocab(random.Random(seed))
        merges = derive_merges(tokens, unreachable)
        ids = array("I", unreachable)
        found, promised = (
            _native.VocabTables(tokens.blob, tokens.ends, tokens.ids, merges.flat, ids, live) for live in (False, True)
        )
        for i in tokens:
            assert found.made_by(i) == promised.made_by(i), (seed, i)
        assert found.out_of_order_token == promised.out_of_order_token
        assert found.supports_backtracking == promised.supports_backtracking


@pytest.mark.parametrize("engine", ["native", "python"])
@pytest.mark.parametrize("ignore_merges", [True, False])
def test_ids_of_ranks_with_tokens_that_no_merge_makes(engine, ignore_merges):
    tokens = dict(enumerate([*(bytes([b]) for b in range(256)), b"ab", b"bcd", b"abcx"]))
    vocab = wordsplit.Vocab(name="ranks", tokens=tokens, ignore_merges=ignore_merges)
    tok = wordsplit.TokenizerOptions(engine=engine).build(vocab)
    whole = {"bcd": [257], "abcx": [258]}
    parts = {"bcd": [98, 99, 100], "abcx": [256, 99, 120]}
    for text in whole:
        assert tok.encode(text) == (whole if ignore_merges else parts)[text]
        assert tok.encode(f"{text}!") == [*parts[text], 33]


def test_a_token_may_need_a_merge_that_ranks_after_it():
    tokens = TokenTable.pack(dict(enumerate([b"a", b"b", b"c", b"abc", b"bc"])))
    assert list(derive_merges(tokens)) == [(0, 4), (1, 2)]


def test_long_tokens_take_no_longer_than_their_length():
    """A sweep for each merge would take hours."""
    tokens = {0: b"a"} | {n: b"a" * (1 << n) for n in range(1, 21)}
    assert list(derive_merges(TokenTable.pack(tokens))) == [(n, n) for n in range(20)]
