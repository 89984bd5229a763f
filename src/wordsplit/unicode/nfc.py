"""NFC and the other normalization forms in linear time, with the Unicode data of `tokenizers`.

These data are older than the rest (see `wordsplit.unicode.data`), so Python's ``unicodedata`` gives different
text for some inputs; also, CPython's is quadratic on long runs of combining marks. This follows Unicode
Standard Annex 15: decompose, order the marks by combining class, compose. Runs of marks are ordered by
a stable sort, so the worst case is n log n.

Text is split at characters that neither change nor take part in a change, and only the rest is processed. Most text
is returned unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from wordsplit.unicode.data import COMBINING, COMPOSITION, DECOMPOSITION

__all__ = [
    "FORMS",
    "changes_of",
    "composes_with_next",
    "is_nfc",
    "nfc",
    "nfc_clusters",
    "nfd",
    "nfkc",
    "nfkd",
]

S, L, V, T = 0xAC00, 0x1100, 0x1161, 0x11A7
N_V, N_T = 21, 28
N_L, N_S = 19, 19 * N_V * N_T

_BEYOND_LATIN = re.compile("(?s:.)?[^\u0000-\u02ff]+")
_combining = dict(zip(COMBINING[::2], COMBINING[1::2], strict=True))


def combining_class(char: str) -> int:
    """Return the canonical combining class of a character."""
    return _combining.get(ord(char), 0)


@cache
def _pairs() -> dict[tuple[int, int], int]:
    flat = iter(COMPOSITION)
    return {(first, second): composed for first, second, composed in zip(flat, flat, flat, strict=True)}


@cache
def _unstable() -> re.Pattern[str]:
    """Match a run to process: a character that can change, the one before it, and all that follow of its kind."""
    pairs = _pairs()
    primary = set(pairs.values())
    unstable = set(_combining) | {second for _, second in pairs} | (set(DECOMPOSITION) - primary)
    unstable |= {*range(V, V + N_V), *range(T + 1, T + N_T)}
    cls = "".join(re.escape(chr(cp)) for cp in sorted(unstable))
    return re.compile(f"(?s:.)?[{cls}]+")


def nfc(text: str) -> str:
    """Return the NFC form of ``text``. Lone surrogates are unchanged.

    Example:
        >>> nfc("e\\u0301") == "\\u00e9"
        True
    """
    if text.isascii():
        return text
    return _unstable().sub(lambda match: _normalize(match[0]), text)


def is_nfc(text: str) -> bool:
    """Return whether NFC leaves ``text`` unchanged.

    Example:
        >>> is_nfc("\\u00e9"), is_nfc("e\\u0301")
        (True, False)
    """
    # Text of characters below U+0300 never changes, and most text has few others.
    return all(nfc(match[0]) == match[0] for match in _BEYOND_LATIN.finditer(text))


def nfc_clusters(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, NFC) of each minimal stretch of ``text`` that NFC changes and that normalizes by itself.

    A stretch begins at a character whose decomposition begins with a starter that composes with nothing before it.

    Example:
        >>> list(nfc_clusters("cafe\\u0301s u\\u0308"))
        [(3, 5, 'é'), (7, 9, 'ü')]
    """
    for match in _unstable().finditer(text):
        start, end = match.span()
        starts = [at for at in range(start, end) if at == start or _begins_cluster(text[at])]
        for first, last in zip(starts, [*starts[1:], end], strict=True):
            normal = _normalize(text[first:last])
            if normal != text[first:last]:
                yield first, last, normal


@cache
def _seconds() -> frozenset[int]:
    return frozenset({second for _, second in _pairs()} | {*range(V, V + N_V), *range(T + 1, T + N_T)})


def _begins_cluster(char: str) -> bool:
    first = _decompose(ord(char))[0]
    return first not in _combining and first not in _seconds()


def composes_with_next(char: str) -> bool:
    """Return whether NFC makes one character of this one and some characters after it.

    Example:
        >>> composes_with_next("e"), composes_with_next("7")
        (True, False)
    """
    cp = ord(char)
    return cp in _firsts() or L <= cp < L + N_L or (S <= cp < S + N_S and (cp - S) % N_T == 0)


@cache
def _firsts() -> frozenset[int]:
    return frozenset(first for first, _ in _pairs())


def nfd(text: str) -> str:
    """Return the NFD form of ``text``.

    Example:
        >>> nfd("\\u00e9") == "e\\u0301"
        True
    """
    if text.isascii():
        return text
    return "".join(map(chr, _ordered([cp for char in text for cp in _decompose(ord(char))])))


def nfkd(text: str) -> str:
    """Return the NFKD form of ``text``.

    Example:
        >>> nfkd("\\ufb01\\u00b2")
        'fi2'
    """
    return text if text.isascii() else nfd("".join(map(_compatible, text)))


