"""Cuts of vocabs that split texts at spaces: positions of a single space between ASCII letters or digits.

Examples are BERT's, T5's and Gemma's vocabs. Two characters before the space and one after it decide, so that
ids(a + b) = ids(a) + ids(b), whatever else is in ``a``, which ends with the letters or digits, and ``b``, which begins
with the space. (With Llama 2's, which prepends a space to every text, ``b`` begins after the space instead.)

* Each normalization step that is allowed here treats a character separately or with the marks after it, removes white
  space at the end of a text, or replaces text that is neither a letter, a digit nor a single space. So it changes both
  parts as it changes the whole, if a space remains a space, and letters and digits remain letters and digits. This is
  tested for each of them, step by step.
* The first pre-tokenization step splits the text there: it removes white space, or replaces it by a mark with which the
  next piece begins. Later steps see the pieces one by one; none depends on whether a piece is at the beginning. Or the
  whole text is one span, and no token has a letter or digit followed by the mark of a space: then no merge crosses the
  cut. No mark is put before ``b``, which begins with one; or one is put before every section of text between added
  tokens, and ``b`` begins with such a section, because no added token begins or ends with a letter or digit.
* Added tokens that are found in normalized text have no space, and do not depend on their neighbours. The others are
  treated in `wordsplit.features.cuts`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from wordsplit.engine.character_tables import CHARACTER_KINDS
from wordsplit.engine.normalization import content_normalizer
from wordsplit.model import CharacterBPE
from wordsplit.patterns.components import whitespace, whitespace_split
from wordsplit.rules import Normalize, Rewrite, Split, Step, normalizer_steps
from wordsplit.unicode.nfc import FORMS

if TYPE_CHECKING:
    from wordsplit.model import Model
    from wordsplit.vocab import AddedToken, Vocab

__all__ = ["WORD_ENDS", "WordCuts", "word_cuts_of"]

WORD_ENDS = "[A-Za-z0-9]{2}(?= [A-Za-z0-9])"
"""A regular expression for the text before such a cut, in texts and in bytes."""

_CHARACTERS = string.ascii_letters + string.digits
_WORDS = [char * 2 for char in _CHARACTERS]
_SEVERAL_SPACES = " {2,}"


class WordCuts(NamedTuple):
    """Facts about the cuts at `WORD_ENDS`.

    Attributes:
        ends_spans: Whether a span ends at each.
        drops_space: Whether the part after a cut begins after the space.
    """

    ends_spans: bool = True
    drops_space: bool = False


def word_cuts_of(vocab: Vocab) -> WordCuts | None:
    """Return how the texts of a vocab can be cut at `WORD_ENDS`, if no added token forbids it; ``None`` if not."""
    mark, found = vocab.space_mark, WordCuts()
    if mark is not None and not mark.splits:
        found = WordCuts(ends_spans=False, drops_space=mark.prepend == "stretch")
        normalizer = mark.before
        splits = _never_joins(vocab.model, mark.mark)
        if found.drops_space:
            splits = splits and not any(map(_touches_words, vocab.added_tokens))
    else:
        normalizer = normalizer_steps(vocab.normalizer)
        splits = _ends_before_spaces(*vocab.pre_tokenizer[:2]) and not any(
            isinstance(step, Rewrite) and step.prepend == "first" for step in vocab.pre_tokenizer[1:]
        )
    known = (
        splits
        and all(map(_is_local, normalizer))
        and _keeps_words(normalizer, vocab.source)
        and not (vocab.normalizer and _may_cross(vocab, mark.mark if mark else " "))
    )
    return found if known else None


def _touches_words(token: AddedToken) -> bool:
    """Return whether an added token begins or ends with an ASCII letter or digit."""
    return token.content[0] in _CHARACTERS or token.content[-1] in _CHARACTERS


def _never_joins(model: Model, mark: str) -> bool:
    """Return whether no merge joins a letter or digit to the mark of a space after it, and all of these are tokens.

    Unigram is excluded: the sum of the scores before a word determines how those within it are rounded.
    """
    if (
        not isinstance(model, CharacterBPE)
        or model.ignore_merges
        or model.ends_words
        or model.continuing_subword_prefix
    ):
        return False
    known = model.ids_by_bytes
    if not all(char.encode() in known for char in (*_CHARACTERS, mark)):
        return False
    joined = re.compile(rf"[A-Za-z0-9]{re.escape(mark)}".encode())
    return not any(map(joined.search, known))


def _ends_before_spaces(first: Step | None = None, second: Step | None = None) -> bool:
    """Return whether the first pre-tokenization step, or the first two, end a piece before each space."""
    if isinstance(first, Rewrite):
        return first.kind == "metaspace" and second == Split(first.replacement, "merged_with_next", literal=True)
    return first in (whitespace(), whitespace_split(), Split(" ", "removed", literal=True))


def _is_local(step: Normalize) -> bool:
    """Return whether a step that keeps words changes each part as it changes the whole."""
    if step.kind == "replace":
        touches_words = any(char.isascii() and (char.isalnum() or char == " ") for char in step.pattern)
        return step.pattern == _SEVERAL_SPACES if not step.literal else bool(step.pattern) and not touches_words
    return step.kind in CHARACTER_KINDS or step.kind in (*FORMS, "precompiled", "rstrip")


def _keeps_words(steps: Sequence[Normalize], source: str) -> bool:
    """Return whether ASCII letters and digits remain letters and digits, and a space between them remains a space."""
    words = _WORDS
    for step in steps:
        normalize = content_normalizer((step,), source)
        text, words = normalize(" ".join(words)), [normalize(word) for word in words]
        if text != " ".join(words) or not all(word.isascii() and word.isalnum() for word in words):
            return False
    return True


def _may_cross(vocab: Vocab, mark: str) -> bool:
    """Return whether an added token that is found in normalized text may be on both sides, or depends on them."""
    normalize = content_normalizer(vocab.normalizer or (), vocab.source)
    for token in vocab.added_tokens:
        if token.normalized:
            literals = token.content, normalize(token.content)
            if token.rstrip or token.single_word or any(space in text for text in literals for space in (" ", mark)):
                return True
    return False
