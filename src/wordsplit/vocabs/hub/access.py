"""Access to files for a load: the cache, the fetcher, and whether the network may be used."""

from __future__ import annotations

from dataclasses import dataclass

from wordsplit.vocabs.cache.downloads import Cache
from wordsplit.vocabs.hub.fetcher import Fetcher

__all__ = ["Access"]


@dataclass(frozen=True)
class Access:
    """The access to files.

    Attributes:
        cache: Where files are stored.
        fetcher: The function that fetches files; `HttpFetcher` if none is given.
        offline: Whether downloads are forbidden.
        update: Whether to look the name up again, even if its files are on this disk.
    """

    cache: Cache
    fetcher: Fetcher | None = None
    offline: bool = False
    update: bool = False
