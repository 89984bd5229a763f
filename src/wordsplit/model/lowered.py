"""Character BPE as byte-level BPE, which the native core runs.

Each character that is a token is made of its bytes by merges that rank before all others. Within a character they never
meet another character's bytes, since no byte that continues a character begins one. So when the first of the model's
own merges is due, the span consists of its characters, and everything after that is the same.

What is left of a character that is no token are bytes and beginnings of other characters. A byte has the id of its byte
token if there is one. Each other one has an id of its own above all others, a virtual id, which the core replaces when
the span is merged: by byte tokens, or by the unknown token (``vocab_tables.hpp``).

CLIP's model sees letters that stand for bytes, and the last one of a word is spelled with a suffix. In its tables these
are the bytes, and a byte that UTF-8 does not have, which the core puts behind each word. The merges of a byte and that
one rank before all others. There is one of them in a word, so that it is done first.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterable
from typing import NamedTuple

from wordsplit.byte_fallback import complete_ids
from wordsplit.byte_level import to_byte_level
from wordsplit.model.character_bpe import CharacterBPE
from wordsplit.tables import MergeList, TokenTable

__all__ = ["Lowered", "can_lower", "lowered"]

_WORD_END = 0xFF  # as in word_map.hpp


class Lowered(NamedTuple):
    """Tables of byte-level BPE that give the ids of a character BPE.

    Attributes:
        tokens: The tokens, of which those from ``first_virtual`` on stand for bytes that are no token.
        merges: The merges that make characters, and then those of the model.
        unreachable_ids: The tokens that no bytes give.
        first_virtual: The first virtual id.
        made_characters: How many of the merges make characters.
    """

    tokens: TokenTable
    merges: MergeList
    unreachable_ids: array[int]
    first_virtual: int
    made_characters: int


def can_lower(model: CharacterBPE) -> bool:
    """Return whether a model can be expressed as byte-level BPE.

    It cannot if it has a prefix or shared ranks, looks whole spans up, lacks some byte tokens (see `complete_ids`), or
    has some that merge; nor if a merge makes the unknown token or a byte token. With a suffix, all bytes must have
    tokens, in the byte-level alphabet, and each token must stand for one sequence of them.
    """
    if model.continuing_subword_prefix or model.ignore_merges or model.ranks is not None:
        return False
    if model.ends_words:
        return model.unk_id is not None and _ended_words(model) is not None
    fallback = complete_ids(model.byte_ids, model.ids_by_bytes)
    if fallback is None:
        return False
    special = _special(model)
    if not special.isdisjoint(model.merges.flat):
        return False
    joined = {model.tokens[i] for i in special}
    tokens = model.tokens
    sizes = set(map(len, joined))
    return not any(
        len(left) + len(right) in sizes and left + right in joined
        for left, right in ((tokens[a], tokens[b]) for a, b in model.merges)
    )


def _special(model: CharacterBPE) -> set[int]:
    """Return the ids for what is no token."""
    return {i for i in (*model.byte_ids, model.unk_id) if i is not None}


def lowered(model: CharacterBPE, space: str) -> Lowered:
    """Return a model as byte-level BPE. It must be one that `can_lower` accepts.

    Args:
        model: The model.
        space: The character that stands for a space in the text of tokens, or ``""``. The result has a space.
    """
    if (found := _ended_words(model)) is not None:
        return _lowered_words(model, found)
    special = _special(model)
    byte_ids = {i: byte for byte, i in enumerate(model.byte_ids) if i is not None}
    mark, blank = space.encode() or b" ", b" "
    tokens = {i: token.replace(mark, blank) for i, token in model.tokens.items()}
    ids = {
        tokens[i]: i for token, i in model.ids_by_bytes.items() if i not in special and not (space and blank in token)
    }
    singles = [token for token in ids if _is_character(token)]
    first_virtual = max(tokens, default=-1) + 1
    virtual = itertools.count(first_virtual)
    for i, byte in byte_ids.items():
        tokens[i] = bytes([byte])
        ids.setdefault(tokens[i], i)
    merges = array("I")
    for single in range(256):
        if bytes([single]) not in ids:
            ids[bytes([single])] = next(virtual)
    for token in singles:
        for end in range(2, len(token) + 1):
            beginning = token[:end]
            if beginning not in ids:
                ids[beginning] = next(virtual)
            elif end < len(token):
                continue  # made for another character
            merges.extend((ids[beginning[:-1]], ids[beginning[-1:]]))
    tokens |= {i: data for data, i in ids.items() if i >= first_virtual}
    made = len(merges) // 2
    reachable = set(ids.values())
    # A token with a space in it has no text where spaces have another spelling.
    lost = {i for i in model.tokens if i not in reachable and i not in special}
    merges.extend(model.merges.without(lost).flat)
    unreachable: Iterable[int] = sorted(i for i in tokens if i not in reachable)
    return Lowered(TokenTable.pack(tokens), MergeList(merges), array("I", unreachable), first_virtual, made)


def _ended_words(model: CharacterBPE) -> dict[int, bytes] | None:
    """Return what the tokens of a model with a suffix stand for, by their ids, with a byte for the suffix.

    Returns:
        The bytes of each token that a text gives; ``None`` if the model has no suffix, lacks a byte, has a merge of
        what no text gives, or a token that stands for several texts.
    """
    suffix = model.end_of_word_suffix
    if not suffix:
        return None
    end = bytes([_WORD_END])
    found: dict[int, bytes] = {}
    for byte in map(bytes, zip(range(_WORD_END), strict=False)):
        letter = to_byte_level(byte)
        for spelled, data in ((letter, byte), (letter + suffix, byte + end)):
            i = model.ids_by_bytes.get(spelled.encode())
            if i is None or found.setdefault(i, data) != data:
                return None
    for (left, right), (_, merged) in model.merge_of.items():
        if left not in found or right not in found or found[left].endswith(end):
            return None
        data = found[left] + found[right]
        if found.setdefault(merged, data) != data:
            return None
    return found


def _lowered_words(model: CharacterBPE, found: dict[int, bytes]) -> Lowered:
    """Return a model with a suffix as byte-level BPE, given what `_ended_words` returns."""
    first_virtual = max(model.tokens) + 1
    tokens = dict(model.tokens) | found | {first_virtual: bytes([_WORD_END])}
    ends = array("I")
    for i, data in found.items():
        if len(data) == 1:
            ends.extend((i, first_virtual))
    unreachable = array("I", sorted(i for i in model.tokens if i not in found))
    merges = MergeList(ends + array("I", model.merges.flat))
    return Lowered(TokenTable.pack(tokens), merges, unreachable, first_virtual, _WORD_END)


def _is_character(token: bytes) -> bool:
    try:
        return len(token.decode()) == 1
    except UnicodeDecodeError:
        return False
