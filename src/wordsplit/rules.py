"""Added tokens and pre-tokenization steps: the rules a vocabulary comes with."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AddedToken", "Split"]


@dataclass(frozen=True)
class AddedToken:
    """A token that is found in the text as a literal, before any merging.

    Attributes:
        content: The literal.
        id: Its id.
        special: Whether it is a control token: ``special="text"`` leaves such a literal as text, and
            ``skip_special`` drops its id when decoding.
        lstrip: Whether it swallows the white space before it.
        rstrip: Whether it swallows the white space after it.
        single_word: Whether it is found only where no word character stands next to it.
        normalized: Whether it is looked for in the normalized text rather than in the text as given.
    """

    content: str
    id: int
    special: bool = True
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False
    normalized: bool = False


@dataclass(frozen=True)
class Split:
    """One step of pre-tokenization: cut at the matches of a pattern.

    Attributes:
        pattern: A regular expression, or a literal string if ``literal``.
        behavior: What becomes of a match: ``"isolated"`` makes it a span of its own, as everything
            between two matches is; ``"merged_with_previous"``, ``"merged_with_next"`` and ``"contiguous"``
            join it as `tokenizers` does.
        invert: Whether matches and the text between them change roles.
        literal: Whether ``pattern`` is a plain string.
        dialect: Whose reading of the pattern is meant, ``"tokenizers"`` (Oniguruma) or ``"tiktoken"`` (Rust's),
            where they differ: ``{1,3}+`` repeats a count in the one, and is a possessive count in the other;
            ``^`` and ``$`` match at line feeds in the one only.
    """

    pattern: str
    behavior: str = "isolated"
    invert: bool = False
    literal: bool = False
    dialect: str = "tokenizers"
