"""The steps of a post-processor: each turns the encodings of the previous step into new ones.

The first step gets one encoding for each text. A template takes them apart: each of its pieces is an encoding.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.tokenizers._columns import Lazy
from wordsplit.compat.tokenizers._rows import Rows, merged
from wordsplit.compat.tokenizers._trimming import trimmed
from wordsplit.errors import OptionsError

__all__ = ["Ends", "Number", "Piece", "Special", "Step", "Template", "Trim"]


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

    @property
    def at(self) -> int:
        """The number of the text."""
        return "AB".index(self.name)

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
        """Read a piece as in a tokenizer.json.

        Raises:
            LookupError: It is damaged, or another of the built-in errors for such values.
        """
        ((kind, of),) = node.items()
        piece = cls(of["id"], of["type_id"], is_text=kind == "Sequence")
        known = piece.name in ("A", "B") if piece.is_text else isinstance(piece.name, str)
        if not known or not isinstance(piece.type_id, int):
            raise TypeError(f"the piece {node!r}")
        return piece

    def to_json(self) -> dict[str, Any]:
        """Return the piece as in a tokenizer.json."""
        return {"Sequence" if self.is_text else "SpecialToken": {"id": self.name, "type_id": self.type_id}}


class Special(NamedTuple):
    """A special token of a template.

    Attributes:
        ids: Its ids.
        tokens: Their spellings.
    """

    ids: list[int]
    tokens: list[str]

    @classmethod
    def from_json(cls, node: Mapping[str, Any]) -> Special:
        """Read a special token as in a tokenizer.json. Errors are those of `Piece.from_json`."""
        found = cls(list(node["ids"]), list(node["tokens"]))
        same = len(found.ids) == len(found.tokens)
        if not same or {*map(type, found.ids)} - {int} or {*map(type, found.tokens)} - {str}:
            raise TypeError(f"the special token {node!r}")
        return found


class Step(ABC):
    """A step of a post-processor."""

    @abstractmethod
    def process(self, encodings: list[Rows], *, special: bool) -> list[Rows]:
        """Return the encodings after the step; ``special``: with its special tokens."""

    def count(self, *, is_pair: bool) -> int:
        """Return the number of tokens that it adds, as `tokenizers` counts them: as if it were the only step."""
        del is_pair
        return 0


@dataclass(frozen=True)
class Trim(Step):
    """Offsets omit the white space at the ends of tokens: the first step of ByteLevel and RobertaProcessing.

    Attributes:
        prefix_space: Whether a space is prepended to texts, which is then not left out.
    """

    prefix_space: bool

    def process(self, encodings: list[Rows], *, special: bool) -> list[Rows]:
        """See `Step`."""
        del special
        return [each.with_each(self._trimmed) for each in encodings]

    def _trimmed(self, rows: Rows) -> Rows:
        return rows._replace(columns=Lazy(lambda: trimmed(rows.columns(), prefix_space=self.prefix_space)))


@dataclass(frozen=True)
class Number(Step):
    """Each encoding is a text, by its position: the other step of ByteLevel."""

    def process(self, encodings: list[Rows], *, special: bool) -> list[Rows]:
        """See `Step`."""
        del special
        return [each.as_sequence(i) for i, each in enumerate(encodings)]


@dataclass(frozen=True)
class Template(Step):
    """Texts and special tokens in an order: TemplateProcessing.

    Attributes:
        single: The template of one text.
        pair: The template of a pair.
        special: The special tokens, by name.
    """

    single: tuple[Piece, ...] = (Piece("A", is_text=True),)
    pair: tuple[Piece, ...] = (Piece("A", is_text=True), Piece("B", 1, is_text=True))
    special: Mapping[str, Special] = field(default_factory=dict)

    def pieces(self, count: int) -> tuple[Piece, ...]:
        """Return the template of a number of encodings.

        Raises:
            NotSupportedError: There is none, or it has a text beyond them, where `tokenizers` panics.
        """
        if count not in (1, 2):
            raise NotSupportedError(f"a template around {count} parts of another one")
        found = self.single if count == 1 else self.pair
        if any(piece.is_text and piece.at >= count for piece in found):
            raise NotSupportedError("text 'B' in the template of one text")
        return found

    def process(self, encodings: list[Rows], *, special: bool) -> list[Rows]:
        """See `Step`."""
        out = []
        for piece in self.pieces(len(encodings)):
            if piece.is_text:
                out.append(encodings[piece.at].as_sequence(piece.at).typed(piece.type_id))
            elif special:
                out.append(Rows.outside(*self.special[piece.name], piece.type_id))
        return out

    def count(self, *, is_pair: bool) -> int:
        """See `Step`."""
        pieces = self.pair if is_pair else self.single
        return sum(len(self.special[piece.name].ids) for piece in pieces if not piece.is_text)


@dataclass(frozen=True)
class Ends(Step):
    """Special tokens around each encoding: BertProcessing and RobertaProcessing.

    Attributes:
        first: The name of the token before the first encoding, and its id.
        end: The name of the token after each, and its id.
        twice: Whether it also precedes each but the first, and all tokens have type 0, as in RobertaProcessing.
    """

    first: tuple[str, int]
    end: tuple[str, int]
    twice: bool

    @property
    def template(self) -> Template:
        """The template that does the same to texts."""
        first, end = Piece(self.first[0]), Piece(self.end[0])
        single = (first, Piece("A", is_text=True), end)
        before, type_id = ((end,), 0) if self.twice else ((), 1)
        pair = (*single, *before, Piece("B", type_id, is_text=True), Piece(self.end[0], type_id))
        return Template(single, pair, {name: Special([i], [name]) for name, i in (self.first, self.end)})

    def process(self, encodings: list[Rows], *, special: bool) -> list[Rows]:
        """See `Step`."""
        if self.twice:
            encodings = [each.typed(0) for each in encodings]
        if not special:
            return encodings
        return [each.with_each(partial(self._with_ends, at)) for at, each in enumerate(encodings)]

    def count(self, *, is_pair: bool) -> int:
        """See `Step`."""
        return self.template.count(is_pair=is_pair)

    def _with_ends(self, at: int, rows: Rows) -> Rows:
        """Return an encoding with the tokens around it; those within it count as text."""
        sequence, size = min(at, 1), len(rows.ids)
        before = [self.first] if at == 0 else [self.end] if self.twice else []
        text = rows._replace(special=[0] * size, attention=[1] * size, ranges={sequence: (0, size)})
        if self.twice:
            text = text.typed(0)
        after = _outside([self.end], 0 if self.twice else sequence)
        return merged([_outside(before, 0), text, after], growing=False)


def _outside(tokens: list[tuple[str, int]], type_id: int) -> Rows:
    return Rows.outside([token_id for _, token_id in tokens], [name for name, _ in tokens], type_id)
