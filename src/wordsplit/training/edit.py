"""Derive a vocab from another: extended, pruned, or with more special tokens."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral
from typing import Any

from wordsplit.errors import OptionsError, UnsupportedVocabError
from wordsplit.training.result import require_all_bytes
from wordsplit.training.settings import literals_of
from wordsplit.training.trainer import BpeTrainer
from wordsplit.vocab import AddedToken, MergeList, Vocab, require_vocab

__all__ = ["add_special_tokens", "extend", "prune"]


def extend(vocab: Vocab, texts: Iterable[str | bytes], vocab_size: int, **options: Any) -> Vocab:
    """Extend a vocab with merges trained on texts; all ids stay. Shorthand for `BpeTrainer.extending` with one corpus.

    Args:
        vocab: The vocab.
        texts: The texts; any iterable.
        vocab_size: The new `Vocab.n_vocab`.
        options: As for `BpeTrainer.extending`.

    Example:
        >>> import wordsplit
        >>> from wordsplit.training import extend
        >>> qwen3 = wordsplit.load_vocab("qwen3")
        >>> larger = extend(qwen3, ["the wordsplits of wordsplit"] * 9, qwen3.n_vocab + 2)
        >>> [larger.tokens[i] for i in (151669, 151670)]
        [b' wordsplit', b' wordsplits']
    """
    return BpeTrainer.extending(vocab, vocab_size, **options).update(texts).train(progress=False)


def prune(vocab: Vocab, n_merges: int) -> Vocab:
    """Create a smaller vocab from the single bytes, the tokens of the first merges, and the added tokens.

    Base tokens that stay keep their ids. Added tokens with higher ids than the base tokens move down, after the last
    remaining base token, with the same gaps between them.

    Args:
        vocab: The vocab.
        n_merges: The number of merges to keep.

    Raises:
        OptionsError: The vocab has fewer merges.
        UnsupportedVocabError: The vocab has no token for some byte, or a token to remove has a role such as bos or eos.

    Example:
        >>> import wordsplit
        >>> from wordsplit.training import prune
        >>> small = prune(wordsplit.load_vocab("qwen3"), 10_000)
        >>> small.n_base, small.n_vocab, small.special_tokens["<|im_end|>"]
        (10256, 10282, 10258)
    """
    require_all_bytes(vocab)
    if not isinstance(n_merges, Integral) or not 0 <= n_merges <= len(vocab.merges):
        raise OptionsError(f"n_merges={n_merges!r}: {vocab.name} has {len(vocab.merges)}; give a number up to that")
    ids = vocab.ids_by_bytes
    flat = array("I", vocab.merges.flat[: 2 * n_merges])
    kept = {ids[bytes([byte])] for byte in range(256)}
    for left, right in zip(flat[::2], flat[1::2], strict=True):
        kept.add(ids[vocab.tokens[left] + vocab.tokens[right]])
    last_before, last = max(vocab.tokens), max(kept)
    moved = {token.id: token.id - (last_before - last) for token in vocab.added_tokens if token.id > last_before}

    def moved_id(old: int) -> int:
        if old in vocab.tokens and old not in kept and old not in added_ids:
            raise UnsupportedVocabError(
                f"token {old} ({vocab.tokens[old]!r:.60}) is a role token of the vocab, such as eos; keep more merges",
                file=vocab.source,
                field="merges",
            )
        return moved.get(old, old)

    added_ids = {token.id for token in vocab.added_tokens}
    named = {name: getattr(vocab, name) for name in ("eos_token_id", "bos_token_id", "pad_token_id")}
    return vocab.replace(
        tokens={i: token for i, token in vocab.tokens.items() if i in kept},
        merges=MergeList(flat) if vocab.has_explicit_merges else None,
        unreachable_ids=(),
        added_tokens=[replace(token, id=moved.get(token.id, token.id)) for token in vocab.added_tokens],
        prefix_ids=[moved_id(i) for i in vocab.prefix_ids],
        suffix_ids=[moved_id(i) for i in vocab.suffix_ids],
        pair_template=vocab.pair_template
        and [replace(part, ids=tuple(map(moved_id, part.ids))) for part in vocab.pair_template],
        role_ids={role: moved_id(i) for role, i in vocab.role_ids.items()},
        **{name: None if i is None else moved_id(i) for name, i in named.items()},
    )


def add_special_tokens(vocab: Vocab, special_tokens: Iterable[str]) -> Vocab:
    """Add special tokens to a vocab. Their ids follow its last id.

    Raises:
        OptionsError: One of them is already a token.

    Example:
        >>> import wordsplit
        >>> from wordsplit.training import add_special_tokens
        >>> vocab = add_special_tokens(wordsplit.load_vocab("qwen3"), ["<|user|>", "<|bot|>"])
        >>> wordsplit.TokenizerOptions().build(vocab).encode("<|user|>hello<|bot|>")
        [151669, 14990, 151670]
    """
    require_vocab(vocab)
    literals = literals_of(special_tokens)
    known = {token.content: token.id for token in vocab.added_tokens}
    for literal in literals:
        found = known.get(literal, vocab.ids_by_bytes.get(literal.encode()))
        if found is not None:
            raise OptionsError(f"special_tokens: {literal!r} is token {found} of {vocab.name} already")
    added = [AddedToken(literal, vocab.n_vocab + at) for at, literal in enumerate(literals)]
    return vocab.replace(added_tokens=[*vocab.added_tokens, *added])
