"""A stand-in for Hugging Face's `tokenizers` 0.23: ``import wordsplit.compat.tokenizers``.

Example:
    >>> from wordsplit.compat.tokenizers import Tokenizer
    >>> tok = Tokenizer.from_pretrained("Qwen/Qwen3-0.6B")  # ships inside the package
    >>> found = tok.encode("Hello, world!")
    >>> found.tokens
    ['Hello', ',', 'Ġworld', '!']
    >>> found.offsets
    [(0, 5), (5, 6), (6, 12), (12, 13)]
"""

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tokenizers import (
    decoders,
    implementations,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)
from wordsplit.compat.tokenizers._component import Regex
from wordsplit.compat.tokenizers.encoding import Encoding
from wordsplit.compat.tokenizers.implementations import (
    BertWordPieceTokenizer,
    ByteLevelBPETokenizer,
    CharBPETokenizer,
    SentencePieceBPETokenizer,
    SentencePieceUnigramTokenizer,
)
from wordsplit.compat.tokenizers.models import Token
from wordsplit.compat.tokenizers.tokenizer import Tokenizer
from wordsplit.compat.tokenizers.tokens import AddedToken

__all__ = [
    "AddedToken",
    "BertWordPieceTokenizer",
    "ByteLevelBPETokenizer",
    "CharBPETokenizer",
    "Encoding",
    "NotSupportedError",
    "Regex",
    "SentencePieceBPETokenizer",
    "SentencePieceUnigramTokenizer",
    "Token",
    "Tokenizer",
    "decoders",
    "models",
    "normalizers",
    "pre_tokenizers",
    "processors",
    "trainers",
]

# The arguments of `encode` and `encode_batch`, for annotations.
Offsets = tuple[int, int]
TextInputSequence = str
PreTokenizedInputSequence = list[str] | tuple[str, ...]
TextEncodeInput = TextInputSequence | tuple[TextInputSequence, TextInputSequence]
PreTokenizedEncodeInput = PreTokenizedInputSequence | tuple[PreTokenizedInputSequence, PreTokenizedInputSequence]
InputSequence = TextInputSequence | PreTokenizedInputSequence
EncodeInput = TextEncodeInput | PreTokenizedEncodeInput

__version__ = "0.23.3"  # the release whose behaviour this follows

explain_missing_names(
    __name__,
    implementations.MISSING
    | {
        "NormalizedString": "use encode() and its offsets",
        "PreTokenizedString": "use encode() and its offsets",
        "tools": "an Encoding displays itself in notebooks",
    },
)
