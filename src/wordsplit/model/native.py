"""The look-up tables of the native core for each model."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wordsplit.byte_fallback import complete_ids
from wordsplit.model.base import Model
from wordsplit.model.byte_level_bpe import ByteLevelBPE
from wordsplit.model.character_bpe import CharacterBPE
from wordsplit.model.lowered import can_lower, lowered
from wordsplit.model.unigram import Unigram
from wordsplit.model.word_level import WordLevel
from wordsplit.model.word_piece import WordPiece
from wordsplit.tables import MergeList, TokenTable

if TYPE_CHECKING:
    from wordsplit import _native

    _Found = tuple[_native.VocabTables, MergeList]

__all__ = ["is_native", "native_tables", "native_tables_and_merges"]


def is_native(model: Model) -> bool:
    """Return whether the native core can run a model."""
    if isinstance(model, CharacterBPE):
        return can_lower(model)
    if isinstance(model, Unigram):
        return model.unk_id is not None and complete_ids(model.byte_ids, model.ids_by_bytes) is not None
    if isinstance(model, WordPiece):
        return model.unk_id is not None and len(model.continuing_subword_prefix.encode()) <= _LONGEST_PREFIX
    if isinstance(model, ByteLevelBPE):
        return _has_native_bytes(model)
    if not isinstance(model, WordLevel) or model.unk_id is None:
        return False
    fallback = complete_ids(model.byte_ids, model.ids_by_bytes)
    return fallback is not None and len(model.word_start.encode()) <= _LONGEST_PREFIX


def _has_native_bytes(model: ByteLevelBPE) -> bool:
    """Return whether the core has the model's rule for missing bytes: no byte fallback, no merge of unknown bytes."""
    missing = model.missing_bytes
    if missing is None:
        return True
    merges_unknown = missing.unk_id is not None and model.merges.parts_among({missing.unk_id})
    return not missing.byte_fallback and not merges_unknown


def native_tables(model: Model, space: str) -> _native.VocabTables:
    """Return the tables of a model, which are made once.

    Args:
        model: The model, one that `is_native` accepts.
        space: The character that stands for a space in the text of tokens, or ``""``. The tables have a space.

    Raises:
        ValueError: A merge names or makes no token.
    """
    if space not in model.native_tables:
        native_tables_and_merges(model, space)
    return model.native_tables[space]


def native_tables_and_merges(model: Model, space: str) -> tuple[_native.VocabTables, MergeList]:
    """Make the tables of a model, and return them and the merges that they were made from; see `native_tables`."""
    found: _Found = _TABLES[type(model)](model, space)
    model.native_tables[space] = found[0]
    return found


_LONGEST_PREFIX = 64


def _byte_level(model: ByteLevelBPE, _: str) -> _Found:
    from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it

    table, unreachable, missing = model.tokens, array("I", sorted(model.unreachable_ids)), model.missing_bytes
    live = model.merges_are_live or model.explicit_merges is None  # those that are derived are
    rules = _native.ModelRules("bytes", None if missing is None else missing.unk_id)
    if missing is not None:
        rules.set_missing()
        rules.fuse_unk = int(missing.fuse_unk)
    tables = _native.VocabTables(table.blob, table.ends, table.ids, model.merges.flat, unreachable, live, rules)
    return tables, model.merges


def _character(model: CharacterBPE, space: str) -> _Found:
    from wordsplit import _native  # noqa: PLC0415 - as above

    found = lowered(model, space)
    rules = _native.ModelRules("characters", model.unk_id, _fallback(model))
    rules.first_virtual, rules.made_characters = found.first_virtual, found.made_characters
    rules.fuse_unk = int(model.fuse_unk)
    if model.drops_characters:
        rules.set_missing()
    table = found.tokens
    tables = _native.VocabTables(
        table.blob, table.ends, table.ids, found.merges.flat, found.unreachable_ids, model=rules
    )
    return tables, found.merges


def _unigram(model: Unigram, space: str) -> _Found:
    from wordsplit import _native  # noqa: PLC0415 - as above

    rules = _native.ModelRules("unigram", model.unk_id, _fallback(model))
    rules.single_precision = int(model.single_precision)
    rules.unknown_score = model.unknown_score
    scores = array("d", map(model.path_scores.__getitem__, model.tokens.ids))
    return _plain(model, space, rules, scores=scores)


def _word_piece(model: WordPiece, space: str) -> _Found:
    from wordsplit import _native  # noqa: PLC0415 - as above

    rules = _native.ModelRules("word_piece", model.unk_id)
    rules.most_characters = model.max_input_chars_per_word
    rules.set_prefix(model.continuing_subword_prefix.encode())
    return _plain(model, space, rules)


def _word_level(model: WordLevel, space: str) -> _Found:
    from wordsplit import _native  # noqa: PLC0415 - as above

    rules = _native.ModelRules("word_level", model.unk_id, _fallback(model))
    rules.set_prefix(model.word_start.encode())
    return _plain(model, space, rules)


def _plain(model: Model, space: str, rules: _native.ModelRules, **more: Any) -> _Found:
    """Return the tables of a model without merges."""
    from wordsplit import _native  # noqa: PLC0415 - as above

    table: TokenTable = model.tokens
    reachable = set(model.ids_by_bytes.values())
    if space:
        table = table.replace(space.encode(), b" ")
    unreachable = array("I", [i for i in table if i not in reachable])
    merges = MergeList(array("I"))
    tables = _native.VocabTables(table.blob, table.ends, table.ids, merges.flat, unreachable, model=rules, **more)
    return tables, merges


def _fallback(model: CharacterBPE | Unigram | WordLevel) -> list[int]:
    return complete_ids(model.byte_ids, model.ids_by_bytes) or []


_TABLES: dict[type, Callable[[Any, str], Any]] = {
    ByteLevelBPE: _byte_level,
    CharacterBPE: _character,
    Unigram: _unigram,
    WordPiece: _word_piece,
    WordLevel: _word_level,
}
