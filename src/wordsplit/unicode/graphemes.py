"""Extended grapheme clusters as in `tokenizers`: Unicode Standard Annex 29, with the data of Unicode 17.0."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from wordsplit.unicode.runs import RunTable
from wordsplit.unicode.segmentation import BREAK_RUNS, BREAKS

__all__ = ["graphemes", "marks"]

_NUMBER = {name: number for number, name in enumerate(BREAKS)}
_CR, _LF, _CONTROL, _ZWJ = _NUMBER["CR"], _NUMBER["LF"], _NUMBER["Control"], _NUMBER["ZWJ"]
_FLAG, _PREPEND, _CONSONANT, _LINKER = (
    _NUMBER["Regional_Indicator"],
    _NUMBER["Prepend"],
    _NUMBER["Consonant"],
    _NUMBER["Linker"],
)
_PICTOGRAPHIC = _NUMBER["Pictographic"]
_EXTENDING = frozenset(_NUMBER[name] for name in ("Extend", "Linker", "Joiner"))
_JOINING = _EXTENDING | {_ZWJ, _NUMBER["SpacingMark"]}
_ALONE = frozenset({_CR, _LF, _CONTROL})
_CONJUNCT = frozenset({_LINKER, _ZWJ, _NUMBER["Joiner"]})
# What may follow a part of a Hangul syllable.
_HANGUL = {
    _NUMBER["L"]: frozenset(_NUMBER[name] for name in ("L", "V", "LV", "LVT")),
    **dict.fromkeys((_NUMBER["LV"], _NUMBER["V"]), frozenset({_NUMBER["V"], _NUMBER["T"]})),
    **dict.fromkeys((_NUMBER["LVT"], _NUMBER["T"]), frozenset({_NUMBER["T"]})),
}


@cache
def _breaks() -> RunTable:
    return RunTable(BREAK_RUNS)


def graphemes(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each grapheme cluster.

    Example:
        >>> list(graphemes("e\\u0301x\\r\\n"))
        [(0, 2), (2, 3), (3, 5)]
    """
    kind_of = _breaks()
    start, before = 0, -1
    flags = 0  # how many regional indicators precede
    pictograph = False  # whether a pictograph and characters that extend it precede
    consonant = linked = False  # whether a consonant precedes, and a linker after it
    for at, char in enumerate(text):
        kind = kind_of[char]
        if before >= 0 and not (
            (before == _CR and kind == _LF)
            or (
                before not in _ALONE
                and kind not in _ALONE
                and (
                    kind in _JOINING
                    or before == _PREPEND
                    or kind in _HANGUL.get(before, ())
                    or (linked and kind == _CONSONANT)
                    or (pictograph and before == _ZWJ and kind == _PICTOGRAPHIC)
                    or (kind == _FLAG == before and flags % 2)
                )
            )
        ):
            yield start, at
            start = at
        flags = flags + 1 if kind == _FLAG else 0
        # Of joiners only the last character before the next pictograph counts.
        extends = before != _ZWJ and (kind in _EXTENDING or kind == _ZWJ)
        pictograph = kind == _PICTOGRAPHIC or (pictograph and extends)
        linked = consonant and kind in _CONJUNCT and (linked or kind == _LINKER)
        consonant = kind == _CONSONANT or (consonant and kind in _CONJUNCT)
        before = kind
    if text:
        yield start, len(text)


def marks() -> tuple[list[int], list[int], list[int]]:
    """Return the code points that join the one before, those that join none, and those that join the one after."""
    joins: list[int] = []
    alone: list[int] = []
    before: list[int] = []
    lists = dict.fromkeys(_JOINING, joins) | dict.fromkeys(_ALONE, alone) | {_PREPEND: before}
    for points, kind in _breaks().runs():
        if kind in lists:
            lists[kind].extend(points)
    return joins, alone, before
