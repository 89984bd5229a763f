"""Every error that reaches a caller.

    WordsplitError (Exception)
    ├── UnknownNameError (LookupError)       no spanner, encoder, loader or vocab of that name
    ├── DuplicateNameError (ValueError)      a name registered twice
    ├── PluginError                          a plug-in that fails to load or breaks its contract
    ├── OptionsError (ValueError)            an option with a value it cannot take
    ├── VocabFormatError (ValueError)        a damaged file: says which file, which field, what was found
    ├── UnsupportedVocabError                a sound file that asks for something not supported
    ├── CorpusError (ValueError)             a file of texts that cannot be read: says which file, which line or row
    ├── InvalidTokenIdError (ValueError)     an id that is no id of the vocab
    ├── UnknownTokenError (LookupError)      a token, or a byte of the text, that the vocab lacks
    ├── SpecialTokenError (ValueError)       a special token where ``special="error"`` forbids it
    ├── InputTypeError (TypeError)           an argument of a type that cannot be encoded or decoded
    ├── InvalidTextError (ValueError)        text that is no valid Unicode, under ``errors="strict"``
    ├── SpannerError (RuntimeError)          spans that do not tile the text
    ├── StreamFinishedError (ValueError)     more for a stream that has been finished
    ├── BudgetError (ValueError)             required text that does not fit a budget
    ├── ChatTemplateError (ValueError)       a chat template that is wrong, or that refuses the messages
    ├── DownloadError (OSError)              a download that failed
    └── OfflineError                         a download that offline mode forbids

``except wordsplit.WordsplitError`` catches them all. Those with a second base are also caught by
code that expects the built-in one. Three things are worth a warning (`UserWarning`) and no error: `UnpinnedWarning`,
`CacheWarning` and `TrainingWarning`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
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
    "WordsplitError",
]


class WordsplitError(Exception):
    """The root of every error wordsplit raises on purpose.

    Attributes:
        row: Of an error about one of a batch, which one it is, counted from 0; else ``None``.
    """

    row: int | None = None

    def in_row(self, row: int) -> Self:
        """The same error, about one of a batch; its message says which."""
        if self.row is None:
            self.row = row
            Exception.__init__(self, f"text {row} of the batch: {self}")
        return self


class UnknownNameError(WordsplitError, LookupError):
    """A name that no registry entry, catalog entry or file answers to."""


class DuplicateNameError(WordsplitError, ValueError):
    """A name registered a second time."""


class PluginError(WordsplitError):
    """A plug-in that cannot be loaded, or does not keep its contract."""


class OptionsError(WordsplitError, ValueError):
    """An option with a value it cannot take."""


class _FileError(WordsplitError):
    """An error about one place in one file.

    Attributes:
        file: The file's path, or ``None`` for bytes in memory.
        field: The place in it: a JSON path, a GGUF key, a line, a row or an offset.
        found: What stands there and why it is wrong.
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
    """A vocab that is sound, but asks for something that is not supported."""


class CorpusError(_FileError, ValueError):
    """A file of texts that is damaged, or is not what its name says, or lacks the column asked for."""


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
    """A spanner whose spans leave a gap, overlap, or do not reach the end of the text."""


class StreamFinishedError(WordsplitError, ValueError):
    """More for a stream that has been finished."""


class BudgetError(WordsplitError, ValueError):
    """Text that has to be there, and does not fit the budget."""


class ChatTemplateError(WordsplitError, ValueError):
    """A chat template that is missing or wrong, or that refuses the messages; the message has what it says."""


class DownloadError(WordsplitError, OSError):
    """A download that failed; the message names the URL and what to do."""


class OfflineError(WordsplitError):
    """A download that offline mode forbids; the message names the file and how to fetch it."""


class UnpinnedWarning(UserWarning):
    """A vocab from the hub whose name does not pin its content was trusted as it was found, the first time.

    ``warnings.simplefilter("error", wordsplit.UnpinnedWarning)`` forbids such names.
    """


class CacheWarning(UserWarning):
    """The cache cannot be written; everything works, and is downloaded again the next time."""


class TrainingWarning(UserWarning):
    """Training leaves something out, as its limits ask; the message says what and how to have it."""
