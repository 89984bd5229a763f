"""Split blocks into lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["lines_of"]


def lines_of(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines of any length, each with its line feed. None is empty.

    Example:
        >>> list(lines_of([b"a", b"b\\r\\nc\\n", b"\\nd"]))
        [b'ab\\r\\n', b'c\\n', b'\\n', b'd']
    """
    held: list[bytes] = []
    for block in blocks:
        *whole, rest = block.split(b"\n")
        for line in whole:
            yield b"".join([*held, line, b"\n"])
            held.clear()
        if rest:
            held.append(rest)
    if held:
        yield b"".join(held)
