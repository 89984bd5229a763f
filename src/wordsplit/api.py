"""Top-level functions of the package: load a tokenizer, list registered names."""

from __future__ import annotations

import os
from typing import Any

from wordsplit import encoders, spanners, vocabs
from wordsplit.errors import OptionsError
from wordsplit.registry import nearest
from wordsplit.tokenizer import Tokenizer, TokenizerOptions
from wordsplit.vocab import Vocab
from wordsplit.vocabs import catalog
from wordsplit.vocabs.resolve import load_vocab

__all__ = ["list_encoders", "list_loaders", "list_spanners", "list_vocabs", "load_tokenizer"]


def load_tokenizer(name: str | os.PathLike[str] | Vocab = "qwen3", **options: Any) -> Tokenizer:
    """Load a vocab and build a tokenizer from it.

    Args:
        name: Anything that `load_vocab` takes, or a `Vocab`.
        **options: The fields of `TokenizerOptions`.

    Raises:
        OptionsError: An option does not exist, or has an invalid value.
        UnknownNameError: A vocab, spanner or encoder does not exist.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("o200k_base", encoder="backtracking").encode("hello world")
        [24912, 2375]
    """
    known = TokenizerOptions.__dataclass_fields__
    for option in options:
        if option not in known:
            raise OptionsError(f"no option {option!r}. {nearest(option, known)}")
    built = TokenizerOptions(**options)
    return built.build(name if isinstance(name, Vocab) else load_vocab(name))


def list_vocabs() -> list[str]:
    """List the names of all vocabs that `load_vocab` knows, without aliases.

    Example:
        >>> import wordsplit
        >>> "qwen3" in wordsplit.list_vocabs()
        True
    """
    return catalog.names()


def list_spanners() -> list[str]:
    """List the names of all spanners."""
    return spanners.names()


def list_encoders() -> list[str]:
    """List the names of all span encoders."""
    return encoders.names()


def list_loaders() -> list[str]:
    """List the names of all vocab loaders, which are the formats that can be read."""
    return vocabs.names()
