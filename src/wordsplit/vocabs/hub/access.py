"""How a load may get at files: from which cache, by which fetcher, with or without the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wordsplit.vocabs.cache.downloads import Cache

if TYPE_CHECKING:
    from wordsplit.vocabs.hub.download import Fetcher

__all__ = ["Access"]


@dataclass(frozen=True)
class Access:
    """How to get at files.

    Attributes:
        cache: Where they are kept.
        fetcher: What fetches them; `HttpFetcher` if none is given.
        offline: Whether nothing may be fetched.
        update: Whether to look anew what the name means, whatever is on this disk.
    """

    cache: Cache
    fetcher: Fetcher | None = None
    offline: bool = False
    update: bool = False
