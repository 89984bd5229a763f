"""The JSON text of a tokenizer.json.

`json.dumps` takes seconds for the tables of a model if it indents. They have but two forms, which are written here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import Any

from wordsplit.vocabs.formats.tokenizer_json.model_writer import SpelledMerges

__all__ = ["document_text"]


def document_text(document: dict[str, Any], indent: int | None) -> str:
    """Return what `json.dumps` returns for a document, with characters beyond ASCII as they are.

    Args:
        document: The document, whose merges may be `SpelledMerges`.
        indent: By how many spaces to indent each level; ``None`` for one line.
    """
    text = _Text(indent)
    values = (text.model(value) if name == "model" else text.of(1, value) for name, value in document.items())
    return text.object(1, zip(document, values, strict=True))


class _Text:
    def __init__(self, indent: int | None) -> None:
        self._indent = indent
        self._comma = ", " if indent is None else ","

    def of(self, depth: int, value: Any) -> str:
        """Return the text of any value, at a depth."""
        return json.dumps(value, ensure_ascii=False, indent=self._indent).replace("\n", self._line(depth))

    def object(self, depth: int, items: Iterable[tuple[str, str]]) -> str:
        """Return the text of an object from names and the texts of values."""
        return self._around(depth, "{}", [f"{encode_basestring(name)}: {text}" for name, text in items])

    def model(self, model: dict[str, Any]) -> str:
        """Return the text of a model."""
        vocab, quoted = model.get("vocab"), dict[str, str]()
        if isinstance(vocab, dict):
            quoted = dict(zip(vocab, map(encode_basestring, vocab), strict=True))
        texts = []
        for name, value in model.items():
            if value is vocab and quoted:
                pairs = zip(quoted.values(), vocab.values(), strict=True)
                text = self._around(3, "{}", [f"{key}: {i}" for key, i in pairs])
            elif isinstance(value, SpelledMerges):
                text = self._merges(value, quoted)
            else:
                text = self.of(2, value)
            texts.append((name, text))
        return self.object(2, texts)

    def _merges(self, merges: SpelledMerges, quoted: dict[str, str]) -> str:
        if not merges.flat:
            return "[]"
        names = dict(zip(merges.base, map(quoted.__getitem__, merges.base.values()), strict=True))
        comma = f"{self._comma}{self._line(4)}"
        pairs = [f"{left}{comma}{right}" for left, right in merges.spelled_by(names)]
        start, end = f"[{self._line(4)}", f"{self._line(3)}]"
        between = f"{end}{self._comma}{self._line(3)}{start}".join(pairs)
        return f"[{self._line(3)}{start}{between}{end}{self._line(2)}]"

    def _around(self, depth: int, brackets: str, texts: list[str]) -> str:
        """Return texts in brackets, each on a line of its own at a depth."""
        if not texts:
            return brackets
        line = self._line(depth)
        return f"{brackets[0]}{line}{f'{self._comma}{line}'.join(texts)}{self._line(depth - 1)}{brackets[1]}"

    def _line(self, depth: int) -> str:
        """Return the beginning of a line at a depth."""
        return "" if self._indent is None else "\n" + " " * (depth * self._indent)
