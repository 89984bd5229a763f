"""wordsplit: text to token ids and back, exactly, fast, offline.

>>> import wordsplit
>>> tok = wordsplit.load_tokenizer("qwen3")
>>> tok.encode("hello world")
[14990, 1879]
>>> tok.decode([14990, 1879])
'hello world'
"""

from wordsplit import encoders, spanners, vocabs
from wordsplit import vocabs as loaders  # the registries are named as their entry-point groups
from wordsplit.api import list_encoders, list_loaders, list_spanners, list_vocabs, load_tokenizer
from wordsplit.errors import (
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
from wordsplit.options import TokenizerOptions
from wordsplit.tokenizer import Tokenizer
from wordsplit.vocab import AddedToken, Normalize, Split, Vocab
from wordsplit.vocabs import catalog
from wordsplit.vocabs.resolve import load_vocab, load_vocab_bytes

__version__ = "0.1.0"

__all__ = [
    "AddedToken",
    "CacheWarning",
    "ChatTemplateError",
    "CorpusError",
    "DownloadError",
    "DuplicateNameError",
    "InputTypeError",
    "InvalidTextError",
    "InvalidTokenIdError",
    "Normalize",
    "OfflineError",
    "OptionsError",
    "PluginError",
    "SpannerError",
    "SpecialTokenError",
    "Split",
    "StreamFinishedError",
    "Tokenizer",
    "TokenizerOptions",
    "TrainingWarning",
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
