"""Added tokens, normalization and pre-tokenization steps: the rules a vocabulary comes with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["AddedToken", "Normalize", "Split", "canonical", "rewriting_steps"]


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
            join it as `tokenizers` does; ``"removed"`` takes it out of the text.
        invert: Whether matches and the text between them change roles.
        literal: Whether ``pattern`` is a plain string.
        dialect: Whose reading of the pattern is meant, ``"tokenizers"`` (Oniguruma) or ``"tiktoken"`` (Rust's),
            where they differ: ``{1,3}+`` repeats a count in the one, and is a possessive count in the other;
            ``^`` and ``$`` match at line feeds in the one only.
        prefix_space: Whether each piece that this step sees is given a space first, if it does not begin with one.
        byte_level: Whether the pattern sees the byte-level spelling of the text, one character a byte, so that it
            may cut within a character. Such steps come last.
    """

    pattern: str
    behavior: str = "isolated"
    invert: bool = False
    literal: bool = False
    dialect: str = "tokenizers"
    prefix_space: bool = False
    byte_level: bool = False


@dataclass(frozen=True)
class Normalize:
    """One step of normalization.

    Attributes:
        kind: ``"nfc"``, ``"nfd"``, ``"nfkc"``, ``"nfkd"``, ``"lowercase"``, ``"lstrip"`` or ``"rstrip"`` (of white
            space), ``"prepend"`` or ``"replace"``.
        pattern: What ``"replace"`` looks for: a regular expression, or a plain string if ``literal``.
        content: What ``"replace"`` puts in its place, and ``"prepend"`` before a text that is not empty.
        literal: Whether ``pattern`` is a plain string.
    """

    kind: str
    pattern: str = ""
    content: str = ""
    literal: bool = False


def rewriting_steps(steps: Sequence[Split]) -> int:
    """How many steps, from the first on, have to be done before spans can tile what is left of the text.

    They end with the last one that takes text out or puts a space in.
    """
    return max((at for at, step in enumerate(steps, 1) if step.behavior == "removed" or step.prefix_space), default=0)


def canonical(step: Split) -> dict[str, Any]:
    """A step's fields for a fingerprint. Fields that came later count only where they are used, so that it lasts."""
    return {name: value for name, value in asdict(step).items() if value or name not in ("prefix_space", "byte_level")}
