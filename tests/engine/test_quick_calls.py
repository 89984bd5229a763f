"""The usual calls of `Tokenizer` go to the core at once; they remain methods like others."""

import copy
import inspect
import pickle
import threading
import typing
from unittest import mock

import cloudpickle
import pytest

import wordsplit
from wordsplit import _native
from wordsplit.training import BpeTrainer

TOK = wordsplit.load_tokenizer("qwen3")


class Other(wordsplit.Tokenizer):
    def encode(self, text, special="parse"):
        return [len(text), *super().encode(text, special)]


def test_a_method_like_others():
    for name in ("encode", "count", "decode"):
        method = vars(wordsplit.Tokenizer)[name]
        assert isinstance(method, type(vars(wordsplit.Tokenizer)["encode"]))
        assert inspect.isroutine(method)
        assert method.__name__ == name
        assert method.__qualname__ == f"Tokenizer.{name}"
        assert method.__module__ == "wordsplit.tokenizer"
        assert method.__doc__ == method.__wrapped__.__doc__
        assert inspect.signature(method) == inspect.signature(method.__wrapped__)
        bound = getattr(TOK, name)
        assert "self" not in inspect.signature(bound).parameters
        assert bound.__self__ is TOK
        assert bound.__func__ is method
        assert name in repr(method)
    assert typing.get_type_hints(TOK.count)["return"] is int
    with pytest.raises(AttributeError):
        _ = wordsplit.Tokenizer.encode.nothing


def test_pickled_by_name():
    """Bound methods could not be given to workers of joblib, Dask, Ray and Spark, which use cloudpickle."""
    for name in ("encode", "count", "decode"):
        method = vars(wordsplit.Tokenizer)[name]
        assert pickle.loads(pickle.dumps(method)) is method  # noqa: S301 - own data
        assert copy.deepcopy(method) is method
        bound = pickle.loads(cloudpickle.dumps(getattr(TOK, name)))  # noqa: S301 - own data
        assert bound.__func__ is method
    assert pickle.loads(cloudpickle.dumps(TOK.encode))("hello world") == [14990, 1879]  # noqa: S301 - own data


def test_calls_of_every_form():
    assert TOK.encode("hello world") == TOK.encode(text="hello world") == TOK.encode("hello world", "parse")
    assert TOK.encode("hello world", special="text") == TOK.encode("hello world", "no_added") == [14990, 1879]
    assert wordsplit.Tokenizer.encode(TOK, "hello") == [14990]
    assert TOK.count("hello world") == TOK.count("hello world", "parse") == TOK.count("hello world", limit=9) == 2
    assert TOK.decode([14990]) == TOK.decode(ids=[14990]) == TOK.decode([14990], "strict") == "hello"
    assert TOK.decode([151644, 14990], skip_special=True) == "hello"
    assert TOK.decode((14990,)) == TOK.decode(iter([14990])) == "hello"
    assert list(map(TOK.count, ["a", b"a", bytearray(b"a"), "\ud800"])) == [1, 1, 1, TOK.count("\ufffd")]
    for call in (TOK.encode, lambda: TOK.encode("a", "parse", 1), lambda: TOK.decode([1], "strict", 1)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(wordsplit.InputTypeError):
        TOK.encode(1)
    with pytest.raises(wordsplit.InvalidTokenIdError):
        TOK.decode([10**7])
    with pytest.raises(AttributeError):
        wordsplit.Tokenizer.encode(object(), "a")


def test_what_replaces_a_method_is_called():
    assert Other(TOK.vocab).encode("hello") == [5, 14990]
    with mock.patch.object(wordsplit.Tokenizer, "encode", return_value="mocked"):
        assert TOK.encode("hello") == "mocked"
    assert TOK.encode("hello") == [14990]


def test_copies_and_engines():
    for other in (copy.copy(TOK), copy.deepcopy(TOK), pickle.loads(pickle.dumps(TOK))):  # noqa: S301 - own data
        assert other.encode("hello world") == [14990, 1879]
    bound = pickle.loads(pickle.dumps(TOK.encode))  # noqa: S301 - own data
    assert bound("hello") == [14990]


def test_engines():
    vocab = BpeTrainer(300, pattern="cl100k").update(["the cat sat on the mat"] * 9).train()
    native, in_regex, in_python = (
        wordsplit.TokenizerOptions(**options).build(vocab)
        for options in ({}, {"spanner": "regex"}, {"engine": "python"})
    )
    ids = native.encode("the cat")
    assert in_regex.encode("the cat") == in_python.encode("the cat") == ids
    assert native.count("the cat") == in_regex.count("the cat") == in_python.count("the cat") == len(ids)
    assert native.decode(ids) == in_regex.decode(ids) == in_python.decode(ids) == "the cat"


def test_an_object_without_a_core():
    bare = wordsplit.Tokenizer.__new__(wordsplit.Tokenizer)
    with pytest.raises(AttributeError):
        bare.encode("hello")
    bare._core = _native.Engine.__new__(_native.Engine)  # not made
    with pytest.raises(AttributeError):
        bare.encode("hello")
    with pytest.raises((TypeError, ValueError)):
        _native.quick_method()
    with pytest.raises(ValueError, match="encode, count or decode"):
        _native.quick_method(len)


def test_in_threads():
    texts = [f"text {i} of many" for i in range(50)]
    want = list(map(TOK.encode, texts))
    found = [None] * 4

    def run(n):
        found[n] = list(map(TOK.encode, texts))

    threads = [threading.Thread(target=run, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [want] * 4
