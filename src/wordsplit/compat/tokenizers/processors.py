"""Post-processors: ``Tokenizer.post_processor`` is one of these, or ``None``.

They are values, with the constructors of their namesakes in `tokenizers`.

Example:
    >>> from wordsplit.compat.tokenizers import Tokenizer
    >>> from wordsplit.compat.tokenizers.processors import TemplateProcessing
    >>> tok = Tokenizer.from_pretrained("qwen3")
    >>> tok.post_processor = TemplateProcessing("$A <|im_end|>", "$A $B:1", [("<|im_end|>", 151645)])
    >>> tok.encode("Hi").tokens
    ['Hi', '<|im_end|>']
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import InitVar, dataclass, field
from typing import Any

from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tokenizers._component import PAIR, PARTS, Codec, Component, Listed
from wordsplit.compat.tokenizers._finish import finish
from wordsplit.compat.tokenizers._processing import Processing
from wordsplit.compat.tokenizers._steps import Piece
from wordsplit.compat.tokenizers.encoding import Encoding
from wordsplit.errors import OptionsError
from wordsplit.vocabs.formats.tokenizer_json.post_processor import processor_kind

__all__ = ["BertProcessing", "ByteLevel", "PostProcessor", "RobertaProcessing", "Sequence", "TemplateProcessing"]

explain_missing_names(__name__)


class PostProcessor(Component):
    """The base class of post-processors."""

    @staticmethod
    def kind_of(node: dict[str, Any]) -> str:
        """See `Component`."""
        return processor_kind(node) or Component.kind_of(node)

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Return how many tokens it adds to a text or to a pair."""
        return Processing.read(self.to_json()).count(is_pair=is_pair)

    def process(self, encoding: Encoding, pair: Encoding | None = None, add_special_tokens: bool = True) -> Encoding:
        """Return the encoding of a text or of a pair, after post-processing.

        Args:
            encoding: The encoding of the first text.
            pair: That of the second.
            add_special_tokens: Whether to add special tokens.

        Raises:
            NotSupportedError: There are more or fewer texts than a template has, where `tokenizers` panics.
        """
        texts = [each.rows.settled() for each in (encoding, pair) if each is not None]
        return Encoding(finish(texts, Processing.read(self.to_json()), None, special=add_special_tokens))


@dataclass(init=False, repr=False, eq=False)
class BertProcessing(PostProcessor):
    """Puts the tokens of BERT around texts: ``[CLS] A [SEP] B [SEP]``.

    Attributes:
        sep: The token ``[SEP]``, and its id.
        cls: The token ``[CLS]``, and its id.
    """

    sep: tuple[str, int] = field(metadata=PAIR)
    cls: tuple[str, int] = field(metadata=PAIR)

    def __init__(self, sep: tuple[str, int], cls_token: tuple[str, int]) -> None:
        self.sep, self.cls = sep, cls_token
        self.__post_init__()


@dataclass(repr=False, eq=False)
class ByteLevel(PostProcessor):
    """Leaves white space at the ends of tokens out of offsets.

    Attributes:
        add_prefix_space: Whether the pre-tokenizer adds a space, which then is not left out.
        trim_offsets: Whether it does so at all.
        use_regex: Has no effect here.
    """

    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True
    type: InitVar[str | None] = field(default=None, kw_only=True)  # which `**json.loads(state)` gives

    def __post_init__(self, type: str | None) -> None:  # noqa: A002 - the name in the file
        del type
        super().__post_init__()


@dataclass(init=False, repr=False, eq=False)
class RobertaProcessing(PostProcessor):
    """Puts the tokens of RoBERTa around texts: ``<s> A </s></s> B </s>``.

    Attributes:
        sep: The token ``</s>``, and its id.
        cls: The token ``<s>``, and its id.
        trim_offsets: Whether offsets leave out white space at the ends of tokens.
        add_prefix_space: As in `ByteLevel`.
    """

    sep: tuple[str, int] = field(metadata=PAIR)
    cls: tuple[str, int] = field(metadata=PAIR)
    trim_offsets: bool = True
    add_prefix_space: bool = True

    def __init__(
        self,
        sep: tuple[str, int],
        cls_token: tuple[str, int],
        trim_offsets: bool = True,
        add_prefix_space: bool = True,
    ) -> None:
        self.sep, self.cls = sep, cls_token
        self.trim_offsets, self.add_prefix_space = trim_offsets, add_prefix_space
        self.__post_init__()


