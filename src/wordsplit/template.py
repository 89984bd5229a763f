"""The template of a pair of texts: the ids around the two, and the type of each token.

Models that compare two texts, such as rerankers, take both in one row of ids. Plain data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, groupby

from wordsplit.errors import OptionsError

__all__ = ["TEXTS", "TemplatePart", "around_each", "bert_pair", "joined"]

TEXTS = ("first", "second")


@dataclass(frozen=True)
class TemplatePart:
    """A part of a template: the ids of one of the texts, or ids of the template's own.

    Attributes:
        ids: The ids, if they are the template's own.
        text: ``"first"`` or ``"second"``: the ids of that text; ``None`` for ids of the template's own.
        type_id: The type of the tokens (``token_type_ids``): for BERT, 0 for the first text and 1 for the second.

    Raises:
        OptionsError: There is no such text, or the part also has ids.
    """

    ids: tuple[int, ...] = ()
    text: str | None = None
    type_id: int = 0

    def __post_init__(self) -> None:
        if self.text is not None and self.text not in TEXTS:
            raise OptionsError(f"text={self.text!r}: use one of {', '.join(map(repr, TEXTS))}, or None")
        if self.text is not None and self.ids:
            raise OptionsError(f"a template part is a text or ids, not both: text={self.text!r}, ids={self.ids!r}")


def around_each(prefix_ids: Iterable[int], suffix_ids: Iterable[int]) -> tuple[TemplatePart, ...]:
    """Return the template of vocabs that have none for pairs: each text as if it were alone, the second of type 1."""
    prefix, suffix = tuple(prefix_ids), tuple(suffix_ids)
    return joined(
        part
        for type_id, text in enumerate(TEXTS)
        for part in (
            TemplatePart(prefix, type_id=type_id),
            TemplatePart(text=text, type_id=type_id),
            TemplatePart(suffix, type_id=type_id),
        )
    )


def bert_pair(cls_id: int, sep_id: int) -> tuple[TemplatePart, ...]:
    """Return BERT's template: cls, the first text, sep, and of type 1 the second text and another sep."""
    first, second = TEXTS
    return (
        TemplatePart((cls_id,)),
        TemplatePart(text=first),
        TemplatePart((sep_id,)),
        TemplatePart(text=second, type_id=1),
        TemplatePart((sep_id,), type_id=1),
    )


def joined(parts: Iterable[TemplatePart]) -> tuple[TemplatePart, ...]:
    """Return parts without empty ones, and with neighbours of one type as one, so that equal templates are equal."""
    out: list[TemplatePart] = []
    filled = (part for part in parts if part.text is not None or part.ids)
    for (text, type_id), alike in groupby(filled, lambda part: (part.text, part.type_id)):
        if text is None:
            out.append(TemplatePart(tuple(chain.from_iterable(part.ids for part in alike)), type_id=type_id))
        else:
            out.extend(alike)
    return tuple(out)
