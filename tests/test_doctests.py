"""Every example in a docstring runs, in the installed package."""

import doctest
import importlib
import pkgutil

import pytest
from depth import by_depth

import wordsplit

MODULES = [
    module.name
    for module in pkgutil.walk_packages(wordsplit.__path__, "wordsplit.")
    if not module.name.endswith(("__main__", "_native"))
]


@pytest.mark.parametrize("name", ["wordsplit", *MODULES][:: by_depth(2, 1, 1)])
def test_examples_of(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_the_public_face_has_examples():
    without = [
        name
        for name in ("Vocab", "Tokenizer", "TokenizerOptions", "load_vocab", "load_vocab_bytes", "load_tokenizer")
        if ">>>" not in (getattr(wordsplit, name).__doc__ or "")
    ]
    assert not without
