"""Vocabs for an `Encoding`: its tokens and its pattern. The encoding finds special tokens itself."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from operator import index
from typing import Any

from wordsplit.errors import VocabFormatError
from wordsplit.patterns.schemes import TABLE
from wordsplit.rules import Split
from wordsplit.tables import MAX_ID, TokenTable
from wordsplit.vocab import Vocab

__all__ = ["ranked_vocab", "special_ids", "without_pattern", "without_specials"]

# Of the patterns that have a scanner, which match every character.
_KNOWN = {row.steps[0].pattern: row.steps for row in TABLE.values() if row.scanner and len(row.steps) == 1}


def ranked_vocab(name: str, pattern: str, ranks: Mapping[bytes, int]) -> Vocab:
    """Make a vocab of mergeable ranks and a pattern.

    Raises:
        VocabFormatError: Two tokens have the same rank, or a rank is negative or too large.
    """
    return Vocab(name=name, tokens=_packed(ranks), pre_tokenizer=_steps(name, pattern), ignore_merges=True)


def special_ids(special_tokens: Mapping[Any, Any]) -> dict[str, int]:
    """Return the special tokens and their ids, as integers of Python.

    Raises:
        VocabFormatError: Something in them is not a string and an id of 32 bits.
    """
    for content, token_id in special_tokens.items():
        if not isinstance(content, str) or not hasattr(token_id, "__index__") or not 0 <= token_id < 1 << 32:
            raise VocabFormatError(
                f"{content!r:.100}: {token_id!r:.100} is not a string and its id", field="special_tokens"
            )
    return {content: index(token_id) for content, token_id in special_tokens.items()}


def _packed(ranks: Mapping[bytes, int]) -> Mapping[int, bytes]:
    with suppress(ImportError):  # pure-Python builds lack it
        from wordsplit import _native  # noqa: PLC0415 - as above

        found = _native.pack_ranks(ranks, MAX_ID) if isinstance(ranks, dict) else None
        if found is not None:
            return TokenTable.of_bytes(*found)
    tokens = {rank: token for token, rank in ranks.items()}
    if len(tokens) < len(ranks):
        raise VocabFormatError(f"{len(ranks)} tokens share {len(tokens)} ranks", field="mergeable_ranks")
    wrong = next((rank for rank in tokens if not 0 <= rank <= MAX_ID), None)
    if wrong is not None:
        raise VocabFormatError(f"{wrong} is not a rank from 0 to {MAX_ID}", field="mergeable_ranks")
    return tokens


def _steps(name: str, pattern: str) -> tuple[Split, ...]:
    known = _KNOWN.get(pattern)
    if known is not None:
        return known
    # Imported late: most patterns are known.
    from wordsplit.patterns.coverage import matches_every_character  # noqa: PLC0415
    from wordsplit.patterns.syntax import parse  # noqa: PLC0415

    if matches_every_character(parse(pattern, "tiktoken", source=name)):
        return (Split(pattern, dialect="tiktoken"),)
    # Text between matches is dropped, so that only the matches are spans.
    return (Split(pattern, "removed", invert=True, dialect="tiktoken"),)


def without_specials(vocab: Vocab) -> Vocab:
    """Return the vocab without added tokens."""
    return vocab.replace(added_tokens=(), eos_token_id=None, bos_token_id=None, pad_token_id=None, role_ids=None)


def without_pattern(vocab: Vocab) -> Vocab:
    """Return the vocab without a pattern, and without look-up of whole spans."""
    return vocab.replace(pre_tokenizer=(), ignore_merges=False)
