"""The cache folder: downloaded files, and compiled vocabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordsplit.vocabs.cache.downloads import Blob, Cache, WrongContentError

__all__ = ["Blob", "Cache", "WrongContentError"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from wordsplit.vocabs.cache import downloads  # noqa: PLC0415 - it imports hashlib, which bundled vocabs do not need

    return getattr(downloads, name)
