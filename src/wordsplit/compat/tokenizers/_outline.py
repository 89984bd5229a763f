"""Read a tokenizer.json without the tables of its model.

They are most of the file, and a `Vocab` has the same data: loading Qwen3's with them takes seven times as long.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

try:
    from wordsplit._native import json_members_with, json_outline
except ImportError:  # a pure-Python build
    json_members_with = json_outline = None  # type: ignore[assignment]

__all__ = ["TABLES", "Outline"]

TABLES = ("vocab", "merges")


class Outline:
    """A tokenizer.json, where tables of the model that are large may be ``None``.

    Attributes:
        root: The parsed JSON; ``{}`` if it is not JSON.
    """

    def __init__(self, root: Any) -> None:
        self.root: Any = root
        self._data = b""
        self._places: dict[str, tuple[int, int]] = {}

    @classmethod
    def of(cls, data: bytes) -> Outline:
        """Read the content of a file."""
        text: bytes = data
        places: dict[str, tuple[int, int]] = {}
        if json_outline is not None:
            text, places = json_outline(data, "model", list(TABLES)) or (data, {})
        try:
            self = cls(json.loads(text))
        except ValueError:
            return cls({})
        self._data, self._places = data, places
        return self

    def listed(self, ids: Iterable[int]) -> dict[str, int]:
        """Return the tokens of the model's vocab that have one of some ids, by name."""
        wanted = list(ids)
        if not wanted:
            return {}
        if "vocab" in self._places:  # a large table, which may be a list, as of Unigram
            return json_members_with(self._data, *self._places["vocab"], wanted) or {}
        vocab = self.root["model"]["vocab"]
        some = set(wanted)
        return {name: i for name, i in vocab.items() if i in some} if isinstance(vocab, dict) else {}
