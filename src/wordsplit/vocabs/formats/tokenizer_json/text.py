"""The JSON text of a tokenizer.json.

`json.dumps` takes seconds for the tables of a model if it indents. They have but two forms, which are written here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring
from typing import Any

from wordsplit.vocabs.formats.tokenizer_json.spelled_tokens import SpelledMerges, SpelledVocab

__all__ = ["document_text"]


def document_text(document: dict[str, Any], indent: int | None) -> str:
    """Return what `json.dumps` returns for a document, with characters beyond ASCII as they are.

    Args:
        document: The document, whose model may have `SpelledVocab` and `SpelledMerges`.
        indent: The number of spaces to indent each level; ``None`` for one line.
    """
    return "".join(_Text(indent).root(document))  # tables are copied but once


class _Text:
    """Texts in parts, because those of tables have megabytes."""

    def __init__(self, indent: int | None) -> None:
        self._indent = indent
        self._comma = ", " if indent is None else ","

    def root(self, document: dict[str, Any]) -> Iterator[str]:
        """Yield the text of a document."""
        values = (self.model(value) if name == "model" else [self.of(1, value)] for name, value in document.items())
        return self._object(1, zip(document, values, strict=True))

    def of(self, depth: int, value: Any) -> str:
        """Return the text of any value, at a depth."""
        return json.dumps(value, ensure_ascii=False, indent=self._indent).replace("\n", self._line(depth))

    def model(self, model: dict[str, Any]) -> Iterator[str]:
        """Yield the text of a model."""
        return self._object(2, ((name, self._field(value)) for name, value in model.items()))

    def _field(self, value: Any) -> Iterable[str]:
        if isinstance(value, SpelledVocab):
            members = value.text(self._between(3))
            return self._around(3, "{}", [members]) if members else ["{}"]
        if isinstance(value, SpelledMerges):
            return self._merges(value) if value.flat else ["[]"]
        return [self.of(2, value)]

    def _merges(self, merges: SpelledMerges) -> Iterator[str]:
        between = f"{self._line(3)}]{self._between(3)}[{self._line(4)}"
        pairs = merges.text(self._between(4), between)
        return self._around(3, "[]", self._around(4, "[]", [pairs]))

    def _object(self, depth: int, members: Iterable[tuple[str, Iterable[str]]]) -> Iterator[str]:
        """Yield an object with at least one member; the first is on a new line at a depth."""
        before = f"{{{self._line(depth)}"
        for name, value in members:
            yield f"{before}{encode_basestring(name)}: "
            yield from value
            before = self._between(depth)
        yield f"{self._line(depth - 1)}}}"

    def _around(self, depth: int, brackets: str, parts: Iterable[str]) -> Iterator[str]:
        """Yield items in brackets; the first is on a new line at a depth."""
        yield f"{brackets[0]}{self._line(depth)}"
        yield from parts
        yield f"{self._line(depth - 1)}{brackets[1]}"

    def _between(self, depth: int) -> str:
        """Return the text between two items at a depth."""
        return f"{self._comma}{self._line(depth)}"

    def _line(self, depth: int) -> str:
        """Return the beginning of a line at a depth."""
        return "" if self._indent is None else "\n" + " " * (depth * self._indent)
