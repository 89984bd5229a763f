"""Features of a tokenizer beyond ids: one concept per file, each imported on first use.

Each file has functions or classes that work on an engine. The methods of `wordsplit.Tokenizer` call them; none of them
imports the tokenizer.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordsplit.features import (
        aio,
        arrow,
        budgets,
        chat,
        chunks,
        compare,
        cuts,
        decode_stream,
        encoder_stream,
        explain,
        model_inputs,
        packing,
        pairs,
        pattern_report,
        segments,
        show,
        token_index,
    )

__all__ = [
    "aio",
    "arrow",
    "budgets",
    "chat",
    "chunks",
    "compare",
    "cuts",
    "decode_stream",
    "encoder_stream",
    "explain",
    "model_inputs",
    "packing",
    "pairs",
    "pattern_report",
    "segments",
    "show",
    "token_index",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
