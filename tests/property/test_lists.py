"""Lists of ids hold ints like any other, though the engine shares them among all lists."""

import copy
import gc
import json
import pickle
import subprocess
import sys
import weakref
from collections.abc import Callable

import pytest

import wordsplit

TEXT = "Every id of a text is an int. " * 4


@pytest.fixture(scope="module")
def tok() -> wordsplit.Tokenizer:
    return wordsplit.load_tokenizer("qwen3")


@pytest.fixture(scope="module")
def ids(tok: wordsplit.Tokenizer) -> list[int]:
    """More ids than are made before objects are shared, from the whole of the vocab."""
    every = [i for i in range(len(tok.vocab)) if tok.token_bytes(i).isascii()]
    found = tok.encode(" ".join(tok.decode([i]) for i in every))
    assert len(found) > 8192
    assert max(found) > 131072
    return found


def test_ids_are_ordinary_ints(tok: wordsplit.Tokenizer, ids: list[int]) -> None:
    assert {type(i) for i in ids} == {int}
    plain = [int(str(i)) for i in ids]
    assert ids == plain
    assert [hash(i) for i in ids] == [hash(i) for i in plain]
    assert sorted(set(ids)) == sorted(set(plain))
    assert sum(ids) == sum(plain)
    assert [i + 1 for i in ids] == [i + 1 for i in plain]
    assert [-i for i in ids] == [-i for i in plain]
    assert [i.bit_length() for i in ids] == [i.bit_length() for i in plain]
    assert json.dumps(ids) == json.dumps(plain)
    assert pickle.loads(pickle.dumps(ids)) == plain  # noqa: S301
    assert copy.deepcopy(ids) == plain
    assert tok.decode(ids) == tok.decode(plain)
    assert dict.fromkeys(ids, 0) == dict.fromkeys(plain, 0)


def test_the_least_ids(tok: wordsplit.Tokenizer, ids: list[int]) -> None:
    text = "".join(chr(c) for c in range(33, 127))
    found = tok.encode("\n".join(text)) + tok.encode("! ! !")
    assert 0 in found
    assert not found[found.index(0)]
    assert [i for i in found if i < 257] == [int(str(i)) for i in found if i < 257]


def test_objects_outlive_the_lists_that_held_them(tok: wordsplit.Tokenizer, ids: list[int]) -> None:
    kept = list(ids[:100])
    values = [int(str(i)) for i in kept]
    for _ in range(200):
        for row in tok.encode_batch([TEXT] * 50):
            row.clear()
        one = tok.encode(TEXT)
        del one[::2]
    gc.collect()
    assert kept == values
    assert all(sys.getrefcount(i) > 1 for i in kept)


def test_lists_can_be_changed(tok: wordsplit.Tokenizer) -> None:
    row = tok.encode(TEXT)
    row += [1 << 70, -1]
    row.sort()
    assert row[0] == -1


class Probe:
    """Something whose end can be observed."""


@pytest.mark.parametrize("call", [lambda tok: tok.encode(TEXT), lambda tok: tok.encode_batch([TEXT] * 3)[1]])
def test_a_cycle_through_a_list_is_collected(
    tok: wordsplit.Tokenizer, call: Callable[[wordsplit.Tokenizer], list[object]]
) -> None:
    row = call(tok)
    assert gc.is_tracked(row)
    probe = Probe()
    ended = weakref.ref(probe)
    row += [row, probe]
    del row, probe
    gc.collect()
    assert ended() is None


def test_references_are_counted_as_for_any_int(tok: wordsplit.Tokenizer) -> None:
    row = tok.encode(TEXT * 10)
    item = max(row)
    assert not gc.is_tracked(item)
    before = sys.getrefcount(item)
    other = tok.encode(TEXT * 10)
    if sys.version_info >= (3, 12):  # immortal, like the interpreter's own small ints
        assert sys.getrefcount(item) == before == sys.getrefcount(1)
    else:
        assert sys.getrefcount(item) == before + other.count(item) < 10_000
    del other
    assert sys.getrefcount(item) == before


def test_a_batch_leaves_the_collector_as_it_was(tok: wordsplit.Tokenizer) -> None:
    assert gc.isenabled()
    tok.encode_batch([TEXT] * 10)
    assert gc.isenabled()
    gc.disable()
    try:
        tok.encode_batch([TEXT] * 10)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_repeated_use_leaks_nothing(tok: wordsplit.Tokenizer) -> None:
    def use() -> None:
        for _ in range(20):
            tok.encode_batch([TEXT] * 20)
            tok.decode(tok.encode(TEXT))
            tok.encode_batch_to_numpy([TEXT] * 20)
            tok.count(TEXT)

    use()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(5):
        use()
    gc.collect()
    assert sys.getallocatedblocks() - before < 50  # a row lost in each call would be 2000


@pytest.mark.parametrize("call", ["encode(text)", "encode_batch([text])[0]"])
def test_a_long_first_list_shares_its_objects(call: str) -> None:
    program = f"""
import sys, wordsplit
text = sys.stdin.read()
ids = wordsplit.load_tokenizer("qwen3").{call}
print(len(ids), len(set(map(id, ids))), len(set(ids)))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], input=TEXT * 1000, capture_output=True, text=True, check=True
    )
    count, objects, values = map(int, ended.stdout.split())
    assert count > 20_000
    assert objects == values


def test_interpreter_ends_with_ids_in_hand() -> None:
    program = f"""
import atexit, wordsplit
ids = wordsplit.load_tokenizer("qwen3").encode({TEXT!r} * 200)
atexit.register(lambda: print(sum(ids)))
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(ended.stdout) == sum(wordsplit.load_tokenizer("qwen3").encode(TEXT * 200))
    assert ended.stderr == ""
