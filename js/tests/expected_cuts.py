"""Texts cut to a number of ids."""

from __future__ import annotations

import wordsplit

__all__ = ["MOST", "cuts"]

MOST = 5


def cuts(tok: wordsplit.Tokenizer, text: str) -> dict[str, list[object]]:
    """Return what is left of a text cut to ``MOST`` ids on either side, its ids, and whether any were cut off."""
    return {"right": list(tok.truncate(text, MOST)), "left": list(tok.truncate(text, MOST, side="left"))}
