"""Bytes from a URL: the contract of a fetcher, and the one that is used, over HTTP."""

from wordsplit.vocabs.hub.download import HttpFetcher, MissingFileError, TransientError
from wordsplit.vocabs.hub.fetcher import Fetcher

__all__ = ["Fetcher", "HttpFetcher", "MissingFileError", "TransientError"]
