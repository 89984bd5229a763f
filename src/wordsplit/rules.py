"""Added tokens, normalization and pre-tokenization steps: the rules of a vocabulary."""

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
        special: Whether it is a control token: ``special="text"`` leaves its literal as text, and
            ``skip_special`` drops its id when decoding.
        lstrip: Whether the match includes the white space before it.
        rstrip: Whether the match includes the white space after it.
        single_word: Whether it is found only if no word character is adjacent.
        normalized: Whether it is searched for in the normalized text instead of the original.
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
    """One pre-tokenization step, which splits text at the matches of a pattern.

    Attributes:
        pattern: A regular expression, or a literal string if ``literal``.
        behavior: How to treat a match: ``"isolated"`` makes it a span of its own, as is the text
            between two matches; ``"merged_with_previous"``, ``"merged_with_next"`` and ``"contiguous"``
            join it to others as `tokenizers` does; ``"removed"`` removes it from the text.
        invert: Whether matches and the text between them swap roles.
        literal: Whether ``pattern`` is a plain string.
        dialect: The regex dialect of the pattern, ``"tokenizers"`` (Oniguruma) or ``"tiktoken"`` (Rust), where they
            differ: ``{1,3}+`` is a repeated count in the first and a possessive count in the second; ``^`` and ``$``
            match at line feeds only in the first.
        prefix_space: Whether to prepend a space to each piece that this step sees, unless it begins with one.
        byte_level: Whether to match the pattern against the byte-level spelling of the text, one character per byte, so
            that it may split within a character. Such steps come last.
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
        pattern: The pattern that ``"replace"`` replaces: a regular expression, or a plain string if ``literal``.
        content: The replacement, or the text that ``"prepend"`` puts before a text that is not empty.
        literal: Whether ``pattern`` is a plain string.
    """

    kind: str
    pattern: str = ""
    content: str = ""
    literal: bool = False


def rewriting_steps(steps: Sequence[Split]) -> int:
    """Return how many steps, from the first on, must run before spans can tile the rest of the text.

    The last of them is the last step that removes text or adds a space.
    """
    return max((at for at, step in enumerate(steps, 1) if step.behavior == "removed" or step.prefix_space), default=0)


def canonical(step: Split) -> dict[str, Any]:
    """Return a step's fields for a fingerprint. Fields added later count only if set, to keep fingerprints stable."""
    return {name: value for name, value in asdict(step).items() if value or name not in ("prefix_space", "byte_level")}
