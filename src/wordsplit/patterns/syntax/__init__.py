"""Parsers of the regex dialects, which produce a common syntax tree."""

from __future__ import annotations

from wordsplit.patterns.syntax.parser import parse

__all__ = ["parse"]
