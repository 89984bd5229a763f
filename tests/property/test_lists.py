"""Lists of ids hold ints like any other, though the engine shares them among all lists."""

import copy
import gc
import json
import pickle
import subprocess
import sys

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


def test_lists_can_be_changed_and_collected(tok: wordsplit.Tokenizer) -> None:
    found: list[object] = list(tok.encode(TEXT))
    row = tok.encode(TEXT)
    row += [1 << 70, -1]
    row.sort()
    assert row[0] == -1
    found.append(found)
    del found
    gc.collect()


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
