"""Write ids in the type of a corpus, in pieces that stay in the processor's cache."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordsplit.arrays import numpy
from wordsplit.corpus.formats.output import Output
from wordsplit.errors import InvalidTokenIdError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["IdOutput", "checked", "little_endian"]

_PIECE = 1 << 16
"""Ids checked, converted, hashed and written at once: 256 KiB, so that all four steps find them in the L2 cache."""


def little_endian(dtype: str) -> np.dtype[Any]:
    """Return a type of ids as stored in files.

    Example:
        >>> little_endian("uint16").str
        '<u2'
    """
    return numpy().dtype(dtype).newbyteorder("<")  # type: ignore[no-any-return]


def checked(ids: npt.NDArray[Any], limit: int, dtype: str) -> None:
    """Check that a type can hold all ids.

    Raises:
        InvalidTokenIdError: It cannot hold the largest.
    """
    if len(ids) and (largest := int(ids.max())) > limit:
        raise InvalidTokenIdError(
            f"id {largest} does not fit into {dtype}, which ends at {limit:,}; the corpus needs a wider type"
        )


class IdOutput(Output):
    """A file of ids of one type, little-endian.

    Args:
        path: The file.
        dtype: ``"uint16"``, ``"uint32"`` or ``"int32"``.
    """

    def __init__(self, path: Path, dtype: str) -> None:
        np = numpy()
        self._dtype = dtype
        self._limit = int(np.iinfo(dtype).max)
        # An int32 that is not negative has the bytes of the uint32.
        self._buffer: npt.NDArray[Any] = np.empty(_PIECE, f"<u{np.dtype(dtype).itemsize}")
        super().__init__(path)

    def put(self, ids: npt.NDArray[Any]) -> None:
        """Append ids of any integer type, none of them negative.

        Raises:
            InvalidTokenIdError: The type of the file cannot hold one of them. Those before it may already be written.
        """
        np = numpy()
        if ids.dtype.kind == "i":
            ids = ids.view(f"{ids.dtype.byteorder}u{ids.dtype.itemsize}")
        same = ids.dtype == self._buffer.dtype and ids.flags.c_contiguous
        may_exceed = int(np.iinfo(ids.dtype).max) > self._limit
        for start in range(0, len(ids), _PIECE):
            piece = ids[start : start + _PIECE]
            if may_exceed:
                checked(piece, self._limit, self._dtype)
            if not same:
                converted = self._buffer[: len(piece)]
                np.copyto(converted, piece, casting="unsafe")
                piece = converted
            self.write(piece)
