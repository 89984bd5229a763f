"""Load and save vocabs: `formats` reads and writes files, `hub` downloads them, `cache` stores them.

`catalog` defines the vocab of each name, and `resolve` finds and loads the vocab of a name. The names here are the
registry of loaders.
"""

from wordsplit.vocabs.formats import get, is_in_tree, names, register, unregister
from wordsplit.vocabs.formats.base import Loader, Overrides, Source

__all__ = ["Loader", "Overrides", "Source", "get", "is_in_tree", "names", "register", "unregister"]


def __getattr__(name: str) -> object:
    if name != "catalog":
        raise AttributeError(f"module 'wordsplit.vocabs' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return import_module("wordsplit.vocabs.catalog")  # which finds names; those who load files do without it