@dataclass(repr=False, eq=False)
class Sequence(Listed, PostProcessor):
    """Several post-processors, applied in order.

    Attributes:
        processors: The post-processors.
    """

    processors: list[PostProcessor] = field(metadata=PARTS)


def _shown_piece(piece: Piece) -> str:
    kind, name = ("Sequence", piece.name) if piece.is_text else ("SpecialToken", f'"{piece.name}"')
    return f"{kind}(id={name}, type_id={piece.type_id})"


def _shown_special(tokens: list[dict[str, Any]]) -> str:
    def strings(items: Iterable[str]) -> str:
        return ", ".join(f'"{item}"' for item in items)

    shown = [
        f'"{token["id"]}":SpecialToken(id="{token["id"]}", ids={token["ids"]}, tokens=[{strings(token["tokens"])}])'
        for token in tokens
    ]
    return "{" + ", ".join(shown) + "}"


_TEMPLATE = {
    "codec": Codec(
        lambda template: [piece.to_json() for piece in _pieces(template)],
        lambda nodes, _: list(map(Piece.from_json, nodes)),
        lambda template: f"[{', '.join(map(_shown_piece, _pieces(template)))}]",
    )
}
_SPECIAL = {
    "codec": Codec(
        lambda tokens: {token["id"]: deepcopy(token) for token in tokens},
        lambda nodes, _: deepcopy(list(nodes.values())),
        _shown_special,
    )
}


@dataclass(init=False, repr=False, eq=False)
class TemplateProcessing(PostProcessor):
    """Puts special tokens around texts by templates.

    Args:
        single: The pieces of one text: ``"[CLS] $A [SEP]"``, or a list of them.
        pair: The pieces of a pair: ``"[CLS] $A [SEP] $B:1 [SEP]:1"``.
        special_tokens: The special tokens: (name, id), or a mapping with ``id``, ``ids`` and ``tokens``.

    Raises:
        OptionsError: A special token is missing, or the template of a pair lacks a text. (A `ValueError`.)
    """

    single: list[Piece] = field(metadata=_TEMPLATE)
    pair: list[Piece] = field(metadata=_TEMPLATE)
    special_tokens: list[dict[str, Any]] = field(metadata=_SPECIAL)

    def __init__(
        self,
        single: str | typing.Sequence[str] | None = None,
        pair: str | typing.Sequence[str] | None = None,
        special_tokens: Iterable[tuple[str, int] | tuple[int, str] | Mapping[str, Any]] | None = None,
    ) -> None:
        self.single, self.pair = _pieces(single or "$0"), _pieces(pair or "$A:0 $B:1")
        self.special_tokens = sorted(map(_special, special_tokens or ()), key=lambda token: str(token["id"]))
        known = {token["id"] for token in self.special_tokens}
        for piece in (*self.single, *self.pair):
            if not piece.is_text and piece.name not in known:
                raise OptionsError(f"Missing SpecialToken(s) with id(s) {piece.name!r}, which the template has")
        if {piece.name for piece in self.pair if piece.is_text} != {"A", "B"}:
            raise OptionsError("the template of a pair must have both texts, $A and $B")


def _pieces(template: str | typing.Sequence[str | Piece]) -> list[Piece]:
    pieces = template.split() if isinstance(template, str) else template
    return [piece if isinstance(piece, Piece) else Piece.parse(piece) for piece in pieces]


def _special(token: Any) -> dict[str, Any]:
    if isinstance(token, Mapping):
        return {"id": token["id"], "ids": list(token["ids"]), "tokens": list(token["tokens"])}
    name, token_id = token if isinstance(token[0], str) else reversed(token)
    return {"id": name, "ids": [token_id], "tokens": [name]}
