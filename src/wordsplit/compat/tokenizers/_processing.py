"""The work of a post-processor on the encoding of a text or of a pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.tokenizers._rows import Rows, merged
from wordsplit.compat.tokenizers._steps import Ends, Number, Piece, Special, Step, Template, Trim
from wordsplit.errors import VocabFormatError, WordsplitError
from wordsplit.vocabs.formats.tokenizer_json.post_processor import processor_kind

__all__ = ["Processing", "read_processing"]


@dataclass(frozen=True)
class Processing:
    """The last step of encoding.

    Attributes:
        node: The post-processor as in a tokenizer.json.
        steps: Its steps, in their order.
    """

    node: Any
    steps: tuple[Step, ...]

    @classmethod
    def read(cls, node: Any) -> Processing:
        """Read the post-processor of a tokenizer.json.

        Raises:
            NotSupportedError: The kind is unknown.
            VocabFormatError: A field is missing or has a wrong value.
        """
        try:
            return cls(node, tuple(_steps(node)))
        except WordsplitError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise VocabFormatError(f"is damaged: {error!r}", field="post_processor") from error

    def process(self, texts: list[Rows], *, special: bool) -> Rows:
        """Return the encoding of one or two texts that have been encoded; ``special``: with special tokens.

        Raises:
            NotSupportedError: A template has more or fewer texts than there are, where `tokenizers` panics.
        """
        encodings = [each.with_each(partial(Rows.as_sequence, sequence=i)).typed(i) for i, each in enumerate(texts)]
        for step in self.steps:
            encodings = step.process(encodings, special=special)
        return merged(encodings, growing=False)

    def count(self, *, is_pair: bool) -> int:
        """Return the number of tokens that it adds, as `tokenizers` counts them."""
        return sum(step.count(is_pair=is_pair) for step in self.steps)

    @cached_property
    def trim(self) -> Trim | None:
        """How offsets omit white space, if that is the first step."""
        first = next(iter(self.steps), None)
        return first if isinstance(first, Trim) else None

    @cached_property
    def template(self) -> Template | None:
        """The template that does the same as all steps after `trim`; ``None`` if there is none."""
        others = list(self.steps if self.trim is None else self.steps[1:])
        while others and isinstance(others[0], Number):  # texts are numbered as they are
            del others[0]
        if not others:
            return Template()
        found, *more = others
        if isinstance(found, Ends):
            found = found.template
        return found if isinstance(found, Template) and not more else None


def read_processing(node: Any) -> Processing | None:
    """Return `Processing.read` of a field of a tokenizer.json; ``None`` if that is ``null``."""
    return None if node is None else Processing.read(node)


def _steps(node: Any) -> Iterator[Step]:
    kind = processor_kind(node) or node["type"]
    if kind == "Sequence":
        for inner in node["processors"]:
            yield from _steps(inner)
        return
    if kind in ("ByteLevel", "RobertaProcessing") and node.get("trim_offsets", True):
        yield Trim(bool(node.get("add_prefix_space", True)))
    if kind == "ByteLevel":
        yield Number()
    elif kind in ("BertProcessing", "RobertaProcessing"):
        yield Ends(_token(node["cls"]), _token(node["sep"]), twice=kind == "RobertaProcessing")
    elif kind == "TemplateProcessing":
        special = {name: Special.from_json(of) for name, of in node["special_tokens"].items()}
        yield Template(_pieces(node["single"], special), _pieces(node["pair"], special), special)
    else:
        raise NotSupportedError(f"post-processor {kind!r}")


def _token(node: Any) -> tuple[str, int]:
    name, token_id = node
    if type(name) is not str or type(token_id) is not int:
        raise TypeError(f"the token {node!r}")
    return name, token_id


def _pieces(nodes: Iterable[dict[str, Any]], special: dict[str, Special]) -> tuple[Piece, ...]:
    pieces = tuple(map(Piece.from_json, nodes))
    for piece in pieces:
        if not piece.is_text and piece.name not in special:
            raise VocabFormatError(
                f"the template has {piece.name!r}, which is not in special_tokens", field="post_processor"
            )
    return pieces
