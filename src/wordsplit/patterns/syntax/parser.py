"""Parse a pattern in one of the dialects."""

from __future__ import annotations

import re

from wordsplit.patterns.syntax.oniguruma import OnigurumaParser
from wordsplit.patterns.syntax.rust import RustParser
from wordsplit.patterns.syntax.tree import Node

__all__ = ["parse"]

_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(pattern: str, dialect: str, *, source: str | None = None, field: str = "pattern") -> Node:
    """Return the syntax tree of a pattern.

    Args:
        pattern: The pattern.
        dialect: ``"tokenizers"`` (Oniguruma) or ``"tiktoken"`` (Rust).
        source: The name of the vocab's source, for errors.
        field: The place in it.

    Raises:
        UnsupportedVocabError: The pattern is invalid, or uses something unsupported. The message names it and its
            place.

    Example:
        >>> parse(r"\\d{2}?", "tokenizers").least, parse(r"\\d{2}?", "tiktoken").least
        (0, 2)
    """
    parser = (RustParser if dialect == "tiktoken" else OnigurumaParser)(pattern, source, field)
    if surrogate := _SURROGATE.search(pattern):
        raise parser.refuse("a lone surrogate, which is no character", surrogate.start())
    return parser.parse()
