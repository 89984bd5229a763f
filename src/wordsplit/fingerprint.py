"""What makes two vocabs the same, as one number."""

from __future__ import annotations

import hashlib
import sys
from array import array
from dataclasses import asdict
from typing import TYPE_CHECKING

from wordsplit.rules import canonical

if TYPE_CHECKING:
    from wordsplit.tables import Words
    from wordsplit.vocab import Vocab

__all__ = ["fingerprint"]


def fingerprint(vocab: Vocab) -> str:
    """The sha256 of all that decides ids and text, in hex; see `Vocab.fingerprint`."""
    digest = hashlib.sha256(b"wordsplit vocab 1\n")
    added = [asdict(token) for token in vocab.added_tokens]
    steps = [canonical(step) for step in vocab.pre_tokenizer]
    rules = (steps, added, vocab.normalizer, vocab.ignore_merges, vocab.add_prefix_space)
    digest.update(repr((rules, vocab.prefix_ids, vocab.suffix_ids, sorted(vocab.literal_ids))).encode())
    for words in (vocab.tokens.ids, vocab.tokens.ends, vocab.merges.flat):
        digest.update(f"\n{len(words)}\n".encode())
        digest.update(words if sys.byteorder == "little" else _swapped(words))
    digest.update(vocab.tokens.blob)
    return digest.hexdigest()


def _swapped(words: Words) -> array[int]:
    out = array("I", words.tobytes())
    out.byteswap()
    return out
