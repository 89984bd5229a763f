"""Turn text into token ids and back, exactly as each model's own tokenizer does, fast and offline.

>>> import wordsplit
>>> tok = wordsplit.load_tokenizer("qwen3")
>>> tok.encode("hello world")
[14990, 1879]
>>> tok.decode([14990, 1879])
'hello world'
"""

from typing import TYPE_CHECKING

from wordsplit import encoders, spanners
from wordsplit.errors import (
    ArrowError,
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
    VocabWarning,
    WordsplitError,
)
from wordsplit.lengths import Padding, Truncation
from wordsplit.missing_bytes import MissingBytes
from wordsplit.model import ByteLevelBPE
from wordsplit.template import TemplatePart
from wordsplit.text import Special, Text
from wordsplit.vocab import AddedToken, MergeList, Normalize, Rewrite, Split, TokenTable, Vocab

if TYPE_CHECKING:
    from wordsplit import vocabs
    from wordsplit import vocabs as loaders  # the registries are named as their entry-point groups
    from wordsplit.api import list_encoders, list_loaders, list_spanners, list_vocabs, load_tokenizer
    from wordsplit.engine.offsets import EncodedText
    from wordsplit.engine.simd import simd_level
    from wordsplit.features.arrow import ArrowType, EncodedColumn
    from wordsplit.features.budgets import Truncated, TruncatedBytes
    from wordsplit.features.chat import MaskedChat
    from wordsplit.features.chunks import Chunk
    from wordsplit.features.decode_stream import DecodeStream
    from wordsplit.features.encoder_stream import Appended, EncoderStream, Stable
    from wordsplit.features.explain import Candidate, Explanation, Pass, Span
    from wordsplit.features.packing import Packed
    from wordsplit.features.pairs import EncodedPair
    from wordsplit.features.show import Shown, ShownToken
    from wordsplit.tokenizer import Tokenizer, TokenizerOptions
    from wordsplit.vocabs import catalog
    from wordsplit.vocabs.resolve import load_vocab, load_vocab_bytes

__version__ = "0.1.0"

__all__ = [
    "AddedToken",
    "Appended",
    "ArrowError",
    "ArrowType",
    "BudgetError",
    "ByteLevelBPE",
    "CacheWarning",
    "Candidate",
    "ChatTemplateError",
    "Chunk",
    "CorpusError",
    "DecodeStream",
    "DownloadError",
    "DuplicateNameError",
    "EncodedColumn",
    "EncodedPair",
    "EncodedText",
    "EncoderStream",
    "Explanation",
    "InputTypeError",
    "InvalidTextError",
    "InvalidTokenIdError",
    "MaskedChat",
    "MergeList",
    "MissingBytes",
    "Normalize",
    "OfflineError",
    "OptionsError",
    "Packed",
    "Padding",
    "Pass",
    "PluginError",
    "Rewrite",
    "Shown",
    "ShownToken",
    "Span",
    "SpannerError",
    "Special",
    "SpecialTokenError",
    "Split",
    "Stable",
    "StreamFinishedError",
    "TemplatePart",
    "Text",
    "TokenTable",
    "Tokenizer",
    "TokenizerOptions",
    "TrainingWarning",
    "Truncated",
    "TruncatedBytes",
    "Truncation",
    "UnknownNameError",
    "UnknownTokenError",
    "UnpinnedWarning",
    "UnsupportedVocabError",
    "Vocab",
    "VocabFormatError",
    "VocabWarning",
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
    "simd_level",
    "spanners",
    "vocabs",
]

# Imported on first use: the modules that load vocabs and build tokenizers, a quarter of the import time, and the types
# of results, which most programs never name.
_LAZY = {
    "Appended": "wordsplit.features.encoder_stream",
    "ArrowType": "wordsplit.features.arrow",
    "Candidate": "wordsplit.features.explain",
    "Chunk": "wordsplit.features.chunks",
    "DecodeStream": "wordsplit.features.decode_stream",
    "EncodedColumn": "wordsplit.features.arrow",
    "EncodedPair": "wordsplit.features.pairs",
    "EncodedText": "wordsplit.engine.offsets",
    "EncoderStream": "wordsplit.features.encoder_stream",
    "Explanation": "wordsplit.features.explain",
    "MaskedChat": "wordsplit.features.chat",
    "Packed": "wordsplit.features.packing",
    "Pass": "wordsplit.features.explain",
    "Shown": "wordsplit.features.show",
    "ShownToken": "wordsplit.features.show",
    "Span": "wordsplit.features.explain",
    "Stable": "wordsplit.features.encoder_stream",
    "Tokenizer": "wordsplit.tokenizer",
    "TokenizerOptions": "wordsplit.tokenizer",
    "Truncated": "wordsplit.features.budgets",
    "TruncatedBytes": "wordsplit.features.budgets",
    "list_encoders": "wordsplit.api",
    "list_loaders": "wordsplit.api",
    "list_spanners": "wordsplit.api",
    "list_vocabs": "wordsplit.api",
    "load_tokenizer": "wordsplit.api",
    "load_vocab": "wordsplit.vocabs.resolve",
    "load_vocab_bytes": "wordsplit.vocabs.resolve",
    "simd_level": "wordsplit.engine.simd",
}
_LAZY_MODULES = {"catalog": "wordsplit.vocabs.catalog", "loaders": "wordsplit.vocabs", "vocabs": "wordsplit.vocabs"}


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415

    if name in _LAZY:
        found: object = getattr(import_module(_LAZY[name]), name)
    elif name in _LAZY_MODULES:
        found = import_module(_LAZY_MODULES[name])
    else:
        raise AttributeError(f"module 'wordsplit' has no attribute {name!r}")
    globals()[name] = found  # the next time it is found without this function
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_LAZY_MODULES})
