"""Letters that differ by case only, as in the oracles (version 16.0)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from wordsplit.unicode.properties import CASE_GROUPS, CASE_PAIRS

__all__ = ["of_several_letters", "same_letter", "spelled_alike"]

_LAST_OF_SEVERAL = 0xFB17  # of the characters that case folding turns into several


@cache
def same_letter() -> tuple[str, ...]:
    """Return the groups of characters that are equal except for case: ``"aA"``, ``"kK\u212a"``.

    Example:
        >>> next(letters for letters in same_letter() if "s" in letters)
        'Ss\u017f'
    """
    pairs = [CASE_PAIRS[i : i + 4] for i in range(0, len(CASE_PAIRS), 4)]
    return (
        *CASE_GROUPS,
        *(
            chr(cp) + chr(cp + distance)
            for first, last, distance, step in pairs
            for cp in range(first, last + 1, step or 1)
        ),
    )


@cache
def spelled_alike() -> Mapping[str, str]:
    """Return each character that has other cases with all of them, itself included."""
    return {char: letters for letters in same_letter() for char in letters}


@cache
def of_several_letters() -> Mapping[str, str]:
    """Return each character that stands for several under case folding, with those: ``{"ß": "ss"}``.

    These are the same in all versions of Unicode since 5.1.
    """
    every = {char: char.casefold() for char in map(chr, range(_LAST_OF_SEVERAL + 1))}
    return {char: letters for char, letters in every.items() if len(letters) > 1}
