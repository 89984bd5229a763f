"""Bytes from a URL: the contract of a fetcher, and the one that is used, over HTTP."""

from wordsplit.vocabs.hub.download import Fetcher, HttpFetcher, MissingFileError, TransientError

__all__ = ["Fetcher", "HttpFetcher", "MissingFileError", "TransientError"]
