"""What a pattern means: a parser of each regex dialect, to one syntax tree."""

from __future__ import annotations

from wordsplit.patterns.syntax.parser import parse

__all__ = ["parse"]
