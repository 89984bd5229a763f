"""What a post-processor does: a template around the ids of a text or of a pair, and offsets that leave out white space.

Every post-processor of a tokenizer.json is read as an equivalent template, and a flag for the offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from wordsplit.compat.errors import NotSupportedError
from wordsplit.errors import OptionsError

__all__ = ["Piece", "Processing", "read_processing"]


@dataclass(frozen=True)
class Piece:
    """A piece of a template.

    Attributes:
        name: A special token's name, or ``"A"`` or ``"B"`` for a text.
        type_id: The type id of its tokens.
        is_text: Whether it is a text.
    """

    name: str
    type_id: int = 0
    is_text: bool = False

    @classmethod
    def parse(cls, text: str) -> Piece:
        """Parse a piece as written: ``$A``, ``$B:1``, ``$0``, ``[CLS]``, ``[SEP]:1``."""
        name, colon, number = text.partition(":")
        is_text, of = name.startswith("$"), name[1:]
        known = not is_text or of.isdigit() or of.upper() in ("", "A", "B")
        if not known or (colon and not number.isdigit()):
            raise OptionsError(f"Cannot build Piece from {text!r}: use '$A', '$B:1' or a special token's name")
        if not is_text:
            return cls(name, int(number or 0))
        if of.isdigit():
            of, number = "", number or of
        return cls(of.upper() or "A", int(number or 0), is_text=True)

    @classmethod
    def from_json(cls, node: Mapping[str, Any]) -> Piece:
        """Read a piece as in a tokenizer.json."""
        ((kind, of),) = node.items()
        return cls(of["id"], of["type_id"], is_text=kind == "Sequence")

    def to_json(self) -> dict[str, Any]:
        """Return the piece as in a tokenizer.json."""
        return {"Sequence" if self.is_text else "SpecialToken": {"id": self.name, "type_id": self.type_id}}


@dataclass(frozen=True)
class Processing:
    """The last step of encoding.

    Attributes:
        single: The template of one text; ``None`` for the text alone.
        pair: The template of a pair.
        special: Ids and spellings of each special token of the templates.
        trim_offsets: Whether offsets leave out the white space at the ends of tokens.
        prefix_space: Whether a space is prepended to texts, which is then not left out.
        one_type: Whether all tokens have type 0, also the overflow, as in RobertaProcessing.
    """

    single: tuple[Piece, ...] | None = None
    pair: tuple[Piece, ...] | None = None
    special: Mapping[str, tuple[list[int], list[str]]] = field(default_factory=dict)
    trim_offsets: bool = False
    prefix_space: bool = False
    one_type: bool = False

    def template(self, *, is_pair: bool) -> tuple[Piece, ...] | None:
        """Return the template of one text or of a pair."""
        return self.pair if is_pair else self.single

    def count(self, *, is_pair: bool) -> int:
        """Return how many tokens the template adds."""
        pieces = self.template(is_pair=is_pair) or ()
        return sum(len(self.special[piece.name][0]) for piece in pieces if not piece.is_text)

    def to_json(self) -> dict[str, Any]:
        """Return the post-processor as in a tokenizer.json."""
        level = {
            "type": "ByteLevel",
            "add_prefix_space": self.prefix_space,
            "trim_offsets": self.trim_offsets,
            "use_regex": False,
        }
        if self.single is None:
            return level
        template = {
            "type": "TemplateProcessing",
            "single": [piece.to_json() for piece in self.single],
            "pair": [piece.to_json() for piece in self.pair or ()],
            "special_tokens": {
                name: {"id": name, "ids": ids, "tokens": tokens} for name, (ids, tokens) in self.special.items()
            },
        }
        return {"type": "Sequence", "processors": [level, template]} if self.trim_offsets else template


def read_processing(node: Any) -> Processing:
    """Read the post-processor of a tokenizer.json.

    Raises:
        NotSupportedError: The kind is unknown, or there is more than one template.
    """
    parts = _flat(node)
    trim = [
        bool(part.get("trim_offsets", True)) for part in parts if part["type"] in ("ByteLevel", "RobertaProcessing")
    ]
    spaced = [part.get("add_prefix_space", True) for part in parts if part.get("trim_offsets", True)]
    templates = [part for part in parts if part["type"] != "ByteLevel"]
    if len(templates) > 1 or any(part["type"] == "ByteLevel" for part in parts[1:]):
        kinds = ", ".join(part["type"] for part in parts)
        raise NotSupportedError(f"post-processors {kinds}: one template is supported, optionally after a ByteLevel")
    found = _template(templates[0]) if templates else Processing()
    one_type = any(part["type"] == "RobertaProcessing" for part in templates)
    return replace(found, trim_offsets=any(trim), prefix_space=any(trim) and bool(spaced[0]), one_type=one_type)


def _flat(node: Any) -> list[dict[str, Any]]:
    if node is None:
        return []
    if node["type"] == "Sequence":
        return [part for inner in node["processors"] for part in _flat(inner)]
    return [node]


def _template(part: dict[str, Any]) -> Processing:
    kind = part["type"]
    if kind == "TemplateProcessing":
        special = {name: (list(of["ids"]), list(of["tokens"])) for name, of in part["special_tokens"].items()}
        return Processing(_read(part["single"]), _read(part["pair"]), special)
    if kind not in ("BertProcessing", "RobertaProcessing"):
        raise NotSupportedError(f"post-processor {kind!r}")
    cls, sep = part["cls"][0], part["sep"][0]
    special = {name: ([token_id], [name]) for name, token_id in (part["cls"], part["sep"])}
    first, end = Piece(cls), Piece(sep)  # names may have any characters
    single: tuple[Piece, ...] = (first, Piece("A", is_text=True), end)
    pair: tuple[Piece, ...]
    if kind == "BertProcessing":
        pair = (*single, Piece("B", 1, is_text=True), Piece(sep, 1))
    else:
        pair = (*single, end, Piece("B", is_text=True), end)
    return Processing(single, pair, special)


def _read(pieces: Iterable[dict[str, Any]]) -> tuple[Piece, ...]:
    return tuple(map(Piece.from_json, pieces))
