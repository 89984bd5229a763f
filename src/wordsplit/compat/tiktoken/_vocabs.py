"""Vocabs for an `Encoding`: its tokens and its pattern. The encoding finds special tokens itself."""

from __future__ import annotations

from collections.abc import Mapping

from wordsplit.errors import VocabFormatError
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.rules import Split
from wordsplit.vocab import Vocab

__all__ = ["ranked_vocab", "without_pattern", "without_specials"]

_TILING = {steps[0].pattern: steps for steps in SCHEMES.values() if len(steps) == 1}


def ranked_vocab(name: str, pattern: str, ranks: Mapping[bytes, int]) -> Vocab:
    """Make a vocab of mergeable ranks and a pattern.

    Raises:
        VocabFormatError: Two tokens have the same rank.
    """
    tokens = {rank: token for token, rank in ranks.items()}
    if len(tokens) < len(ranks):
        raise VocabFormatError(f"{len(ranks)} tokens share {len(tokens)} ranks", field="mergeable_ranks")
    steps = _TILING.get(pattern)
    if steps is None:  # text between matches is dropped, so that only the matches are spans
        steps = (Split(pattern, "removed", invert=True, dialect="tiktoken"),)
    return Vocab(name=name, tokens=tokens, pre_tokenizer=steps, ignore_merges=True)


def without_specials(vocab: Vocab) -> Vocab:
    """Return the vocab without added tokens."""
    return vocab.replace(added_tokens=(), eos_token_id=None, bos_token_id=None, pad_token_id=None, role_ids=None)


def without_pattern(vocab: Vocab) -> Vocab:
    """Return the vocab without a pattern, and without look-up of whole spans."""
    return vocab.replace(pre_tokenizer=(), ignore_merges=False)
