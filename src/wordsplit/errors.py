"""Every error that reaches a caller.

    WordsplitError (Exception)
    ├── UnknownNameError (LookupError)       no spanner, encoder, loader or vocab of that name
    ├── DuplicateNameError (ValueError)      a name registered twice
    ├── PluginError                          a plug-in that fails to load or violates its contract
    ├── OptionsError (ValueError)            an option with an invalid value
    ├── VocabFormatError (ValueError)        a damaged file: names the file, the field and the value found
    ├── UnsupportedVocabError                a valid file that needs something unsupported
    ├── CorpusError (ValueError)             a file of texts that cannot be read: names the file, and the line or row
    ├── ArrowError (ValueError)              Arrow data that violates its specification, or a stream that fails
    ├── InvalidTokenIdError (ValueError)     an id that is not in the vocab
    ├── UnknownTokenError (LookupError)      a token, or a byte of the text, that is not in the vocab
    ├── SpecialTokenError (ValueError)       a special token where ``special="error"`` forbids it
    ├── InputTypeError (TypeError)           an argument of a type that cannot be encoded or decoded
    ├── InvalidTextError (ValueError)        text that is not valid Unicode, under ``errors="strict"``
    ├── SpannerError (RuntimeError)          spans that do not cover the text exactly
    ├── StreamFinishedError (ValueError)     data pushed to a finished stream
    ├── BudgetError (ValueError)             required text that does not fit a budget
    ├── ChatTemplateError (ValueError)       a chat template that is invalid, or rejects the messages
    ├── DownloadError (OSError)              a download that failed
    └── OfflineError                         a download that offline mode forbids

``except wordsplit.WordsplitError`` catches them all. Those with a second base are also caught by
code that expects the built-in one. Four conditions issue a warning (`UserWarning`) instead of an error:
`UnpinnedWarning`, `CacheWarning`, `VocabWarning` and `TrainingWarning`.
"""

from __future__ import annotations

import os

from wordsplit import hints

__all__ = [
    "ArrowError",
    "BudgetError",
    "CacheWarning",
    "ChatTemplateError",
    "CorpusError",
    "DownloadError",
    "DuplicateNameError",
    "InputTypeError",
    "InvalidTextError",
    "InvalidTokenIdError",
    "OfflineError",
    "OptionsError",
    "PluginError",
    "SpannerError",
    "SpecialTokenError",
    "StreamFinishedError",
    "TrainingWarning",
    "UnknownNameError",
    "UnknownTokenError",
    "UnpinnedWarning",
    "UnsupportedVocabError",
    "VocabFormatError",
    "VocabWarning",
    "WordsplitError",
]


class WordsplitError(Exception):
    """Base class of all errors that wordsplit raises.

    Attributes:
        row: The index, from 0, of the text in a batch that caused the error; else ``None``.
    """

    row: int | None = None

    def in_row(self, row: int) -> hints.Self:
        """Return this error with the index of a text in a batch, also in its message."""
        if self.row is None:
            self.row = row
            Exception.__init__(self, f"text {row} of the batch: {self}")
        return self


class UnknownNameError(WordsplitError, LookupError):
    """A name that is not in the registry or the catalog, and is not a file."""


class DuplicateNameError(WordsplitError, ValueError):
    """A name registered a second time."""


class PluginError(WordsplitError):
    """A plug-in that cannot be loaded, or violates its contract."""


class OptionsError(WordsplitError, ValueError):
    """An option with an invalid value."""


class _FileError(WordsplitError):
    """An error at one place in a file.

    Attributes:
        file: The file's path, or ``None`` for bytes in memory.
        field: The place in it: a JSON path, a GGUF key, a line, a row or an offset.
        found: What was found there and why it is wrong.
    """

    def __init__(self, found: str, *, file: str | os.PathLike[str] | None = None, field: str = "") -> None:
        self.found = found
        self.file: str | None = None if file is None else os.fspath(file)
        self.field = field
        super().__init__(": ".join(part for part in (self.file, field, found) if part))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.found, self.file, self.field)


def _rebuild(cls: type[_FileError], found: str, file: str | None, field: str) -> _FileError:
    return cls(found, file=file, field=field)


class VocabFormatError(_FileError, ValueError):
    """A vocab file that is damaged, or whose parts contradict each other."""


class UnsupportedVocabError(_FileError):
    """A valid vocab that needs something unsupported."""


class CorpusError(_FileError, ValueError):
    """A file of texts that is damaged, is not in the format of its name, or lacks the requested column."""


class ArrowError(WordsplitError, ValueError):
    """Arrow data that violates its specification, or a stream that fails."""


class InvalidTokenIdError(WordsplitError, ValueError):
    """An id outside the vocab: negative, too large, or a hole."""


class UnknownTokenError(WordsplitError, LookupError):
    """A token that the vocab does not have."""


class SpecialTokenError(WordsplitError, ValueError):
    """A special token in text, where ``special="error"`` forbids it."""


class InputTypeError(WordsplitError, TypeError):
    """An argument of a type that cannot be encoded or decoded."""


class InvalidTextError(WordsplitError, ValueError):
    """Text that is not valid Unicode: a lone surrogate, or bytes that are not UTF-8."""


class SpannerError(WordsplitError, RuntimeError):
    """Spans that leave a gap, overlap, or do not reach the end of the text."""


class StreamFinishedError(WordsplitError, ValueError):
    """Data pushed to a stream that is already finished."""


class BudgetError(WordsplitError, ValueError):
    """Required text that does not fit the budget."""


class ChatTemplateError(WordsplitError, ValueError):
    """A chat template that is missing or invalid, or rejects the messages; its reason is in the error message."""


class DownloadError(WordsplitError, OSError):
    """A download that failed; the message names the URL and what to do."""


class OfflineError(WordsplitError):
    """A download that offline mode forbids; the message names the file and how to fetch it."""


class UnpinnedWarning(UserWarning):
    """A vocab from the hub was trusted on first use, because its name does not pin its content.

    ``warnings.simplefilter("error", wordsplit.UnpinnedWarning)`` forbids such names.
    """


class CacheWarning(UserWarning):
    """The cache cannot be written, or a record in it is of another user. Files are downloaded again."""


class VocabWarning(UserWarning):
    """A vocab file does not define something that affects ids. The message says what was assumed, and how to set it."""


class TrainingWarning(UserWarning):
    """Training omitted something because of its limits. The message says what, and how to include it."""
