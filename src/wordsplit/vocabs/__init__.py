"""Where vocabs come from: `formats` reads and writes files, `hub` downloads them, `cache` keeps them.

`catalog` says what a name stands for, and `resolve` goes from a name to a vocab. The names here are the registry of
loaders.
"""

from wordsplit.vocabs.formats import get, is_in_tree, names, register, unregister
from wordsplit.vocabs.formats.base import Loader, Overrides, Source

__all__ = ["Loader", "Overrides", "Source", "get", "is_in_tree", "names", "register", "unregister"]
