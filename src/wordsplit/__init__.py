"""wordsplit: text to token ids and back, exactly, fast, offline.

>>> import wordsplit
>>> tok = wordsplit.load_tokenizer("qwen3")
>>> tok.encode("hello world")
[14990, 1879]
>>> tok.decode([14990, 1879])
'hello world'
"""

from typing import TYPE_CHECKING

from wordsplit import encoders, spanners, vocabs
from wordsplit import vocabs as loaders  # the registries are named as their entry-point groups
from wordsplit.api import list_encoders, list_loaders, list_spanners, list_vocabs, load_tokenizer
from wordsplit.errors import (
    BudgetError,
    CacheWarning,
    ChatTemplateError,
    CorpusError,
    DownloadError,
    DuplicateNameError,
    InputTypeError,
    InvalidTextError,
    InvalidTokenIdError,
    OfflineError,
    OptionsError,
    PluginError,
    SpannerError,
    SpecialTokenError,
    StreamFinishedError,
    TrainingWarning,
    UnknownNameError,
    UnknownTokenError,
    UnpinnedWarning,
    UnsupportedVocabError,
    VocabFormatError,
    WordsplitError,
)
from wordsplit.everyday.text_methods import Special
from wordsplit.options import TokenizerOptions
from wordsplit.text import Text
from wordsplit.tokenizer import Tokenizer
from wordsplit.vocab import AddedToken, MergeList, Normalize, Split, TokenTable, Vocab
from wordsplit.vocabs import catalog
from wordsplit.vocabs.resolve import load_vocab, load_vocab_bytes

if TYPE_CHECKING:
    from wordsplit.everyday.budgets import Truncated, TruncatedBytes
    from wordsplit.everyday.chat import MaskedChat
    from wordsplit.everyday.chunks import Chunk
    from wordsplit.everyday.decode_stream import DecodeStream
    from wordsplit.everyday.encoder_stream import Appended, EncoderStream, Stable
    from wordsplit.everyday.explain import Candidate, Explanation, Pass, Span
    from wordsplit.everyday.offsets import EncodedText
    from wordsplit.everyday.packing import Packed
    from wordsplit.everyday.show import Shown, ShownToken

__version__ = "0.1.0"

__all__ = [
    "AddedToken",
    "Appended",
    "BudgetError",
    "CacheWarning",
    "Candidate",
    "ChatTemplateError",
    "Chunk",
    "CorpusError",
    "DecodeStream",
    "DownloadError",
    "DuplicateNameError",
    "EncodedText",
    "EncoderStream",
    "Explanation",
    "InputTypeError",
    "InvalidTextError",
    "InvalidTokenIdError",
    "MaskedChat",
    "MergeList",
    "Normalize",
    "OfflineError",
    "OptionsError",
    "Packed",
    "Pass",
    "PluginError",
    "Shown",
    "ShownToken",
    "Span",
    "SpannerError",
    "Special",
    "SpecialTokenError",
    "Split",
    "Stable",
    "StreamFinishedError",
    "Text",
    "TokenTable",
    "Tokenizer",
    "TokenizerOptions",
    "TrainingWarning",
    "Truncated",
    "TruncatedBytes",
    "UnknownNameError",
    "UnknownTokenError",
    "UnpinnedWarning",
    "UnsupportedVocabError",
    "Vocab",
    "VocabFormatError",
    "WordsplitError",
    "__version__",
    "catalog",
    "encoders",
    "list_encoders",
    "list_loaders",
    "list_spanners",
    "list_vocabs",
    "load_tokenizer",
    "load_vocab",
    "load_vocab_bytes",
    "loaders",
    "spanners",
    "vocabs",
]

# What methods return is imported when it is first asked for: most programs never name it.
_LATER = {
    "Appended": "wordsplit.everyday.encoder_stream",
    "Candidate": "wordsplit.everyday.explain",
    "Chunk": "wordsplit.everyday.chunks",
    "DecodeStream": "wordsplit.everyday.decode_stream",
    "EncodedText": "wordsplit.everyday.offsets",
    "EncoderStream": "wordsplit.everyday.encoder_stream",
    "Explanation": "wordsplit.everyday.explain",
    "MaskedChat": "wordsplit.everyday.chat",
    "Packed": "wordsplit.everyday.packing",
    "Pass": "wordsplit.everyday.explain",
    "Shown": "wordsplit.everyday.show",
    "ShownToken": "wordsplit.everyday.show",
    "Span": "wordsplit.everyday.explain",
    "Stable": "wordsplit.everyday.encoder_stream",
    "Truncated": "wordsplit.everyday.budgets",
    "TruncatedBytes": "wordsplit.everyday.budgets",
}


def __getattr__(name: str) -> object:
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(f"module 'wordsplit' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
