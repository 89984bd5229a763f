"""Names that a stand-in does not have: hasattr, getattr, inspect and import treat them as missing."""

import importlib
import inspect
import pkgutil

import pytest

import wordsplit
import wordsplit.compat
import wordsplit.compat.tiktoken
from wordsplit.compat.errors import MissingNameError

MODULES = [
    "wordsplit.compat",
    "wordsplit.compat.tiktoken",
    *(
        f"wordsplit.compat.tiktoken.{module.name}"
        for module in pkgutil.iter_modules(wordsplit.compat.tiktoken.__path__)
        if module.name == "_educational" or not module.name.startswith("_")
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_of_a_module(name):
    module = importlib.import_module(name)
    assert not hasattr(module, "no_such_name")
    assert getattr(module, "no_such_name", None) is None
    assert dict(inspect.getmembers(module))
    with pytest.raises(MissingNameError, match="no_such_name") as raised:
        module.no_such_name  # noqa: B018
    assert isinstance(raised.value, AttributeError)
    assert isinstance(raised.value, wordsplit.WordsplitError)
    assert raised.value.name == "no_such_name"
    with pytest.raises(ImportError):
        exec(f"from {name} import no_such_name")  # noqa: S102 - what a program does
    with pytest.raises(ImportError):
        importlib.import_module(f"{name}.no_such_name")


def test_of_an_encoding():
    enc = wordsplit.compat.tiktoken.get_encoding("gpt2")
    assert not hasattr(enc, "_core_bpe")
    assert dict(inspect.getmembers(enc))["name"] == "gpt2"
    with pytest.raises(MissingNameError, match="Rust"):
        enc._core_bpe  # noqa: B018


def test_what_to_use_instead():
    with pytest.raises(MissingNameError, match="use `Encoding`"):
        wordsplit.compat.tiktoken._tiktoken  # noqa: B018


def test_what_tiktoken_has():
    """Every public name of its modules is here."""
    for name in MODULES[2:]:
        theirs = importlib.import_module(name.removeprefix("wordsplit.compat."))
        own = {
            key
            for key, value in vars(theirs).items()
            if not key.startswith("_") and getattr(value, "__module__", theirs.__name__) == theirs.__name__
        }
        modules = {
            key for key in own if inspect.ismodule(getattr(theirs, key)) or key in ("annotations", "TYPE_CHECKING")
        }
        from_typing = {key for key in own if type(getattr(theirs, key)).__module__ in ("typing", "__future__")}
        missing = {key for key in own - modules - from_typing if not hasattr(importlib.import_module(name), key)}
        assert not missing - {"raise_disallowed_special_token"}, name
    methods = {name for name in dir(importlib.import_module("tiktoken").Encoding) if not name.startswith("__")}
    assert methods <= set(dir(wordsplit.compat.tiktoken.Encoding))
