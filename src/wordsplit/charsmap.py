"""The character maps of SentencePiece (``precompiled_charsmap``): a trie of byte strings, and a replacement for each.

The format: the size of the trie in bytes as a 32-bit number, the trie as an array of 32-bit units, and the
replacements, each of which ends at a NUL. All numbers are little-endian. The trie is a double array in the layout of
Darts-clone. The children of a node are the units at ``base ^ byte``, where ``base`` is the node's index ^ its offset. A
unit has these bits:

* 0-7: the byte that leads to it; bit 31 is 0. The unit at ``base`` itself is the value of the key that ends here: its
  bit 31 is 1, and the others are where the replacement begins;
* 8: whether a key ends here;
* 9: whether the offset is shifted left by eight more bits;
* 10-30: the offset.
"""

from __future__ import annotations

import base64
import binascii
import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordsplit import _native

__all__ = ["CharacterMap"]

_KEY_ENDS = 1 << 8
_VALUE = (1 << 31) - 1
_LABEL = 1 << 31 | 0xFF
_LONGEST = 64
_MOST_PATHS = 1 << 22
_BYTES = [bytes([byte]) for byte in range(256)]
_INNER_BYTES = frozenset(bytes([byte]) for byte in range(0x80, 0xC0))  # of a character in UTF-8


class CharacterMap:
    """A character map that has been checked: no look-up leaves its tables.

    Args:
        encoded: Its base64.

    Raises:
        ValueError: It is damaged.
    """

    def __init__(self, encoded: str) -> None:
        try:
            data = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):  # ValueError: characters that are not ASCII
            raise ValueError("it is not base64") from None
        if len(data) < 4:
            raise ValueError(f"it has {len(data)} bytes, too few for the size of its trie")
        (size,) = struct.unpack_from("<I", data)
        if size < 4 or size > len(data) - 4:
            raise ValueError(f"its trie has {size} of the {len(data) - 4} bytes that follow")
        self._units = array("I", data[4 : 4 + size - size % 4])
        if sys.byteorder == "big":
            self._units.byteswap()
        self._replacements = data[4 + size - size % 4 :]
        try:
            self._replacements.decode()
        except UnicodeDecodeError as error:
            raise ValueError(f"its replacements are not UTF-8 at byte {error.start}") from None
        try:
            from wordsplit._native import CharacterTrie  # noqa: PLC0415 - pure-Python builds lack it
        except ImportError:
            self._check()
        else:
            self._trie = CharacterTrie(self._units, self._replacements)  # which makes the same checks

    def keys(self, spaces: Sequence[str], *, most_bytes: int = 0, marks_are_text: bool = False) -> _native.MapKeys:
        """Return what the keys are, which the native core finds quickly.

        Args:
            spaces: What becomes a space of the core in the replacements.
            most_bytes: The most bytes of keys that replace clusters; 0 for all keys of several characters.
            marks_are_text: Whether replacements may have U+2581, which else stands for a space.
        """
        return self._trie.keys(list(spaces), most_bytes, marks_are_text)

    def put_in(self, rules: _native.WordRules, spaces: Sequence[str]) -> None:
        """Have rules of words replace clusters by this map, with what becomes a space as for `keys`."""
        rules.set_clusters(self._trie, list(spaces))

    def find(self, text: bytes) -> str | None:
        """Return the replacement of the shortest key with which ``text`` begins."""
        units = self._units
        base = _offset(units[0])
        for byte in text:
            if not byte:
                return None
            at = base ^ byte
            unit = units[at]
            if unit & _LABEL != byte:
                return None
            base = at ^ _offset(unit)
            if unit & _KEY_ENDS:
                return self._replacement(units[base] & _VALUE)
        return None

    def items(self) -> Iterator[tuple[bytes, str]]:
        """Yield each key and its replacement."""
        units = self._units
        children: dict[int, list[tuple[bytes, int, int]]] = {}  # by base: the byte, its base, and where its value is
        for at, unit in enumerate(units):
            byte = unit & _LABEL
            if 0 < byte < 256:
                base = at ^ _offset(unit)
                value = units[base] & _VALUE if unit & _KEY_ENDS and base < len(units) else -1
                children.setdefault(at ^ byte, []).append((_BYTES[byte], base, value))
        replacements: dict[int, str] = {}  # there are far fewer than keys
        pending = [(_offset(units[0]), b"")]
        while pending:
            base, before = pending.pop()
            if len(before) == _LONGEST:
                continue  # no text has what is longer
            for last, below, value in children.get(base, ()):
                key = before + last
                if value >= 0:
                    text = replacements.get(value)
                    if text is None:
                        text = replacements[value] = self._replacement(value)
                    yield key, text
                if below in children:
                    pending.append((below, key))

    def _replacement(self, start: int) -> str:
        end = self._replacements.find(b"\0", start)
        return self._replacements[start : None if end < 0 else end].decode()

    def _check(self) -> None:
        """Check all nodes that a look-up can reach.

        Raises:
            ValueError: A node has children outside the trie or leads back to itself, there are millions of keys, or a
                replacement begins within a character.
        """
        below: dict[int, list[int]] = {}  # the bases of the nodes below each, by its base
        for at, unit in enumerate(self._units):
            byte = unit & _LABEL
            if 0 < byte < 256:
                below.setdefault(at ^ byte, []).append(at ^ _offset(unit))
        reached = self._reached(below)
        for at, unit in enumerate(self._units):
            byte = unit & _LABEL
            if 0 < byte < 256 and unit & _KEY_ENDS and at ^ byte in reached:
                self._check_value(at ^ _offset(unit))

    def _reached(self, below: dict[int, list[int]]) -> dict[int, int]:
        """Return how many paths there are from each node that a look-up can reach. Several may share a node."""
        pending = [_offset(self._units[0])]
        paths: dict[int, int] = {}  # -1 until it is known
        while pending:
            base = pending[-1]
            nodes = below.get(base, ())
            if base in paths:  # and all below it are done
                pending.pop()
                paths[base] = sum([1 + paths[node] for node in nodes])
                if paths[base] > _MOST_PATHS:
                    raise ValueError(f"its trie has more than {_MOST_PATHS:,} keys")
                continue
            paths[base] = -1
            if base | 0xFF >= len(self._units):
                raise ValueError(
                    f"a node of its trie has children at {base}, and the trie has {len(self._units)} units"
                )
            for node in nodes:
                known = paths.get(node)
                if known is None:
                    pending.append(node)
                elif known < 0:
                    raise ValueError(f"the node of its trie with children at {node} leads back to itself")
        return paths

    def _check_value(self, at: int) -> None:
        if at >= len(self._units):
            raise ValueError(f"a value of its trie is at {at}, and the trie has {len(self._units)} units")
        start = self._units[at] & _VALUE
        if start > len(self._replacements) or self._replacements[start : start + 1] in _INNER_BYTES:
            raise ValueError(f"a replacement begins at byte {start}, where no character does")


def _offset(unit: int) -> int:
    return unit >> 10 << ((unit & 1 << 9) >> 6)
