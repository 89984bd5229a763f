"""Strict JSON parsing, with values that know their path so that errors name the place."""

from __future__ import annotations

import json
import math
import re
import reprlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from wordsplit.errors import UnsupportedVocabError, VocabFormatError
from wordsplit.vocab import MAX_ID

__all__ = ["Node", "parse_json", "shown"]

_STRING_OR_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)', re.DOTALL)


def shown(value: Any) -> str:
    """Format a value for a message; the result is always short."""
    return reprlib.repr(value)


def parse_json(data: bytes, label: str, parse_float: Callable[[str], float] = float) -> Any:
    """Parse a JSON document.

    Args:
        data: The document.
        label: Its name, for errors.
        parse_float: The function that parses a number with a fraction or an exponent.

    Raises:
        VocabFormatError: It is not UTF-8, not JSON, has a key twice in one object, NaN or Infinity, or is too deep.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(pairs)
        if len(out) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            twice = next(key for key, count in counts.items() if count > 1)
            raise VocabFormatError("occurs twice in one object", file=label, field=f"key {shown(twice)}")
        return out

    def no_constant(name: str) -> NoReturn:
        at = next(match.start() for match in _STRING_OR_CONSTANT.finditer(text) if match[1])
        raise VocabFormatError(f"{name} is not a JSON number", file=label, field=f"character {at}")

    try:
        text = data.decode("utf-8")
        return json.loads(text, object_pairs_hook=unique, parse_constant=no_constant, parse_float=parse_float)
    except UnicodeDecodeError as error:
        raise VocabFormatError(f"is not UTF-8 ({error.reason})", file=label, field=f"offset {error.start}") from None
    except json.JSONDecodeError as error:
        raise VocabFormatError(
            f"is not JSON: {error.msg}", file=label, field=f"line {error.lineno} column {error.colno}"
        ) from None
    except RecursionError:
        raise VocabFormatError("is nested too deep", file=label, field="$") from None
    except ValueError as error:  # an integer of thousands of digits
        raise VocabFormatError(f"is not usable JSON: {error}", file=label, field="$") from None


class Node:
    """A JSON value and its path.

    ``node["key"]`` is the node of a key. If the key is missing, its value is ``None``.
    """

    __slots__ = ("label", "path", "value")

    def __init__(self, value: Any, label: str, path: str = "$") -> None:
        self.value: Any = value
        self.label: str = label
        self.path: str = path

    def __getitem__(self, key: str) -> Node:
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return Node(value, self.label, f"{self.path}.{key if len(key) <= 80 else key[:80] + '…'}")

    def items_or_empty(self) -> Iterator[Node]:
        """Return the items of a list; none for ``null``."""
        if self.value is not None:
            yield from self.items()

    def items(self) -> Iterator[Node]:
        """Return the items of a list."""
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        for at, item in enumerate(self.value):
            yield Node(item, self.label, f"{self.path}[{at}]")

    def require_object(self) -> None:
        """Raise an error unless the value is an object."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")

    def string(self) -> str:
        """Return the value as a string without lone surrogates."""
        if not isinstance(self.value, str):
            raise self.wrong("a string")
        try:
            self.value.encode("utf-8")
        except UnicodeEncodeError:
            raise self.format_error(f"holds a lone surrogate: {shown(self.value)}") from None
        return self.value

    def string_or(self, default: str) -> str:
        """Return the value as a string; ``default`` if it is missing."""
        return default if self.value is None else self.string()

    def count(self, limit: int = 1 << 32) -> int:
        """Return the value as a number of things, less than ``limit``."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not 0 <= self.value < limit:
            raise self.wrong("a whole number of 0 or more")
        return self.value

    def number(self) -> float:
        """Return the value as a finite number."""
        if not isinstance(self.value, (int, float)) or isinstance(self.value, bool):
            raise self.wrong("a number")
        try:
            value = float(self.value)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            raise self.format_error(f"is not finite: {shown(self.value)}")
        return value

    def boolean(self, default: bool = False) -> bool:
        """Return the value as a bool; ``default`` if it is missing."""
        if self.value is None:
            return default
        if not isinstance(self.value, bool):
            raise self.wrong("true or false")
        return self.value

    def token_id(self) -> int:
        """Return the value as a token id."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.wrong("a token id")
        if not 0 <= self.value <= MAX_ID:
            raise self.format_error(f"token id {shown(self.value)} is outside 0..{MAX_ID}")
        return self.value

    def wrong(self, wanted: str) -> VocabFormatError:
        """Return the error for a value of the wrong type."""
        found = "nothing" if self.value is None else f"{type(self.value).__name__} {shown(self.value)}"
        return self.format_error(f"should be {wanted}, found {found}")

    def format_error(self, found: str) -> VocabFormatError:
        """Return an error about this place."""
        return VocabFormatError(found, file=self.label, field=self.path)

    def unsupported(self, found: str) -> UnsupportedVocabError:
        """Return an error about something valid but unsupported."""
        return UnsupportedVocabError(f"not supported: {found}", file=self.label, field=self.path)
