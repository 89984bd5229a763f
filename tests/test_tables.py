"""Packed tables, against dicts and lists of the same tokens and merges."""

import random
import sys

import pytest

from wordsplit.tables import MergeList, TokenTable, made_by_merges

PARTS = ["a", "b", "ab", "\u2581", "é", " ", "\u2581a", ""]


def random_tokens(rng):
    ids = rng.sample(range(60), rng.randint(1, 30))
    return {i: "".join(rng.choices(PARTS, k=rng.randint(0, 4))).encode() for i in ids}


@pytest.fixture(params=["native", "python"])
def engine(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setitem(sys.modules, "wordsplit._native", None)  # as in a pure-Python build


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("seed", range(40))
def test_a_table_is_a_dict_of_its_tokens(seed):
    rng = random.Random(seed)
    tokens = random_tokens(rng)
    table = TokenTable.pack(tokens)
    assert list(table.items()) == sorted(tokens.items())
    assert dict(table) == tokens
    assert next(iter(tokens.items())) in table.items()
    assert (99, b"") not in table.items()
    for text in (b"a", b"ab", "\u2581".encode(), b" "):
        replaced = table.replace(text, b"<>")
        assert dict(replaced) == {i: token.replace(text, b"<>") for i, token in tokens.items()}
        assert table.has_inside(text) == any(token.find(text, 1) > 0 for token in tokens.values())


@pytest.mark.usefixtures("engine")
def test_a_text_in_two_tokens_is_in_none():
    table = TokenTable.pack({0: b"xa", 1: b"bc", 2: b"ab"})
    assert not table.has_inside(b"ab")
    assert dict(table.replace(b"ab", b"")) == {0: b"xa", 1: b"bc", 2: b""}


@pytest.mark.parametrize("seed", range(40))
def test_what_merges_make(seed):
    rng = random.Random(seed)
    tokens = random_tokens(rng)
    table, ids = TokenTable.pack(tokens), sorted(tokens)
    merges = [(rng.choice(ids), rng.choice(ids)) for _ in range(20)]
    packed = MergeList.pack(merges)
    assert list(packed) == merges
    made = {tokens[left] + tokens[right] for left, right in merges if tokens[left] and tokens[right]}
    wanted = {"".join(rng.choices(PARTS, k=rng.randint(0, 4))).encode() for _ in range(20)} | set(
        rng.sample(sorted(made), len(made) // 2)
    )
    assert made_by_merges(wanted, table, packed) == wanted & made


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("seed", range(40))
def test_tokens_are_changed_and_added(seed):
    rng = random.Random(seed)
    tokens, changes = random_tokens(rng), random_tokens(rng)
    if seed % 4 == 0:
        tokens = {}
    changed = TokenTable.pack(tokens).changed(changes)
    assert dict(changed) == tokens | changes
    assert list(changed) == sorted(tokens | changes)
    assert dict(changed.changed({})) == dict(changed)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("seed", range(40))
def test_ids_among_merges(seed):
    rng = random.Random(seed)
    most = rng.choice([10, 70_000, (1 << 24) - 1])
    pairs = [(rng.randint(0, most), rng.randint(0, most)) for _ in range(rng.randint(0, 20))]
    merges = MergeList.pack(pairs)
    held = {i for pair in pairs for i in pair}
    wanted = {rng.randint(0, most) for _ in range(rng.randint(0, 50))} | set(rng.sample(sorted(held), len(held) // 3))
    wanted |= {(i + (1 << 16)) & ((1 << 24) - 1) for i in held}  # the low bits of another
    assert merges.parts_among(wanted) == wanted & held
    assert list(merges.without(wanted)) == [pair for pair in pairs if not wanted & set(pair)]
