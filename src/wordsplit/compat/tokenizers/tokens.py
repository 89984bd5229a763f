"""`AddedToken`: a token that is found in text as a literal."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from wordsplit import rules
from wordsplit.compat.missing_names import Explained, explain_missing_names
from wordsplit.errors import InputTypeError

__all__ = ["AddedToken"]

explain_missing_names(__name__)


@dataclass(repr=False)
class AddedToken(Explained):
    """A token to add, with its flags; see `wordsplit.AddedToken` for their meaning.

    Attributes:
        content: The literal.
        single_word: Whether it is found only if no word character is adjacent.
        lstrip: Whether the match includes the white space before it.
        rstrip: Whether the match includes the white space after it.
        normalized: Whether it is searched for in the normalized text; by default if it is not special.
        special: Whether it is a control token.

    Example:
        >>> from wordsplit.compat.tokenizers import AddedToken
        >>> AddedToken("<mask>", lstrip=True)
        AddedToken("<mask>", rstrip=False, lstrip=True, single_word=False, normalized=True, special=False)
    """

    content: str = ""
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool | None = None
    special: bool = False

    def __post_init__(self) -> None:
        self._by_default = self.normalized is None
        if self.normalized is None:
            self.normalized = not self.special

    def as_special(self) -> AddedToken:
        """Return the token as a special token, with the default of ``normalized`` for these."""
        normalized = None if self._by_default else self.normalized
        return AddedToken(self.content, self.single_word, self.lstrip, self.rstrip, normalized, special=True)

    def make_special(self) -> None:
        """Become a special token, with the default of ``normalized`` for these."""
        self.special = True
        if self._by_default:
            self.normalized = False

    @classmethod
    def given(cls, token: object) -> AddedToken:
        """Return a token that a caller gives: a literal, one of this class, or one of `tokenizers`.

        Raises:
            InputTypeError: It is something else. (A `TypeError`.)
        """
        if isinstance(token, cls):
            return token
        if isinstance(token, str):
            return cls(token)
        try:
            return cls(**{field.name: getattr(token, field.name) for field in fields(cls)})
        except AttributeError:
            raise InputTypeError(f"a token is a str or an AddedToken, not {type(token).__name__}") from None

    @classmethod
    def of(cls, token: rules.AddedToken) -> AddedToken:
        """Make the token from a vocab's."""
        return cls(token.content, token.single_word, token.lstrip, token.rstrip, token.normalized, token.special)

    def with_id(self, token_id: int) -> rules.AddedToken:
        """Return the token as a vocab's, with an id."""
        return rules.AddedToken(
            self.content, token_id, self.special, self.lstrip, self.rstrip, self.single_word, bool(self.normalized)
        )

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __str__(self) -> str:
        return self.content

    def __repr__(self) -> str:
        return (
            f'AddedToken("{self.content}", rstrip={self.rstrip}, lstrip={self.lstrip}, '
            f"single_word={self.single_word}, normalized={self.normalized}, special={self.special})"
        )

    def __hash__(self) -> int:
        return hash(self.content)
