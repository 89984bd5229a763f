r"""Pre-tokenizers of `tokenizers` that are equivalent to patterns, as `Split` steps.

Their character classes are special: ``Digits`` follows Unicode 17 and ``Punctuation`` Unicode 9, while patterns in
`tokenizers` follow Unicode 16. So neither is exactly ``\p{N}`` or ``\p{P}``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from wordsplit.rules import Split, Step

__all__ = [
    "class_of",
    "clip_words",
    "digits",
    "fixed_length",
    "punctuation",
    "sign",
    "signs_and_classes",
    "splits_at_one",
    "splits_by_character",
    "splits_contractions",
    "splits_signs",
    "whitespace",
    "whitespace_split",
]


def class_of(ranges: str) -> str:
    """Return code points in hexadecimal, single or ``first-last``, as the inside of a character class."""
    return "".join("-".join(chr(int(end, 16)) for end in each.split("-")) for each in ranges.split())


_WORD = "\\w\u200c\u200d"
_DIGIT = r"[\p{N}" + class_of("11DE0-11DE9 16FF4-16FF6") + "]"
_NEWER_PUNCTUATION = class_of(
    "61D 9FD A76 C77 C84 1B4E-1B4F 1B7D-1B7F 2E43-2E4F 2E52-2E5D 10D6E 10EAD 10F55-10F59 10F86-10F89 113D4-113D5 "
    "113D7-113D8 1144B-1144F 1145A-1145B 1145D 11660-1166C 116B9 1183B 11944-11946 119E2 11A3F-11A46 11A9A-11A9C "
    "11A9E-11AA2 11B00-11B09 11BE1 11C41-11C45 11C70-11C71 11EF7-11EF8 11F43-11F4F 11FFF 12FF1-12FF2 16D6D-16D6F "
    "16E97-16E9A 16FE2 1E5FF 1E95E-1E95F"
)
_PUNCTUATION = r"[$+<=>^`|~" + class_of("166D 111C9") + rf"\p{{P}}&&[^{_NEWER_PUNCTUATION}]]"


def digits(individual: bool) -> Split:
    """Return ``Digits``: each digit, or each run of digits, is a piece."""
    return Split(_DIGIT, behavior="isolated" if individual else "contiguous")


def punctuation(behavior: str) -> Split:
    """Return ``Punctuation``."""
    return Split(_PUNCTUATION, behavior=behavior)


@cache
def whitespace() -> Split:
    """Return ``Whitespace``: words and runs of other characters; white space is removed."""
    return Split(f"[{_WORD}]+|{sign().pattern}+", behavior="removed", invert=True)


@cache
def clip_words() -> Split:
    """Return the split of CLIP: contractions, words, single numbers, and runs of others; white space is removed."""
    return Split(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+", behavior="removed", invert=True)


@cache
def sign() -> Split:
    """Return a split at each character that is neither of a word nor white space, as `whitespace` has them."""
    return Split(rf"[^{_WORD}\s]", behavior="isolated")


@cache
def whitespace_split() -> Split:
    """Return ``WhitespaceSplit``: the text between white space."""
    return Split(r"\s", behavior="removed")


def fixed_length(length: int) -> Split:
    """Return ``FixedLength``: pieces of so many characters."""
    return Split(rf"[\s\S]{{1,{length}}}")


def splits_by_character(steps: Sequence[Step]) -> bool:
    """Return whether steps are those of BERT, or such: they remove white space, and split at single characters.

    With `splits_signs` they may also split between signs and other characters.
    """
    return (splits_signs(steps) or whitespace_split() in steps) and all(
        step == whitespace_split() or splits_at_one(step) for step in steps[splits_signs(steps) :]
    )


def splits_at_one(step: Step) -> bool:
    """Return whether a step makes single characters pieces, and removes none."""
    return step in (punctuation("isolated"), digits(individual=True))


def splits_signs(steps: Sequence[Step]) -> bool:
    """Return whether the first step is `whitespace` or `clip_words`."""
    return steps[:1] == (whitespace(),) or splits_contractions(steps)


def splits_contractions(steps: Sequence[Step]) -> bool:
    """Return whether the first step is `clip_words`."""
    return steps[:1] == (clip_words(),)


def signs_and_classes(steps: Sequence[Step]) -> tuple[Split | None, Sequence[Step]]:
    """Return the split at each sign, if there is one, and those at other characters, of `splits_by_character`."""
    if splits_contractions(steps):
        return Split(r"[^\s\p{L}\p{N}]"), (whitespace_split(), Split(r"[\p{N}]"), *steps[1:])
    return (sign(), (whitespace_split(), *steps[1:])) if splits_signs(steps) else (None, steps)
