"""The encodings by name, where `tiktoken` has them."""

from wordsplit.compat.tiktoken.core import ENCODINGS, VOCABS, get_encoding, list_encoding_names

__all__ = ["ENCODINGS", "VOCABS", "get_encoding", "list_encoding_names"]
