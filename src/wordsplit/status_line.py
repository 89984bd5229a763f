"""A line on a terminal that is written over and over: how far something is.

It is cut to the terminal's width: a line that wraps could not be written over, and would be repeated.
"""

from __future__ import annotations

import os
import sys
import time

__all__ = ["StatusLine", "bar", "clear_line"]

_SECONDS = 0.1
_WIDTH = 10
_USUAL = 80


class StatusLine:
    """The last line of the terminal that standard error is; if it is none, nothing is written.

    As a context manager it clears the line at the end.

    Args:
        seconds: How long the line stays at least, whatever is shown in the meantime.
    """

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        self._shown = 0.0
        self.enabled: bool = sys.stderr.isatty()

    def due(self) -> bool:
        """Whether `show` would write: texts that take long to make can be left unmade."""
        return self.enabled and time.monotonic() - self._shown >= self._seconds

    def show(self, text: object) -> None:
        """Write a text over the last one."""
        if not self.due():
            return
        self._shown = time.monotonic()
        _write(cut_to(str(text), _columns() - 1))

    def clear(self) -> None:
        """Leave an empty line."""
        clear_line()
        self._shown = 0.0

    def __enter__(self) -> StatusLine:  # noqa: PYI034 - Self came with Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()


def clear_line() -> None:
    """Clear the line that is on the terminal, if there is one: before a message, from wherever it comes."""
    if _Terminal.shown:
        _write("")


class _Terminal:
    """What is on the terminal.

    Attributes:
        shown: Whether there is a line to be cleared.
    """

    shown = False


def _write(text: str) -> None:
    sys.stderr.write(f"\r\033[K{text}")
    sys.stderr.flush()
    _Terminal.shown = bool(text)


def _columns() -> int:
    """The width of the terminal; standard output, which `shutil.get_terminal_size` asks, may be a file."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL
    except (OSError, ValueError):
        return _USUAL


def bar(share: float) -> str:
    """A bar that is full up to a share.

    Example:
        >>> bar(0.25)
        '[##        ]'
    """
    full = min(_WIDTH, int(_WIDTH * share))
    return f"[{'#' * full}{' ' * (_WIDTH - full)}]"


def cut_to(text: str, columns: int) -> str:
    """A text of at most so many columns; characters may be two columns wide.

    Example:
        >>> cut_to("counting files", 8), cut_to("你好", 3)
        ('counting', '你')
    """
    from wordsplit.palette import width  # noqa: PLC0415 - for terminals alone

    if len(text) > columns:
        text = text[:columns]
    while width(text) > columns:
        text = text[:-1]
    return text
