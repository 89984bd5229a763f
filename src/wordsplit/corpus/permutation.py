"""Random permutations of any length, in constant memory."""

from __future__ import annotations

import hashlib

from wordsplit.arguments import check_integers

__all__ = ["Permutation"]

_ROUNDS = 6
_ROUNDS_OF_FEW = 16
"""Rounds up to `_FEW` items: halves of few bits mix less. With 6, some permutations of 5 items are 7 % too frequent."""
_FEW = 1 << 12
_WORD = (1 << 64) - 1


class Permutation:
    """A random permutation of ``range(length)``, each item of which is computed on request.

    It is a Feistel network on the bits of an index, with keys from SHA-256 of the seed and the length. A result that is
    not below the length is permuted again; on average that takes less than two passes. The same seed and length give
    the same permutation on every machine and in every version.

    Args:
        length: The number of items, at most 2**64.
        seed: Any integer.

    Raises:
        OptionsError: The seed is something else.

    Example:
        >>> order = Permutation(10, seed=1)
        >>> [order[i] for i in range(10)]
        [2, 8, 3, 0, 6, 1, 4, 7, 5, 9]
    """

    def __init__(self, length: int, seed: int) -> None:
        check_integers(seed=seed)
        self.length = length
        bits = max(length - 1, 0).bit_length()
        self._low = bits // 2
        self._low_mask = (1 << self._low) - 1
        self._high_mask = (1 << (bits - self._low)) - 1
        rounds = _ROUNDS_OF_FEW if length <= _FEW else _ROUNDS
        digests = (hashlib.sha256(f"{seed},{length},{i}".encode()).digest() for i in range(rounds))
        self._keys = tuple(int.from_bytes(digest[:8], "little") for digest in digests)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, at: int) -> int:
        """Return an item; ``at`` is from 0 to below the length."""
        low, low_mask, high_mask, length = self._low, self._low_mask, self._high_mask, self.length
        while True:
            left, right = at >> low, at & low_mask
            keys = iter(self._keys)
            for key in keys:
                left ^= _mixed(right, key) & high_mask
                right ^= _mixed(left, next(keys)) & low_mask
            at = left << low | right
            if at < length:
                return at


def _mixed(value: int, key: int) -> int:
    """Return 32 bits that depend on all bits of a value and a key."""
    value = (value + key) * 0x9E3779B97F4A7C15 & _WORD
    value = (value ^ value >> 32) * 0xD6E8FEB86659FD93 & _WORD
    return value >> 32
