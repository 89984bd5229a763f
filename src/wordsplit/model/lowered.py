"""Character BPE as byte-level BPE, which the native core runs.

Each character that is a token is built from its bytes by merges that rank before all others. Within a character they
never involve another character's bytes, because no continuation byte begins a character. So when the first of the
model's own merges is due, the span consists of its characters, and everything after that is the same.

A character that is not a token remains as bytes and prefixes of other characters. A byte has the id of its byte token
if there is one. Each other symbol has a virtual id above all others, which the core replaces when the span is merged:
by byte tokens, or by the unknown token (``vocab_tables.hpp``).

A model with a suffix, such as GPT-1's, spells the last character of a word with it. In its tables the suffix is a byte
that UTF-8 does not have, which the core puts after each word. Merges of that byte and whatever a character may have
become, also where it is not a token, follow those that make characters. There is one such byte in a word, so that it is
done before the model's own merges. CLIP's model is of this kind, but sees letters that stand for bytes: in its tables
these are the bytes.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wordsplit.byte_fallback import complete_ids
from wordsplit.model.character_bpe import CharacterBPE
from wordsplit.model.ended_words import WORD_END, EndedWords, is_character
from wordsplit.tables import MergeList, TokenTable, made_by_merges

__all__ = ["Lowered", "can_lower", "lowered"]

_LONGEST_CHARACTER = 4  # in UTF-8


class Lowered(NamedTuple):
    """Tables of byte-level BPE that give the ids of a character BPE.

    Attributes:
        tokens: The tokens, of which those from ``first_virtual`` on stand for bytes that are no token.
        merges: The merges that make characters, and then those of the model.
        unreachable_ids: The tokens that no bytes produce.
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
    has some that merge; nor if a merge makes the unknown token or a byte token. One with a suffix must have no byte
    tokens, and each of its tokens must stand for one text; if these are of letters that stand for bytes, it needs an
    unknown token.
    """
    if model.continuing_subword_prefix or model.ignore_merges or model.ranks is not None:
        return False
    if model.ends_words:
        return model.ended_words is not None
    fallback = complete_ids(model.byte_ids, model.ids_by_bytes)
    if fallback is None:
        return False
    special = _special(model)
    if model.merges.parts_among(special):
        return False
    return not made_by_merges({model.tokens[i] for i in special}, model.tokens, model.merges)


def _special(model: CharacterBPE) -> set[int]:
    """Return the ids for symbols that are not tokens."""
    return {i for i in (*model.byte_ids, model.unk_id) if i is not None}


def lowered(model: CharacterBPE, space: str) -> Lowered:
    """Return a model as byte-level BPE. It must be one that `can_lower` accepts.

    Args:
        model: The model.
        space: The character that stands for a space in the text of tokens, or ``""``. The result has a space, which
            no token of the model has then (`Vocab.space_mark`).
    """
    if (words := model.ended_words) is not None:
        return _lowered_words(model, words)
    special = _special(model)
    mark = space.encode() or b" "
    ids = {
        token.replace(mark, b" "): i
        for token, i in model.ids_by_bytes.items()
        if len(token) <= _LONGEST_CHARACTER and i not in special
    }
    singles = [token for token in ids if is_character(token)]
    table = model.token_table.replace(mark, b" ") if space else model.token_table
    changes = {i: bytes([byte]) for byte, i in enumerate(model.byte_ids) if i is not None}
    for i, byte in changes.items():
        ids.setdefault(byte, i)
    first_virtual = max(table.ids[-1:], default=-1) + 1
    merges = _made_of_bytes(singles, ids, itertools.count(first_virtual))
    made = len(merges) // 2
    reachable = (set(model.ids_by_bytes.values()) - special).union(ids.values())
    dead = [i for i in table if i not in reachable]
    merges.extend(model.merges.without(set(dead) - special).flat)
    tokens = table.changed(changes | {i: data for data, i in ids.items() if i >= first_virtual})
    return Lowered(tokens, MergeList(merges), array("I", dead), first_virtual, made)


def _made_of_bytes(singles: Iterable[bytes], ids: dict[bytes, int], virtual: Iterator[int]) -> array[int]:
    """Return the merges that make characters of their bytes. Bytes and beginnings without an id get a virtual one."""
    merges = array("I")
    for byte in range(256):
        if bytes([byte]) not in ids:
            ids[bytes([byte])] = next(virtual)
    for single in singles:
        for end in range(2, len(single) + 1):
            beginning = single[:end]
            if beginning not in ids:
                ids[beginning] = next(virtual)
            elif end < len(single):
                continue  # made for another character
            merges.extend((ids[beginning[:-1]], ids[beginning[-1:]]))
    return merges


def _lowered_words(model: CharacterBPE, words: EndedWords) -> Lowered:
    """Return a model with a suffix as byte-level BPE."""
    first_virtual = max(model.tokens) + 1
    virtual = itertools.count(first_virtual)
    ids = {data: i for i, data in words.found.items()} | {WORD_END: next(virtual)}
    merges = _made_of_bytes(sorted(words.singles), ids, virtual)
    own = words.found.keys()
    symbols = {data for data, i in ids.items() if i not in own or data in words.singles}
    for data in sorted(symbols - {WORD_END}):
        if data + WORD_END not in ids:
            ids[data + WORD_END] = next(virtual)
        merges.extend((ids[data], ids[WORD_END]))
    made = len(merges) // 2
    tokens = dict(model.tokens) | {i: data for data, i in ids.items()}
    unreachable = array("I", sorted(i for i in model.tokens if i not in own))
    merges.extend(model.merges.flat)
    return Lowered(TokenTable.pack(tokens), MergeList(merges), unreachable, first_virtual, made)
