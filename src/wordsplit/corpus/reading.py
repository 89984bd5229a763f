"""Settings for reading inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Reading"]


class Reading(NamedTuple):
    """Settings for reading inputs.

    Attributes:
        terminator: The terminator of a document of plain text; ``None`` if a file is one document.
        text_field: The field or column with the text.
        id_field: The field or column with the name, or ``None``.
        keep_empty: Whether empty documents are in the column.
        block: The bytes of text to read at a time.
        most: The maximum size of a document that must be in memory as a whole.
        last_cut: Returns the last position where a text, and so its ids, can be cut, or ``None``: where the part before
            ends, and where the part after begins.
        keep_null: Whether null is in the column, as an empty document.
    """

    terminator: bytes | None
    text_field: str
    id_field: str | None
    keep_empty: bool
    block: int
    most: int
    last_cut: Callable[[memoryview], tuple[int, int] | None]
    keep_null: bool
