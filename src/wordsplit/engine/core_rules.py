"""The rules of a vocab that the native core runs: by tables of characters, or in steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from wordsplit import spanners
from wordsplit.engine.in_core import can_preprocess_natively
from wordsplit.engine.simd import simd_level
from wordsplit.model import CharacterBPE
from wordsplit.rules import Normalize, Rewrite, normalizer_steps, rewriting_steps
from wordsplit.space_mark import USUAL_MARK

if TYPE_CHECKING:
    from wordsplit import _native
    from wordsplit.spanners import Spanner
    from wordsplit.vocab import Vocab

__all__ = ["CoreRules", "rules_before_marks", "rules_in_steps", "rules_in_tables"]


class CoreRules(NamedTuple):
    """The rules of a vocab that the core runs, other than added tokens, NFC alone, and the spelling of spaces.

    Attributes:
        normalizer: The steps that a text as a whole goes through first.
        finder: The span finder.
        words: A table of characters, which finds the spans, or is for within those that are found.
        more_words: Makes a larger table, if there is one.
        rewriting: The steps that find the spans in a separate text.
        cuts: Whether spans end where no token crosses.
    """

    normalizer: _native.Normalizer | None = None
    finder: _native.SpanFinder | None = None
    words: _native.WordMap | None = None
    more_words: Callable[[], _native.WordMap | None] = lambda: None
    rewriting: _native.Rewriting | None = None
    cuts: bool = False

    @property
    def finds_spans(self) -> bool:
        """Whether the caller need not find them."""
        return any(found is not None for found in (self.finder, self.words, self.rewriting)) or self.cuts

    @property
    def in_steps(self) -> bool:
        """Whether some are run in steps, on a text as a whole."""
        return self.normalizer is not None or self.rewriting is not None


def rules_in_tables(vocab: Vocab) -> CoreRules | None:
    """Return the rules of a vocab that are in tables of characters; ``None`` if it has others."""
    from wordsplit.engine.words import letters_of_bytes, more_words_of, word_map_of  # noqa: PLC0415 - most need no table

    if finder := _finder_before_letters(vocab):
        return CoreRules(
            finder=finder, words=letters_of_bytes(rare=False), more_words=partial(letters_of_bytes, rare=True)
        )
    words = word_map_of(vocab)
    return None if words is None else CoreRules(words=words, more_words=partial(more_words_of, vocab))


def _finder_before_letters(vocab: Vocab) -> _native.SpanFinder | None:
    """Return the span finder of a vocab whose last step turns bytes into the letters that its model sees."""
    *steps, last = vocab.pre_tokenizer or (None,)
    if last != Rewrite("byte_level") or not steps or rewriting_steps(steps):
        return None
    if vocab.normalizer is not None or vocab.model.ends_words or not vocab.has_native_model:
        return None
    before = vocab.replace(pre_tokenizer=steps)
    return spanners.get(spanners.fastest_for(before))(before).finder(simd_level())


def rules_in_steps(vocab: Vocab, spanner_of: Callable[[], Spanner], *, rewrites: bool) -> CoreRules | None:
    """Return the rules of a vocab if the core can run them, some of them in steps; ``None`` if it cannot.

    A normalizer in steps leaves a text to rules for vocabs without one, or to a table with the steps after it.

    Args:
        vocab: The vocab.
        spanner_of: Returns its spanner.
        rewrites: Whether the core may run all steps of the pre-tokenizer, instead of the spanner.
    """
    from wordsplit.engine.text_steps import normalizer_in_core  # noqa: PLC0415 - few vocabs need it
    from wordsplit.engine.words import every_normalized_literal  # noqa: PLC0415 - as above

    if vocab.model.ends_words or "" in every_normalized_literal(vocab).values():
        return None
    steps = normalizer_steps(vocab.normalizer)
    every = [normalizer_in_core(steps[:count], vocab.source, simd_level()) for count in range(len(steps) + 1)]
    if every[-1] is not None and can_preprocess_natively(vocab.replace(normalizer=None)):
        finder = spanner_of().finder(simd_level())
        if finder is not None:
            return CoreRules(every[-1], finder)
    if not rewrites:
        return None
    for count, before in enumerate(every):
        if any(USUAL_MARK in step.content for step in steps[:count]):
            break  # tables lack it
        if count and before is not None and (rules := _in_tables_behind(vocab, steps[count:])):
            return rules._replace(normalizer=before)
    return _rewritten(vocab, every[-1])


def rules_before_marks(vocab: Vocab) -> CoreRules | None:
    """Return the steps before a vocab's spelling of spaces; ``None`` if the core cannot run them."""
    from wordsplit.engine.text_steps import normalizer_in_core  # noqa: PLC0415 - as above
    from wordsplit.engine.words import every_normalized_literal  # noqa: PLC0415 - as above

    if vocab.space_mark is None or "" in every_normalized_literal(vocab).values():
        return None
    normalizer = normalizer_in_core(vocab.space_mark.before, vocab.source, simd_level())
    return None if normalizer is None else CoreRules(normalizer)


def _rewritten(vocab: Vocab, normalizer: _native.Normalizer | None) -> CoreRules | None:
    """Return the rules of a vocab whose spans are in a separate text, or end at cuts, after a normalizer."""
    from wordsplit.engine.text_steps import rewriting_in_core  # noqa: PLC0415 - as above

    if normalizer is None:
        return None
    if not vocab.pre_tokenizer and _ends_at_cuts(vocab):
        return CoreRules(normalizer, cuts=True)
    rewriting = rewriting_in_core(vocab.pre_tokenizer, vocab.source, simd_level())
    return None if rewriting is None else CoreRules(normalizer, rewriting=rewriting, cuts=_ends_at_cuts(vocab))


def _in_tables_behind(vocab: Vocab, rest: tuple[Normalize, ...]) -> CoreRules | None:
    """Return the rules of a vocab that are in tables if only these steps of its normalizer are left."""
    from wordsplit.engine.words import normalized_literals  # noqa: PLC0415 - as above

    if rest[:1] == (Normalize("nfc"),):  # which the core would do elsewhere
        return None
    rules = rules_in_tables(vocab.replace(normalizer=rest or None))
    if rules is None or (rules.finder is None and normalized_literals(vocab) is None):
        return None
    return rules


def _ends_at_cuts(vocab: Vocab) -> bool:
    """Return whether spans may end where no token crosses, for a vocab without a pre-tokenizer."""
    model = vocab.model
    return isinstance(model, CharacterBPE) and not model.drops_characters and not model.has_whole_words
