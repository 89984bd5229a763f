"""The progress of a run over the units of a plan."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from wordsplit.status_line import StatusLine, bar, clock

__all__ = ["Meter", "Progress", "Show", "json_lines", "shown_on_terminal"]

_JSON_SECONDS = 1.0


class Progress(NamedTuple):
    """The state of a run.

    Attributes:
        done: The bytes of the inputs read so far, as stored, including those of earlier runs.
        total: The bytes of all inputs.
        units_done: The units that are recorded.
        units: All units.
        documents: The documents written in this run.
        tokens: The ids written in this run.
        seconds: The time since this run began.
        seconds_left: An estimate of the time that is left; ``None`` at first.
    """

    done: int
    total: int
    units_done: int
    units: int
    documents: int
    tokens: int
    seconds: float
    seconds_left: float | None


Show = Callable[[Progress], None]


class Meter:
    """Count progress from several threads.

    Args:
        total: The bytes of all inputs.
        done: The bytes that earlier runs have read.
        units: The number of units.
        units_done: The units that earlier runs have recorded.
        show: Called with the state, at most ten times a second and at the end.
    """

    def __init__(self, total: int, done: int, units: int, units_done: int, show: Show | None) -> None:
        self._lock = threading.Lock()
        self._before = done
        self._total, self._units = total, units
        self._done, self._units_done = done, units_done
        self._documents = self._tokens = 0
        self._began = time.monotonic()
        self._shown = 0.0
        self._show = show

    def read(self, size: int) -> None:
        """Count bytes that have been read."""
        with self._lock:
            self._done += size
        self._update()

    def recorded(self, documents: int, tokens: int, size: int) -> None:
        """Count a unit that is recorded, and bytes read for it that `read` has not counted."""
        with self._lock:
            self._units_done += 1
            self._documents += documents
            self._tokens += tokens
            self._done += size
        self._update()

    @property
    def state(self) -> Progress:
        """The state now."""
        seconds = time.monotonic() - self._began
        done = self._total if self._units_done == self._units else min(self._done, self._total)
        read = done - self._before
        left = seconds * (self._total - done) / read if read > 0 and seconds > 0.5 else None
        return Progress(done, self._total, self._units_done, self._units, self._documents, self._tokens, seconds, left)

    def _update(self, *, last: bool = False) -> None:
        if self._show is None:
            return
        with self._lock:
            now = time.monotonic()
            if not last and now - self._shown < 0.1:
                return
            self._shown = now
            self._show(self.state)

    def finish(self) -> None:
        """Show the state at the end."""
        self._update(last=True)


def shown_on_terminal() -> Show:
    """Return a function that shows progress as a line on a terminal or in a notebook."""
    line = StatusLine()

    def show(state: Progress) -> None:
        if state.units_done == state.units:
            line.clear()
        elif line.due():
            share = state.done / state.total if state.total else 1.0
            left = "" if state.seconds_left is None else f" {clock(state.seconds_left)} left,"
            line.show(
                f"{bar(share)}{left} {state.done / 1e6:,.0f} of {state.total / 1e6:,.0f} MB, "
                f"unit {state.units_done:,} of {state.units:,}, {state.tokens / 1e6:,.1f} M tokens"
            )

    return show


def json_lines() -> Show:
    """Return a function that writes progress to standard error as JSON, one line per second and one at the end."""
    last = 0.0

    def show(state: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _JSON_SECONDS or state.units_done == state.units:
            last = now
            print(json.dumps(state._asdict()), file=sys.stderr, flush=True)  # noqa: T201 - to standard error

    return show
