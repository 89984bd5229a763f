"""The limits of the compiler of patterns: a budget of work, and the error for what it does not compile."""

from __future__ import annotations

__all__ = ["MAX_CLASSES", "MAX_STATES", "Budget", "NotCompilableError"]

MAX_CLASSES = 254
MAX_STATES = 4096
_WORK = 1_000_000


class NotCompilableError(Exception):
    """A pattern for which there is no automaton, or only one that is too large. The message names the construct."""


class Budget:
    """The work that is left, in steps of about a microsecond."""

    def __init__(self) -> None:
        self._left = _WORK

    def spend(self, steps: int) -> None:
        """Take steps from the budget.

        Raises:
            NotCompilableError: It is used up.
        """
        self._left -= steps
        if self._left < 0:
            raise NotCompilableError("too many states for an automaton: large counts or alternatives that overlap")
