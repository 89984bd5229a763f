"""Show the progress of reading files on the terminal, with the remaining time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from wordsplit.cli._output import on_terminal
from wordsplit.status_line import StatusLine, bar, clock

if TYPE_CHECKING:
    from wordsplit.corpus import CorpusFile

__all__ = ["ReadingProgress"]

T = TypeVar("T")

_AFTER = 0.5
"""Seconds before the line is shown, so short runs show none."""


class ReadingProgress:
    """The progress line for the files that are being read.

    Args:
        total: Bytes of all files on disk; 0 if that is not known.
        streaming: Whether output is written while files are read. On a terminal the output itself shows the progress.
    """

    def __init__(self, total: int = 0, *, streaming: bool = False) -> None:
        self._total = total
        self._before = 0
        self._began = time.monotonic()
        self._line = StatusLine()
        self._line.enabled &= not (streaming and on_terminal())

    def watch(self, file: CorpusFile, items: Iterator[T]) -> Iterator[T]:
        """Yield the items read from a file, and update the line."""
        if not self._line.enabled:
            yield from items
            return
        try:
            for item in items:
                self._show(file)
                yield item
        finally:
            self._before += file.size
            self._line.clear()

    def _show(self, file: CorpusFile) -> None:
        elapsed = time.monotonic() - self._began
        if elapsed < _AFTER or not self._line.due():
            return
        done = self._before + file.position
        if self._total and done:
            left = elapsed * max(self._total - done, 0) / done
            size = f"{done / 1e6:,.0f} of {self._total / 1e6:,.0f} MB"
            self._line.show(f"{bar(done / self._total)} {clock(left)} left, {size}")
        else:
            self._line.show(f"{done / 1e6:,.1f} MB, {elapsed:.0f} s")
