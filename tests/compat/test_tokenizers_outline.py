"""A tokenizer.json without its tables says the same as one that is parsed as a whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordsplit.compat.tokenizers import _outline
from wordsplit.compat.tokenizers._outline import TABLES, Outline

LARGE = {f'token {i} é \U0001f600 "\\': i for i in range(500)}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=15,
)
MODELS = st.fixed_dictionaries(
    {},
    optional={
        "vocab": st.sampled_from([LARGE, {}, {"a": 1}, [["a", 1.5]] * 500, None]),
        "merges": st.sampled_from([["a b"] * 500, [["a", "b"]] * 500, []]),
        "type": VALUES,
        "x": VALUES,
    },
)
ROOTS = st.fixed_dictionaries({"model": MODELS}, optional={"added_tokens": VALUES, "vocab": VALUES, "version": VALUES})


def whole(data):
    """Return what `json` says, without large tables."""
    root = json.loads(data)
    for name in TABLES:
        if len(json.dumps(root["model"].get(name))) > 2000:
            root["model"][name] = None
    return root


@given(root=ROOTS, ensure_ascii=st.booleans(), indent=st.sampled_from([None, 1]))
def test_all_but_tables_is_read(root, ensure_ascii, indent):
    data = json.dumps(root, ensure_ascii=ensure_ascii, indent=indent).encode("utf-8", "surrogatepass")
    assert Outline.of(data).root == whole(data)


@given(ids=st.sets(st.integers(0, 700)), ensure_ascii=st.booleans())
def test_tokens_are_found_by_id(ids, ensure_ascii):
    data = json.dumps({"model": {"vocab": LARGE}}, ensure_ascii=ensure_ascii).encode()
    assert Outline.of(data).root["model"]["vocab"] is None
    assert Outline.of(data).listed(ids) == {name: i for name, i in LARGE.items() if i in ids}


@pytest.mark.parametrize("vocab", [{"a": 1, "b": 2}, [["a", 1.0], ["b", 2.0]], [["a", 1.0]] * 500])
def test_tokens_of_other_tables(vocab):
    listed = {"a": 1} if isinstance(vocab, dict) else {}
    assert Outline.of(json.dumps({"model": {"vocab": vocab}}).encode()).listed([1, 5]) == listed


def test_of_two_values_of_a_name_the_last_counts():
    tables = json.dumps(LARGE)
    for data in (
        f'{{"model": {{"vocab": {tables}, "vocab": {{"b": 7}}}}}}',
        f'{{"model": {{"vocab": {tables}}}, "model": {{"vocab": {{"b": 7}}}}}}',
        f'{{"model": {{"vocab": {tables}, "\\u0076ocab": {{"b": 7}}}}}}',
        f'{{"model": {{"vocab": {tables}}}, "m\\u006fdel": {{"vocab": {{"b": 7}}}}}}',
    ):
        outline = Outline.of(data.encode())
        assert (outline.root, outline.listed([7, 8])) == ({"model": {"vocab": {"b": 7}}}, {"b": 7})


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_other_encodings(encoding):
    data = json.dumps({"model": {"vocab": LARGE}}).encode(encoding)
    assert Outline.of(data).root == {"model": {"vocab": LARGE}}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b'{"model": {"vocab": {"a": 1, }}}',
        b'{"model": {"vocab": ' + json.dumps(LARGE).encode()[:-9],
        b'{"model": {"vocab": ' + json.dumps(LARGE).encode() + b"}} x",
        b'{"x": "\xff", "model": {"vocab": ' + json.dumps(LARGE).encode() + b"}}",
    ],
)
def test_what_is_not_json_has_no_root(data):
    assert Outline.of(data).root == {}


@pytest.mark.parametrize("root", [[], 1, None, "x", {}, {"model": []}, {"model": None}])
def test_other_json(root):
    assert Outline.of(json.dumps(root).encode()).root == root


def test_pure_python(monkeypatch):
    monkeypatch.setattr(_outline, "json_outline", None)
    outline = Outline.of(json.dumps({"model": {"vocab": LARGE}}).encode())
    assert (outline.root["model"]["vocab"], outline.listed([3])) == (LARGE, {list(LARGE)[3]: 3})
