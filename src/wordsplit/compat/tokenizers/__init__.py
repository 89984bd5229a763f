"""A stand-in for Hugging Face's `tokenizers` 0.23, for byte-level BPE: ``import wordsplit.compat.tokenizers``.

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
from wordsplit.compat.tokenizers import processors
from wordsplit.compat.tokenizers.encoding import Encoding
from wordsplit.compat.tokenizers.tokenizer import Tokenizer
from wordsplit.compat.tokenizers.tokens import AddedToken

__all__ = ["AddedToken", "Encoding", "Tokenizer", "processors"]

__version__ = "0.23.3"  # the release whose behaviour this follows

_UNSUPPORTED = {
    "models": "Tokenizer.from_file() and from_str() take models from a tokenizer.json",
    "trainers": "the stand-in has no trainers; use wordsplit.training.BpeTrainer",
    "normalizers": "they come from a tokenizer.json",
    "pre_tokenizers": "they come from a tokenizer.json; Tokenizer.spans() of wordsplit shows what they do",
    "decoders": "they come from a tokenizer.json; wordsplit.Tokenizer.decode_stream() decodes ids as they arrive",
    "implementations": "use Tokenizer",
    "tools": "use wordsplit's own",
    "Regex": "patterns come from a tokenizer.json",
    "NormalizedString": "use encode() and its offsets",
    "PreTokenizedString": "use encode() and its offsets",
    "ByteLevelBPETokenizer": "use Tokenizer, or wordsplit.load_tokenizer() for vocab.json and merges.txt",
    "CharBPETokenizer": "it is not byte-level BPE",
    "BertWordPieceTokenizer": "it is not byte-level BPE",
    "SentencePieceBPETokenizer": "it is not byte-level BPE",
    "SentencePieceUnigramTokenizer": "it is not byte-level BPE",
}


def __getattr__(name: str) -> object:
    if name in _UNSUPPORTED:
        raise NotSupportedError(f"wordsplit.compat.tokenizers has no {name}: {_UNSUPPORTED[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
