"""Errors of the stand-ins, which also have the built-in type of the original's error."""

from __future__ import annotations

from wordsplit.errors import (
    InvalidTokenIdError,
    PluginError,
    SpecialTokenError,
    UnknownNameError,
    UnknownTokenError,
    WordsplitError,
)

__all__ = [
    "AlreadyImportedError",
    "DisallowedSpecialTokenError",
    "EncodingPluginError",
    "InvalidPrefixError",
    "MissingLibraryError",
    "MissingNameError",
    "NoSuchIdError",
    "NoSuchTokenError",
    "NotSupportedError",
    "UnknownEncodingError",
    "UnknownModelError",
]


class NotSupportedError(WordsplitError, NotImplementedError):
    """The stand-in does not support this feature of the original; see docs/compat.md."""


class MissingNameError(NotSupportedError, AttributeError):
    """The stand-in has no such name; an `AttributeError`, so `hasattr` and ``from … import`` work as usual."""


class MissingLibraryError(NotSupportedError, ImportError):
    """Another library is needed, as in the original, and is not installed."""


class AlreadyImportedError(WordsplitError, ImportError):
    """The original was imported before its stand-in was installed under its name."""


class EncodingPluginError(PluginError, ValueError):
    """A plug-in of ``tiktoken_ext`` defines no encodings, or one that another defines."""


class InvalidPrefixError(WordsplitError):
    """Ids in a stream change the text of the ids before them."""


class DisallowedSpecialTokenError(SpecialTokenError):
    """A special token in text where it is not allowed; a `ValueError`."""


class UnknownEncodingError(UnknownNameError, ValueError):
    """No encoding has this name."""


class _ReadableKeyError(KeyError):
    def __str__(self) -> str:  # KeyError shows the repr of the message
        return str(self.args[0])


class UnknownModelError(_ReadableKeyError, UnknownNameError):
    """No model has this name."""


class NoSuchTokenError(_ReadableKeyError, UnknownTokenError):
    """No token has these bytes."""


class NoSuchIdError(_ReadableKeyError, InvalidTokenIdError):
    """No token has this id."""
