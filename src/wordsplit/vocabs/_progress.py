"""How far a download is, on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

__all__ = ["with_progress"]

_WIDTH = 24
_SECONDS = 0.1


def with_progress(chunks: Iterable[bytes], label: str, size: int | None) -> Iterator[bytes]:
    """The chunks; while they come, a line on standard error shows how far they are, if that is a terminal."""
    if not sys.stderr.isatty():
        yield from chunks
        return
    done, shown = 0, 0.0
    try:
        for chunk in chunks:
            done += len(chunk)
            if time.monotonic() - shown > _SECONDS:
                shown = time.monotonic()
                _line(f"{label}  {_bar(done, size)}")
            yield chunk
    finally:
        _line("")


def _bar(done: int, size: int | None) -> str:
    if not size:
        return f"{done / 1e6:.1f} MB"
    full = min(_WIDTH, _WIDTH * done // size)
    return f"[{'#' * full}{' ' * (_WIDTH - full)}] {done / 1e6:.1f} of {size / 1e6:.1f} MB"


def _line(text: str) -> None:
    sys.stderr.write(f"\r\033[K{text}")
    sys.stderr.flush()
