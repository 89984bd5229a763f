"""Check the arguments of callers, and convert ``special`` to the set of added tokens that remain text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from wordsplit.engine.base import Engine
from wordsplit.errors import (
    InputTypeError,
    InvalidTextError,
    OptionsError,
    SpecialTokenError,
    UnknownTokenError,
    WordsplitError,
)
from wordsplit.registry import nearest
from wordsplit.text import Special, Text, as_list, check, to_bytes

if TYPE_CHECKING:
    from wordsplit import _native

__all__ = ["Inputs"]

T = TypeVar("T")

_FORMS = "use 'parse', 'text', 'no_added', 'error' or a set of literals"


class Inputs:
    """Check inputs for one engine.

    Args:
        engine: The engine; its options say what to do with text that is not valid Unicode.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._vocab = engine.vocab
        self._errors = engine.options.errors

    @cached_property
    def special_tokens(self) -> dict[str, int]:
        """The vocab's special tokens: literal -> id."""
        return self._vocab.special_tokens

    def text(self, text: Text, special: Special) -> tuple[str | bytes, Collection[str]]:
        """Return a checked text, and the contents of the added tokens that remain text in it.

        Raises:
            InputTypeError: It is not a text.
            InvalidTextError: It is not valid Unicode, and the options say ``errors="strict"``.
            OptionsError: ``special`` is not one of its forms.
            SpecialTokenError: The text has a special token and ``special`` is ``"error"``; or a literal of
                the set is not a special token.
        """
        return self.checked(text, special), self.as_text(special)

    def checked(self, text: Text, special: Special) -> str | bytes:
        """Return only the checked text; see `text`."""
        out = check(text, self._errors)
        if isinstance(special, str) and special == "error":
            self._refuse_special(out)
        return out

    def as_text(self, special: Special) -> Collection[str]:
        """Return the contents of the added tokens that remain text; see `text`."""
        if isinstance(special, str):
            if special in ("parse", "error"):
                return ()
            if special == "text":
                return self._vocab.special_contents
            if special == "no_added":
                return self._vocab.added_contents
            raise OptionsError(f"special={special!r}: {_FORMS}")
        allowed: frozenset[object] | None = None
        if isinstance(special, Collection):  # an iterator would be used up by the first of two texts
            with suppress(TypeError):
                allowed = frozenset(special)
        if allowed is None or not all(isinstance(literal, str) for literal in allowed):
            raise OptionsError(f"special={special!r:.100}: {_FORMS}")
        for literal in allowed:
            if literal not in self.special_tokens:
                raise SpecialTokenError(
                    f"{literal!r} is not a special token of {self._vocab.name}. "
                    + nearest(str(literal), list(self.special_tokens))
                )
        return frozenset(self._vocab.special_contents - allowed)

    def batch(
        self,
        call: Callable[[list[str | bytes], Collection[str], int | None], T],
        texts: Iterable[Text],
        special: Special,
        threads: int | None,
    ) -> T:
        """Call an engine's method with a batch. An error about one text names its row.

        Raises:
            InputTypeError: Not a sequence of texts.
            OptionsError: ``threads`` is not a number of threads, or ``special`` not one of its forms.
        """
        listed, as_text = self._listed(texts, special, threads), self.as_text(special)
        try:
            return call(listed, as_text, threads)
        except (InvalidTextError, UnknownTokenError):
            self._find_fault(listed, as_text)
            raise

    def column(
        self, column: _native.TextColumn, special: Special, threads: int | None, into: _native.TokenLists
    ) -> None:
        """Encode a column of texts into lists. An error about one text names its row.

        Raises:
            OptionsError: ``threads`` is not a number of threads, or ``special`` not one of its forms.
            InvalidTextError: A text is not UTF-8, and the options say ``errors="strict"``.
            SpecialTokenError: As for `text`.
        """
        _check_threads(threads)
        as_text = self.as_text(special)
        if isinstance(special, str) and special == "error":
            rows: Iterable[int] = range(len(column))
        else:
            rows = column.invalid_utf8(1) if self._errors == "strict" else ()
        for row in rows:
            text = column[row]
            if text is not None:
                self._checked_row(text, special, row)
        try:
            self._engine.encode_column(column, as_text, threads, into)
        except (InvalidTextError, UnknownTokenError):
            self._find_fault((column[row] or b"" for row in range(len(column))), as_text)
            raise

    def _checked_row(self, text: Text, special: Special, row: int) -> str | bytes:
        try:
            return self.checked(text, special)
        except WordsplitError as error:
            raise error.in_row(row) from None

    def _find_fault(self, texts: Iterable[str | bytes], as_text: Collection[str]) -> None:
        """Raise the error of the first text that cannot be encoded, with its row."""
        for row, text in enumerate(texts):
            try:
                self._engine.count(text, as_text)
            except WordsplitError as error:
                raise error.in_row(row) from None

    def data(self, text: bytes | str) -> bytes:
        """Return the bytes of a part of a text.

        Raises:
            InputTypeError: It is neither ``str`` nor bytes.
        """
        if isinstance(text, str):
            return to_bytes(text, self._errors)
        if not isinstance(text, (bytes, bytearray, memoryview)):
            raise InputTypeError(f"give bytes or str, not {type(text).__name__}")
        return bytes(text)

    def _listed(self, texts: Iterable[Text], special: Special, threads: int | None) -> list[str | bytes]:
        if isinstance(texts, (str, bytes, bytearray, memoryview)):
            raise InputTypeError("give a list of texts; for one text use encode() or count()")
        _check_threads(threads)
        listed: list[Any] = as_list(texts, "texts")
        if (
            isinstance(special, str) and special == "parse" and set(map(type, listed)) <= {str}
        ):  # nothing to check, so skip the loop over texts
            return listed
        return [self._checked_row(text, special, row) for row, text in enumerate(listed)]

    def _refuse_special(self, text: str | bytes) -> None:
        for piece, _, special in self._engine.pieces(text, ()):
            if special:
                raise SpecialTokenError(
                    f"the text holds the special token {piece.decode()!r}; encode it with special='text' to treat it "
                    "as text, or special='parse' if the text is trusted"
                )


def _check_threads(threads: int | None) -> None:
    if threads is not None and (type(threads) is not int or threads < 1):
        raise OptionsError(f"threads={threads!r}: give a number of 1 or more, or None for one per core")
