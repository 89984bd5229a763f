"""The merges of a BPE model whose file has only pieces and scores.

Two symbols that are next to each other merge if their texts together are a piece, the best score first and the leftmost
on a tie. So the merges are all ways to divide a piece into two others.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping
from itertools import accumulate, groupby

from wordsplit.tables import MergeList

__all__ = ["merges_of_scores", "merges_of_scores_in_python", "of_unknown_character"]


def merges_of_scores(parts: Mapping[str, int], scores: Mapping[int, float]) -> tuple[MergeList, array[int] | None]:
    """Return the merges in order of rank, and their ranks.

    An order without shared ranks does the same in two cases, in which a tie is always between neighbours. Merges that
    make the same token meet only if they share a symbol, as in a|aa|a. Symbols are made from the left, so that it is
    always aa|a: the longest left part comes first. Among runs of one character, such as the spaces of Llama 2, the
    leftmost is always the longest one, which grows until there is no longer one: it comes first.

    Args:
        parts: The pieces that merge or are made by merges, with their ids.
        scores: The score of each id.

    Returns:
        The merges; and the rank of each, or ``None`` if the rank of each is its place.
    """
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return merges_of_scores_in_python(parts, scores)
    spelled, ids = [piece.encode() for piece in parts], array("I", parts.values())
    ends, own = array("I", accumulate(map(len, spelled))), array("d", map(scores.__getitem__, ids))
    flat, ranks, tied = _native.merges_of_scores(b"".join(spelled), ends, ids, own)
    return MergeList(array("I", flat)), array("I", ranks) if tied else None


def merges_of_scores_in_python(
    parts: Mapping[str, int], scores: Mapping[int, float]
) -> tuple[MergeList, array[int] | None]:
    """Return the same by the definition. The native module takes a twentieth of the time."""
    flat, ranks = array("I"), array("I")
    tied = False
    made = sorted((piece for piece in parts if len(piece) > 1), key=lambda piece: (-scores[parts[piece]], -len(piece)))
    for rank, (_, group) in enumerate(groupby(made, key=lambda piece: scores[parts[piece]])):
        pairs = {piece: pair for piece in group if (pair := _divisions(piece, parts))}
        tied |= len(pairs) > 1 and any(len(set(piece)) > 1 for piece in pairs)
        for pair in pairs.values():
            flat.extend(pair)
        ranks.extend([rank] * (len(flat) // 2 - len(ranks)))
    return MergeList(flat), ranks if tied else None


def _divisions(piece: str, parts: Mapping[str, int]) -> list[int]:
    """Return the ids of all pairs that make a piece."""
    out: list[int] = []
    for cut in range(len(piece) - 1, 0, -1):
        if (left := parts.get(piece[:cut])) is not None and (right := parts.get(piece[cut:])) is not None:
            out += (left, right)
    return out


def of_unknown_character(pieces: Collection[str], parts: Collection[str]) -> str | None:
    """Return a piece that a merge with a character makes which is not a piece itself; ``None`` if there is none."""
    characters = set(filter(parts.__contains__, set().union(*pieces)))
    for piece in pieces:
        if characters.issuperset(piece):
            continue
        for cut in range(1, len(piece)):
            left, right = piece[:cut], piece[cut:]
            if (cut == 1 or left in parts) and (len(right) == 1 or right in parts):
                return piece
    return None
