"""The texts of the tokens of a character BPE with a suffix.

Such a model, as GPT-1's or CLIP's, spells the last character of a word with the suffix. Here a byte that UTF-8 does not
have stands for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wordsplit.byte_level import to_byte_level

__all__ = ["WORD_END", "EndedWords", "ended_words", "is_character", "spells_bytes"]

WORD_END = b"\xff"  # as in word_map.hpp


class EndedWords(NamedTuple):
    """The texts of the tokens of a model with a suffix, with `WORD_END` for the suffix.

    Attributes:
        singles: The initial symbols of a word: characters, or bytes.
        found: The bytes of each token that a text can produce, by its id.
    """

    singles: set[bytes]
    found: dict[int, bytes]


def spells_bytes(ids: Mapping[bytes, int], suffix: str) -> bool:
    """Return whether all bytes have tokens in the byte-level alphabet, with the suffix and without."""
    letters = [to_byte_level(bytes([byte])) for byte in range(WORD_END[0])]
    return all(spelled.encode() in ids for letter in letters for spelled in (letter, letter + suffix))


def ended_words(
    ids: Mapping[bytes, int],
    merges: Mapping[tuple[int, int], tuple[int, int]],
    suffix: str,
    unk_id: int | None,
) -> EndedWords | None:
    """Return the texts of the tokens of a model with a suffix.

    ``None`` if the model has a merge of what no text produces or of the unknown token, a token that stands for several
    texts, or letters that stand for bytes and no unknown token.

    Args:
        ids: The ids of the tokens.
        merges: The (rank, merged id) of each pair of ids.
        suffix: How tokens spell the end of a word.
        unk_id: The id of the unknown token.
    """
    end = suffix.encode()
    found: dict[int, bytes] = {}
    if spells_bytes(ids, suffix):
        if unk_id is None:
            return None
        singles = {bytes([byte]) for byte in range(WORD_END[0])}
        for single in singles:
            letter = to_byte_level(single).encode()
            found |= {ids[letter]: single, ids[letter + end]: single + WORD_END}
    else:
        found = {i: token for token, i in ids.items() if is_character(token)}
        ended = {i: token.removesuffix(end) for token, i in ids.items() if token.endswith(end)}
        found |= {i: token + WORD_END for i, token in ended.items() if is_character(token)}
        singles = {data.removesuffix(WORD_END) for data in found.values()}
    for (left, right), (_, merged) in merges.items():
        if left not in found or right not in found or found[left].endswith(WORD_END):
            return None
        data = found[left] + found[right]
        if found.setdefault(merged, data) != data:
            return None
    return None if unk_id in found else EndedWords(singles, found)


def is_character(token: bytes) -> bool:
    """Return whether a token is one character."""
    try:
        return len(token.decode()) == 1
    except UnicodeDecodeError:
        return False
