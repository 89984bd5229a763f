"""A status line, on a terminal or below the cell of a notebook, that is rewritten in place to show progress.

On a terminal it is cut to the width, because a line that wraps could not be overwritten.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

__all__ = ["StatusLine", "bar", "clear_line", "clock"]

_SECONDS = 0.1
_WIDTH = 10
_USUAL = 80


class StatusLine:
    """The status line on standard error, or in a notebook, an output of the cell that runs.

    If there is no notebook, and standard error is not a terminal, or a dumb one, nothing is written. As a context
    manager, it clears the line at the end.

    Args:
        seconds: The shortest time between two updates of the line.
    """

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        self._shown = 0.0
        self._in_notebook = _in_notebook()
        self._output: Any = None  # in a notebook, the output once it is shown
        # A program without a console has no standard error.
        on_terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.enabled: bool = self._in_notebook or on_terminal

    def due(self) -> bool:
        """Return whether `show` would write, so that a caller can skip making an expensive text."""
        return self.enabled and time.monotonic() - self._shown >= self._seconds

    def show(self, text: object) -> None:
        """Replace the text of the line."""
        if not self.due():
            return
        self._shown = time.monotonic()
        if self._in_notebook:
            self._display(str(text))
        else:
            _write(cut_to(str(text), _columns() - 1))

    def clear(self) -> None:
        """Clear the line."""
        if self._output is not None:
            self._display("")
        clear_line()
        self._shown = 0.0

    def _display(self, text: str) -> None:
        """Show a text in the output of the cell, which keeps only the last one when the notebook is saved."""
        from IPython import display  # noqa: PLC0415 - a notebook has imported it

        data = {"text/plain": text}
        if self._output is None:
            begin: Any = display.display
            self._output = begin(data, raw=True, display_id=True)
        else:
            self._output.update(data, raw=True)

    def __enter__(self) -> StatusLine:  # noqa: PYI034 - Self came with Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()


def _in_notebook() -> bool:
    """Return whether standard error is shown below the cells of a notebook."""
    kernel = sys.modules.get("ipykernel.iostream")
    return kernel is not None and isinstance(sys.stderr, kernel.OutStream)


def clear_line() -> None:
    """Clear the status line of the terminal if one is shown. Call this before writing a message."""
    if _Terminal.shown:
        _write("")


class _Terminal:
    """The state of the terminal.

    Attributes:
        shown: Whether a status line is shown.
    """

    shown = False


def _write(text: str) -> None:
    sys.stderr.write(f"\r\033[K{text}")
    sys.stderr.flush()
    _Terminal.shown = bool(text)


def _columns() -> int:
    """Return the terminal's width; standard output, which `shutil.get_terminal_size` asks, may be a file."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL
    except (OSError, ValueError):
        return _USUAL


def bar(share: float) -> str:
    """Return a progress bar for a share from 0 to 1.

    Example:
        >>> bar(0.25)
        '[##        ]'
    """
    full = min(_WIDTH, int(_WIDTH * share))
    return f"[{'#' * full}{' ' * (_WIDTH - full)}]"


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds, or as hours, minutes and seconds.

    Example:
        >>> clock(75), clock(3675)
        ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def cut_to(text: str, columns: int) -> str:
    """Cut a text to a number of columns. Characters may be two columns wide.

    Example:
        >>> cut_to("counting files", 8), cut_to("你好", 3)
        ('counting', '你')
    """
    from wordsplit.palette import width  # noqa: PLC0415 - only for terminals

    if len(text) > columns:
        text = text[:columns]
    while width(text) > columns:
        text = text[:-1]
    return text
