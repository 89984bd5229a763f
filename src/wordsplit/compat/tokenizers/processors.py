"""Post-processors, which add a template around the ids of a text or of a pair.

`TemplateProcessing` is the one that programs construct. A tokenizer.json may have others; they are read as an
equivalent template, and a flag whether offsets leave out the white space at the ends of tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wordsplit.compat.errors import NotSupportedError
from wordsplit.errors import OptionsError

__all__ = ["Piece", "Processing", "TemplateProcessing", "read_processing"]


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
        if not text.startswith("$"):
            name, colon, number = text.rpartition(":")
            return cls(name, int(number)) if colon and number.isdigit() else cls(text)
        name, _, number = text[1:].partition(":")
        if name.isdigit():
            name, number = "", name
        if name.upper() not in ("", "A", "B") or not (number.isdigit() or not number):
            raise OptionsError(f"{text!r} is not a piece of a template: use '$A', '$B:1' or a special token's name")
        return cls(name.upper() or "A", int(number or 0), is_text=True)


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
            "single": [_piece_to_json(piece) for piece in self.single],
            "pair": [_piece_to_json(piece) for piece in self.pair or ()],
            "special_tokens": {
                name: {"id": name, "ids": ids, "tokens": tokens} for name, (ids, tokens) in self.special.items()
            },
        }
        return {"type": "Sequence", "processors": [level, template]} if self.trim_offsets else template


class TemplateProcessing(Processing):
    """A template for ``Tokenizer.post_processor``.

    Args:
        single: The pieces of one text: ``"[CLS] $A [SEP]"``, or a list of them.
        pair: The pieces of a pair: ``"[CLS] $A [SEP] $B:1 [SEP]:1"``.
        special_tokens: The special tokens: (name, id), or a mapping with ``id``, ``ids`` and ``tokens``.

    Raises:
        OptionsError: A special token is missing, or the template of a pair lacks a text. (A `ValueError`.)

    Example:
        >>> from wordsplit.compat.tokenizers import Tokenizer
        >>> from wordsplit.compat.tokenizers.processors import TemplateProcessing
        >>> tok = Tokenizer.from_pretrained("qwen3")
        >>> tok.post_processor = TemplateProcessing("$A <|im_end|>", "$A $B:1", [("<|im_end|>", 151645)])
        >>> tok.encode("Hi").tokens
        ['Hi', '<|im_end|>']
    """

    def __init__(
        self,
        single: str | Sequence[str] = "$0",
        pair: str | Sequence[str] = "$A:0 $B:1",
        special_tokens: Iterable[tuple[str, int] | tuple[int, str] | Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(_pieces(single), _pieces(pair), dict(map(_special, special_tokens)))
        for piece in (*(self.single or ()), *(self.pair or ())):
            if not piece.is_text and piece.name not in self.special:
                raise OptionsError(f"the template has {piece.name!r}, which is missing in special_tokens")
        if {piece.name for piece in self.pair or () if piece.is_text} != {"A", "B"}:
            raise OptionsError("the template of a pair must have both texts, $A and $B")


def _pieces(template: str | Sequence[str]) -> tuple[Piece, ...]:
    return tuple(map(Piece.parse, template.split() if isinstance(template, str) else template))


def _special(token: Any) -> tuple[str, tuple[list[int], list[str]]]:
    if isinstance(token, Mapping):
        return token["id"], (list(token["ids"]), list(token["tokens"]))
    name, token_id = token if isinstance(token[0], str) else reversed(token)
    return name, ([token_id], [name])


def _piece_to_json(piece: Piece) -> dict[str, Any]:
    return {"Sequence" if piece.is_text else "SpecialToken": {"id": piece.name, "type_id": piece.type_id}}


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
    pair: tuple[Piece, ...]
    single = (first, Piece("A", is_text=True), end)
    if kind == "BertProcessing":
        pair = (*single, Piece("B", 1, is_text=True), Piece(sep, 1))
    else:
        pair = (*single, end, Piece("B", is_text=True), end)
    return Processing(single, pair, special)


def _read(pieces: Iterable[dict[str, Any]]) -> tuple[Piece, ...]:
    return tuple(
        Piece(of["id"], of["type_id"], is_text=kind == "Sequence") for piece in pieces for kind, of in piece.items()
    )
