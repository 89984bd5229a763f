"""Tools evaluate annotations at run time: of every public class, method and function of the API reference."""

import importlib
import inspect
import re
import subprocess
import sys
import typing
from functools import singledispatch
from pathlib import Path

import pytest

import wordsplit

REFERENCE = Path(__file__).parents[2] / "docs" / "api"
NAMES = [
    name
    for page in sorted(REFERENCE.glob("*.md"))
    for name in re.findall(r"^::: (\S+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    if not name.startswith("wordsplit.transformers")  # which needs the library
]


def found(name):
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def functions_of(owner):
    """The public methods, the functions of public properties, and magic methods."""
    for cls in owner.__mro__:
        if cls.__module__.partition(".")[0] == "wordsplit":
            for name, value in vars(cls).items():
                function = next(
                    (getattr(value, of) for of in ("__func__", "fget", "func") if hasattr(value, of)), value
                )
                if (name.startswith("__") or not name.startswith("_")) and inspect.isroutine(function):
                    yield function


def test_the_reference_is_read():
    assert len(NAMES) > 180
    assert len(list(functions_of(wordsplit.Tokenizer))) > 50


@pytest.mark.parametrize("name", NAMES)
def test_annotations_can_be_evaluated(name):
    obj = found(name)
    if inspect.isclass(obj):
        typing.get_type_hints(obj)
        for function in functions_of(obj):
            typing.get_type_hints(function)
            inspect.signature(function, eval_str=True)
    elif callable(obj):
        typing.get_type_hints(obj)
        inspect.signature(obj, eval_str=True)


def test_the_fast_methods_keep_their_annotations():
    tok = wordsplit.load_tokenizer("qwen3")
    for method in (tok.encode, wordsplit.Tokenizer.encode, tok.decode, tok.count):
        assert "return" in typing.get_type_hints(method)
        assert inspect.signature(method, eval_str=True).return_annotation in (int, str, list[int])


def test_a_function_is_dispatched_by_a_return_type():
    @singledispatch
    def tokens(_):
        raise NotImplementedError

    @tokens.register
    def _(found: wordsplit.EncodedText):
        return found.ids

    tok = wordsplit.load_tokenizer("qwen3")
    assert tokens(tok.encode_with_offsets("hello world")) == [14990, 1879]


def test_importing_what_has_annotations_imports_nothing_for_them():
    code = "import sys, wordsplit, wordsplit.corpus; wordsplit.Tokenizer; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    unwanted = {"numpy", "wordsplit._native", "wordsplit.features.show", "wordsplit.features.chat", "typing_extensions"}
    assert not unwanted & set(loaded)


def test_another_name_is_missing_as_in_any_module():
    from wordsplit import hints

    with pytest.raises(AttributeError, match=r"'wordsplit\.hints' has no attribute 'pd'"):
        hints.pd  # noqa: B018