def nfkc(text: str) -> str:
    """Return the NFKC form of ``text``.

    Example:
        >>> nfkc("\\ufb01 e\\u0301") == "fi \\u00e9"
        True
    """
    return text if text.isascii() else nfc("".join(map(_compatible, text)))


FORMS: dict[str, Callable[[str], str]] = {"nfc": nfc, "nfd": nfd, "nfkc": nfkc, "nfkd": nfkd}


def changes_of(form: str, text: str) -> list[int]:
    """Return where the characters of a normalization form of ``text`` come from, one number for each.

    It is 1 for a character that is inserted, 0 for one that replaces a character of ``text``, and -n for one that
    replaces 1 + n characters. `tokenizers` aligns text with these numbers. They move with marks that are reordered.

    Args:
        form: ``"nfc"``, ``"nfd"``, ``"nfkc"`` or ``"nfkd"``.
        text: The text.

    Example:
        >>> changes_of("nfd", "\u00e9"), changes_of("nfc", "e\u0301")
        ([0, 1], [-1])
    """
    spell = _compatible if "k" in form else str
    points: list[int] = []
    changes: list[int] = []
    for char in text:
        parts = [cp for part in spell(char) for cp in _decompose(ord(part))]
        points += parts
        changes += [0] + [1] * (len(parts) - 1)
    order = _order(points)
    points, changes = [points[at] for at in order], [changes[at] for at in order]
    if form.endswith("c"):
        _compose(points, changes)
    return changes


# Compatibility characters that are newer than the data of `tokenizers` (Unicode 9 to 16).
_NOT_COMPATIBLE = frozenset(
    [
        *(0x32FF, 0xA7F1, 0xA7F2, 0xA7F3, 0xA7F4, 0xAB69, 0x11938, 0x1F16C),
        *range(0x10780, 0x107BB),
        *range(0x1CCD6, 0x1CCFA),
        *range(0x1E030, 0x1E06E),
        *range(0x1FBF0, 0x1FBFA),
    ]
)


@cache
def _compatible(char: str) -> str:
    """Return the compatibility decomposition of a character, without applying canonical ones."""
    if char.isascii() or ord(char) in _NOT_COMPATIBLE:
        return char
    import unicodedata  # noqa: PLC0415 - only for the few vocabs with a compatibility form

    found = unicodedata.normalize("NFKD", char)  # of one character, so short
    return char if found == unicodedata.normalize("NFD", char) else found


def _decompose(cp: int) -> tuple[int, ...]:
    if S <= cp < S + N_S:
        s = cp - S
        parts = L + s // (N_V * N_T), V + s % (N_V * N_T) // N_T, T + s % N_T
        return parts if s % N_T else parts[:2]
    return DECOMPOSITION.get(cp, (cp,))


def _compose_pair(first: int, second: int) -> int | None:
    if L <= first < L + N_L and V <= second < V + N_V:
        return S + ((first - L) * N_V + (second - V)) * N_T
    if S <= first < S + N_S and (first - S) % N_T == 0 and T < second < T + N_T:
        return first + second - T
    return _pairs().get((first, second))


def _ordered(points: list[int]) -> list[int]:
    """Order each run of marks by combining class."""
    return [points[at] for at in _order(points)] if len(points) > 1 else points


def _order(points: list[int]) -> list[int]:
    """Return the indices of code points, each run of marks ordered by combining class."""
    ccc = _combining
    order = list(range(len(points)))
    start = 0
    while start < len(points):  # a stable sort of each run of marks
        end = start
        while end < len(points) and points[end] in ccc:
            end += 1
        if end - start > 1:
            order[start:end] = sorted(order[start:end], key=lambda at: ccc[points[at]])
        start = end + 1
    return order


def _normalize(text: str) -> str:
    points = _ordered([cp for char in text for cp in _decompose(ord(char))])
    _compose(points)
    return "".join(map(chr, points))


def _compose(points: list[int], changes: list[int] | None = None) -> None:
    """Compose code points in place, and add up their ``changes`` (see `changes_of`)."""
    ccc = _combining
    kept = 0
    starter, last = -1, 0  # index of the last starter that is kept; class of the last mark kept after it
    for at, cp in enumerate(points):
        cls = ccc.get(cp, 0)
        if starter >= 0 and (last < cls or (last == 0 and starter == kept - 1)):
            composed = _compose_pair(points[starter], cp)
            if composed is not None:
                points[starter] = composed
                if changes is not None:
                    changes[starter] += changes[at] - 1
                continue
        if cls == 0:
            starter, last = kept, 0
        else:
            last = cls
        points[kept] = cp
        if changes is not None:
            changes[kept] = changes[at]
        kept += 1
    del points[kept:]
    if changes is not None:
        del changes[kept:]
