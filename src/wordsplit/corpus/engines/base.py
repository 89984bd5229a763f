"""The contract of an engine that runs the units of a plan."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from wordsplit.cores import cores
from wordsplit.corpus.units import Job, Task

__all__ = ["CorpusEngine", "Run"]


@dataclass(frozen=True)
class Run:
    """The work of an engine.

    Attributes:
        job: The data that all units share.
        tasks: The units to run, in order.
        count: Their number.
        workers: The number of workers; ``None`` for the engine's own default.
        recorded: Called by the engine with the record of each unit when it is done, in any order.
        read: Called by the engine with the number of bytes read, if it is known while a unit runs.
        seconds: The engine adds the time of each step (``"read"``, ``"encode"``, ``"write"``) here, if it can.
    """

    job: Job
    tasks: Iterator[Task]
    count: int
    workers: int | None
    recorded: Callable[[dict[str, Any]], None]
    read: Callable[[int], None]
    seconds: dict[str, float] = field(default_factory=dict)


class CorpusEngine(ABC):
    """Run units. An object of a subclass has no state.

    Attributes:
        counts_reads: Whether it calls `Run.read`.
    """

    counts_reads: bool = False

    def workers(self, run: Run) -> int:
        """Return the number of workers to use."""
        return run.workers or cores()

    @abstractmethod
    def run(self, run: Run) -> None:
        """Run all tasks, each by `wordsplit.corpus.units.encode_unit` on a machine that can access the output folder.

        Raises:
            CorpusError: A unit failed and repeating it did not help. Other units may have been recorded.
        """
