"""Progress of a training run: events for a caller, or a status line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wordsplit.status_line import StatusLine, bar

__all__ = ["Counting", "Merging", "Progress", "reporter"]


@dataclass(frozen=True)
class Counting:
    """Texts are being counted.

    Attributes:
        n_bytes: Bytes of text counted so far.
        n_spans: Spans counted so far.
        share: The share of the files that was read, from 0 to 1; ``None`` if not known.
    """

    n_bytes: int
    n_spans: int
    share: float | None

    def __str__(self) -> str:
        return f"{_bar(self.share)}{self.n_bytes / 1e6:,.1f} MB, {self.n_spans:,} spans counted"


@dataclass(frozen=True)
class Merging:
    """Merges are being made.

    Attributes:
        done: The number of merges made.
        total: The number of merges requested.
        token: The bytes of the token that the last merge produces.
        frequency: How often it occurs in the counted texts.
        seconds_left: The estimated seconds left.
    """

    done: int
    total: int
    token: bytes
    frequency: int
    seconds_left: float

    def __str__(self) -> str:
        last = self.token.decode("utf-8", "backslashreplace")
        return (
            f"{_bar(self.done / max(self.total, 1))}{self.done:,} of {self.total:,} merges, "
            f"the last {last!r:.32} ({self.frequency:,} times), {self.seconds_left:.0f} s left"
        )


Progress = bool | Callable[[Counting | Merging], None]
"""``True`` for a line on a terminal or in a notebook, ``False`` for none, or a function to call with events."""


def reporter(progress: Progress) -> tuple[Callable[[Counting | Merging], None], Callable[[], None]]:
    """Return a function to call with events, and one to call at the end."""
    if callable(progress):
        return progress, lambda: None
    if not progress:
        return lambda _: None, lambda: None
    line = StatusLine()
    return line.show, line.clear


def _bar(share: float | None) -> str:
    return "" if share is None else f"{bar(share)} "
