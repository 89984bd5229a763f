"""Errors of the substitutes: ours by name, and of the built-in type that the original raises."""

from __future__ import annotations

from wordsplit.errors import (
    InvalidTokenIdError,
    SpecialTokenError,
    UnknownNameError,
    UnknownTokenError,
    WordsplitError,
)

__all__ = [
    "DisallowedSpecialTokenError",
    "NoSuchIdError",
    "NoSuchTokenError",
    "NotSupportedError",
    "UnknownEncodingError",
    "UnknownModelError",
]


class NotSupportedError(WordsplitError, NotImplementedError):
    """Something that the original does and the stand-in does not; docs/compat.md lists it."""


class DisallowedSpecialTokenError(SpecialTokenError):
    """A special token, a `ValueError`, in text that was to have none."""


class UnknownEncodingError(UnknownNameError, ValueError):
    """No encoding has that name."""


class _ReadableKeyError(KeyError):
    def __str__(self) -> str:  # KeyError's own shows the repr of the message
        return str(self.args[0])


class UnknownModelError(_ReadableKeyError, UnknownNameError):
    """No model has that name."""


class NoSuchTokenError(_ReadableKeyError, UnknownTokenError):
    """No token has these bytes."""


class NoSuchIdError(_ReadableKeyError, InvalidTokenIdError):
    """No token has this id."""
