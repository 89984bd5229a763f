"""Pairs of texts in one row of ids, for models that compare two texts, such as rerankers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wordsplit.engine.base import prefix_and_suffix
from wordsplit.errors import OptionsError
from wordsplit.features.segments import bare
from wordsplit.template import TEXTS, TemplatePart

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.options import EngineOptions
    from wordsplit.vocab import Vocab

__all__ = ["EncodedPair", "encode_pair", "ids_in", "template_for", "type_ids_in"]


class EncodedPair(NamedTuple):
    """The ids of two texts in one row.

    Attributes:
        ids: The ids, with those of the vocab's template.
        type_ids: The type of each (``token_type_ids``): for BERT, 0 for the first text and 1 for the second.
    """

    ids: list[int]
    type_ids: list[int]


def encode_pair(
    engine: Engine, first: tuple[str | bytes, Collection[str]], second: tuple[str | bytes, Collection[str]]
) -> EncodedPair:
    """See `Tokenizer.encode_pair`; each text comes with the contents of the added tokens that are text in it."""
    parts = template_for(engine.vocab, engine.options)
    texts = [bare(engine, engine.encode(*text)) for text in (first, second)]
    return EncodedPair(ids_in(parts, texts), type_ids_in(parts, texts))


def template_for(vocab: Vocab, options: EngineOptions) -> tuple[TemplatePart, ...]:
    """Return the template of pairs, without its own ids if the options turn off bos and eos.

    Raises:
        OptionsError: The options put different ids around a text than the vocab does.
    """
    around = prefix_and_suffix(vocab, options)
    if (options.add_bos, options.add_eos) == (False, False) or (
        not any(around) and (vocab.prefix_ids or vocab.suffix_ids)
    ):
        return tuple(part for part in vocab.pair_parts if part.text is not None)
    if around == (vocab.prefix_ids, vocab.suffix_ids):
        return vocab.pair_parts
    raise OptionsError(
        f"add_bos={options.add_bos}, add_eos={options.add_eos}: a pair has all ids of its template or none of them; "
        "leave both None, or set both to False"
    )


def ids_in(parts: Sequence[TemplatePart], texts: Sequence[list[int]]) -> list[int]:
    """Return a template with the ids of texts in it."""
    out: list[int] = []
    for part in parts:
        out.extend(part.ids if part.text is None else texts[TEXTS.index(part.text)])
    return out


def type_ids_in(parts: Sequence[TemplatePart], texts: Sequence[list[int]]) -> list[int]:
    """Return the types of what `ids_in` returns."""
    out: list[int] = []
    for part in parts:
        out.extend([part.type_id] * len(part.ids if part.text is None else texts[TEXTS.index(part.text)]))
    return out
