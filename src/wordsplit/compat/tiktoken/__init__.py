"""A stand-in for `tiktoken` 0.14: ``import wordsplit.compat.tiktoken as tiktoken``.

Every OpenAI encoding ships inside the package, so nothing is downloaded.

Example:
    >>> import wordsplit.compat.tiktoken as tiktoken
    >>> enc = tiktoken.encoding_for_model("gpt-4o")
    >>> enc.encode("hello world")
    [24912, 2375]
    >>> enc.decode([24912, 2375])
    'hello world'
"""

from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tiktoken.core import Encoding
from wordsplit.compat.tiktoken.model import encoding_for_model, encoding_name_for_model
from wordsplit.compat.tiktoken.registry import get_encoding, list_encoding_names

__all__ = [
    "Encoding",
    "encoding_for_model",
    "encoding_name_for_model",
    "get_encoding",
    "list_encoding_names",
]

__version__ = "0.14.0"  # the release whose behaviour this follows

explain_missing_names(__name__, {"_tiktoken": "its Rust core is not part of the stand-in; use `Encoding`"})
