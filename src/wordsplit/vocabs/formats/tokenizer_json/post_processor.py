"""The post-processor of a tokenizer.json: the ids around a text and around a pair of texts.

`tokenizers` passes one encoding for each text from processor to processor. A template takes the first two apart from
each other and makes one encoding of each of its pieces; those of BERT and RoBERTa put their tokens around each
encoding that they find. So the order counts, and the same is done here with parts of a template instead of encodings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from wordsplit.template import TEXTS, TemplatePart, around_each, joined
from wordsplit.vocabs.formats.tokenizer_json.rules import flat
from wordsplit.vocabs.json_tree import Node, shown

__all__ = ["Around", "processor_kind", "read_post_processor"]

Encoding = list[TemplatePart]

_TEXTS = {"A": 0, "B": 1}
_ENDS = ("sep", "cls")
_OFFSETS = ("trim_offsets", "add_prefix_space")
_TEMPLATE = ("single", "pair", "special_tokens")


class Around(NamedTuple):
    """The ids around texts, as arguments of `wordsplit.Vocab`."""

    prefix_ids: tuple[int, ...]
    suffix_ids: tuple[int, ...]
    pair_template: tuple[TemplatePart, ...] | None

    def ids(self) -> Iterator[int]:
        """Yield all ids in it."""
        yield from (*self.prefix_ids, *self.suffix_ids, *_ids(self.pair_template or ()))


def processor_kind(fields: Mapping[str, Any]) -> str | None:
    """Return the kind that the fields of a post-processor tell; ``None``: it is what its ``type`` says.

    `tokenizers` also uses the fields, and checks the type only of a ByteLevel and a Sequence.

    Example:
        >>> processor_kind({"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]})
        'BertProcessing'
    """
    trims = all(isinstance(fields.get(name), bool) for name in _OFFSETS)
    if all(fields.get(name) is not None for name in _ENDS):
        return "RobertaProcessing" if trims else "BertProcessing"
    is_template = all(fields.get(name) is not None for name in _TEMPLATE)
    return "TemplateProcessing" if is_template and not (trims and fields.get("type") == "ByteLevel") else None


def read_post_processor(node: Node) -> Around:
    """Return the ids before and after a single text, and the template of a pair.

    Raises:
        VocabFormatError: It is damaged.
        UnsupportedVocabError: Its kind is unknown; a text occurs in it never or twice; or a template stands behind
            another, whose parts `tokenizers` cannot put into it.
    """
    processors = flat(node, "processors", _kind)
    single = _processed(processors, TEXTS[:1])
    (at,) = (at for at, part in enumerate(single) if part.text)
    prefix, suffix = _ids(single[:at]), _ids(single[at:])
    if any(_kind(part) == "TemplateProcessing" and part["pair"].value is None for part in processors):
        return Around(prefix, suffix, None)
    pair = joined(_processed(processors, TEXTS))
    return Around(prefix, suffix, None if pair == around_each(prefix, suffix) else pair)


def _kind(part: Node) -> str:
    return processor_kind(part.value) or part["type"].string()


def _processed(processors: list[Node], texts: tuple[str, ...]) -> Encoding:
    encodings = [[TemplatePart(text=text, type_id=type_id)] for type_id, text in enumerate(texts)]
    for part in processors:
        kind = _kind(part)
        if kind == "ByteLevel":
            continue  # it trims offsets, and does not change ids
        if kind == "TemplateProcessing":
            encodings = list(_in_template(part, encodings))
            seen = sum(each.text is not None for encoding in encodings for each in encoding)
            if len(texts) == 1 != seen:
                raise part["single"].unsupported(f"a template with the text in it {seen} times")
        elif kind == "BertProcessing":
            first, end = _named(part["cls"]), _named(part["sep"])
            encodings = [
                [*(() if at else [first]), *encoding, replace(end, type_id=min(at, 1))]
                for at, encoding in enumerate(encodings)
            ]
        elif kind == "RobertaProcessing":
            first, end = _named(part["cls"]), _named(part["sep"])
            encodings = [
                [end if at else first, *(replace(each, type_id=0) for each in encoding), end]
                for at, encoding in enumerate(encodings)
            ]
        else:
            raise part.unsupported(f"post-processor {shown(kind)}")
    return [each for encoding in encodings for each in encoding]


def _in_template(part: Node, encodings: list[Encoding]) -> Iterator[Encoding]:
    """Yield the pieces of a template, with one or two encodings instead of its texts."""
    if len(encodings) > 2:
        raise part.unsupported(f"a template around {len(encodings)} parts of another one")
    for item in part["single" if len(encodings) == 1 else "pair"].items_or_empty():
        item.require_object()
        if "Sequence" in item.value:
            piece = item["Sequence"]
            at = _TEXTS.get(piece["id"].string(), 2)
            if at >= len(encodings):
                raise piece["id"].unsupported(f"text {shown(piece['id'].value)} in a template of {len(encodings)}")
            yield [replace(each, type_id=_type_id(piece)) for each in encodings[at]]
        else:
            piece = item["SpecialToken"]
            ids = part["special_tokens"][piece["id"].string()]["ids"].items()
            yield [TemplatePart(tuple(each.token_id() for each in ids), type_id=_type_id(piece))]


def _type_id(piece: Node) -> int:
    return 0 if piece["type_id"].value is None else piece["type_id"].count()


def _named(node: Node) -> TemplatePart:
    pair = list(node.items_or_empty())
    if len(pair) != 2:
        raise node.wrong("a token and its id")
    return TemplatePart((pair[1].token_id(),))


def _ids(parts: Iterable[TemplatePart]) -> tuple[int, ...]:
    return tuple(i for part in parts for i in part.ids)
