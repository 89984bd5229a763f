"""The encodings by name, in the same module as in `tiktoken`."""

from wordsplit.compat.tiktoken.core import ENCODINGS, VOCABS, get_encoding, list_encoding_names

__all__ = ["ENCODINGS", "VOCABS", "get_encoding", "list_encoding_names"]
