"""The buffers that a worker reads and encodes into, reused for every batch, input and unit.

New memory costs a page fault for each page and is cleared by the system: for JSON Lines, a twentieth of the time of a
unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordsplit import _native
    from wordsplit.corpus.reading import Reading

__all__ = ["Workspace"]


class Workspace:
    """The memory for one unit at a time. It is not shared by threads, except for one that reads ahead.

    Args:
        reading: How all inputs are read.

    Attributes:
        lists: The destination of encoding.
        lines: The reader of JSON Lines.
        buffers: The buffers that no `wordsplit.corpus.blocks.Window` is using.
    """

    def __init__(self, reading: Reading) -> None:
        from wordsplit import _native  # noqa: PLC0415 - the pure-Python build has none

        self.lists: _native.TokenLists = _native.TokenLists()
        self.lines: _native.JsonLines = _native.JsonLines(
            reading.text_field, reading.id_field or "", reading.keep_empty, reading.keep_null
        )
        self.buffers: list[bytearray] = []
