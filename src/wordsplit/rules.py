"""Added tokens, normalization and pre-tokenization steps: the rules of a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

__all__ = [
    "AddedToken",
    "Decode",
    "Normalize",
    "Rewrite",
    "Split",
    "Step",
    "canonical",
    "finds_as_spelled",
    "normalizer_steps",
    "rewriting_steps",
    "step_of",
    "step_type",
]


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
        behavior: How to treat a match: ``"isolated"`` makes it a separate span, and also the text
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
class Rewrite:
    """One pre-tokenization step that a pattern cannot express. Later steps see the rewritten text.

    Attributes:
        kind: What to do with each piece: ``"metaspace"`` replaces spaces by ``replacement``, and may prepend it;
            ``"byte_level"`` writes the bytes as characters of the byte-level alphabet; ``"unicode_scripts"`` splits
            where the script changes, and drops spaces and other characters of no script at the beginning.
        replacement: The character that ``"metaspace"`` writes for a space.
        prepend: Where ``"metaspace"`` prepends ``replacement`` to pieces that do not begin with it: ``"always"``,
            ``"never"``, or ``"first"``: only to the piece at the very beginning of the text.
    """

    kind: str
    replacement: str = ""
    prepend: str = "never"


Step: TypeAlias = "Split | Rewrite"


@dataclass(frozen=True)
class Normalize:
    """One normalization step.

    Attributes:
        kind: What to do. ``"nfc"``, ``"nfd"``, ``"nfkc"``, ``"nfkd"``, ``"lowercase"``; ``"lstrip"``, ``"rstrip"``:
            strip white space; ``"strip_accents"``: remove marks; ``"nmt"``: remove control characters and turn some
            others into spaces; ``"byte_level"``: write the bytes as characters of the byte-level alphabet;
            ``"prepend"``, ``"replace"``; ``"precompiled"``: apply a character map of SentencePiece as `tokenizers`
            does; ``"charsmap"``: apply one as `sentencepiece` does, to the longest keys, except to the texts in
            ``pattern``, which NULs separate (then added tokens are found as they are spelled). The steps of
            ``BertNormalizer`` other than lowercasing are ``"bert_clean_text"``: remove control characters and turn
            white space into spaces; ``"bert_chinese_chars"``: put spaces around Chinese characters;
            ``"bert_strip_accents"``: NFD, then remove nonspacing marks, which are fewer than ``"strip_accents"`` has.
        pattern: The pattern that ``"replace"`` replaces: a regular expression, or a plain string if ``literal``.
        content: The replacement; the text that ``"prepend"`` puts before non-empty text; or the character
            map of ``"precompiled"`` and ``"charsmap"`` in base64.
        literal: Whether ``pattern`` is a plain string.
    """

    kind: str
    pattern: str = ""
    content: str = ""
    literal: bool = False


@dataclass(frozen=True)
class Decode:
    """One decoding step, which changes the list of the texts of tokens; at the end they are joined.

    Attributes:
        kind: ``"byte_level"`` (from the byte-level alphabet), ``"byte_fallback"`` (runs of tokens such as ``<0x0A>`` to
            the characters that they spell), ``"pieces"`` and ``"pieces_and_bytes"`` (as `sentencepiece` decodes pieces,
            without and with those that spell bytes), ``"charsmap"`` (a character map of `sentencepiece`, ``content`` in
            Base64), ``"fuse"`` (join all), ``"join"`` (join all, with ``content`` between), ``"replace"``, ``"strip"``,
            ``"metaspace"``, ``"word_piece"``, ``"suffix"`` (of the last token of a word) or ``"ctc"``.
        pattern: The pattern that ``"replace"`` replaces: a regular expression, or a plain string if ``literal``. For
            pieces: the unknown piece, if there is one, and the pieces without text, separated by NULs.
        content: The replacement; the text of the unknown piece; the character that ``"strip"`` removes or that stands
            for a space in ``"metaspace"``; the prefix of ``"word_piece"``; the suffix; the padding of ``"ctc"``.
        literal: Whether ``pattern`` is a plain string.
        left: How many characters ``"strip"`` removes at the beginning of each text.
        right: How many at its end.
        prepended: Whether ``"metaspace"`` and ``"pieces"`` drop the first space.
        cleanup: Whether ``"word_piece"`` and ``"ctc"`` remove spaces before punctuation, and ``"pieces"`` the first
            space of each text up to one that is not empty.
        delimiter: The token between words in ``"ctc"``.
    """

    kind: str
    pattern: str = ""
    content: str = ""
    literal: bool = False
    left: int = 0
    right: int = 0
    prepended: bool = False
    cleanup: bool = False
    delimiter: str = ""


def normalizer_steps(normalizer: str | Sequence[Normalize] | None) -> tuple[Normalize, ...]:
    """Return the steps of a `Vocab.normalizer`."""
    return (Normalize(normalizer),) if isinstance(normalizer, str) else tuple(normalizer or ())


def finds_as_spelled(normalizer: str | Sequence[Normalize] | None) -> bool:
    """Return whether tokens are found in normalized text as they are spelled, and not normalized themselves.

    This is so in SentencePiece's files, whose normalization may put a space before a text.
    """
    return any(step.kind == "charsmap" for step in normalizer or () if not isinstance(step, str))


def rewriting_steps(steps: Sequence[Step]) -> int:
    """Return how many steps, from the first on, must run before spans can cover the rest of the text exactly.

    The last of them is the last step that removes, adds or rewrites text.
    """
    return max((at for at, step in enumerate(steps, 1) if _rewrites(step)), default=0)


def _rewrites(step: Step) -> bool:
    return isinstance(step, Rewrite) or step.behavior == "removed" or step.prefix_space


def canonical(step: Step) -> dict[str, Any]:
    """Return a step's fields for a fingerprint. Fields added later count only if set, to keep fingerprints stable."""
    return {name: value for name, value in asdict(step).items() if value or name not in ("prefix_space", "byte_level")}


def step_type(values: Any) -> type[Split | Rewrite]:
    """Return the kind of step that has these fields."""
    return Rewrite if isinstance(values, dict) and "kind" in values else Split


def step_of(values: dict[str, Any]) -> Step:
    """Return the step with these fields; the inverse of `dataclasses.asdict`."""
    return step_type(values)(**values)
