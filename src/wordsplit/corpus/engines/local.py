"""Run units on the cores of this machine: one thread for each, because all steps release the GIL.

While the files of one unit are written to the disk, the processor encodes the next one: there is one thread more than
there are workers, and at most as many threads as workers encode at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

from wordsplit.corpus.engines.base import CorpusEngine, Run
from wordsplit.corpus.reading import Reading
from wordsplit.corpus.units import Task, Watch, encode_unit
from wordsplit.corpus.workspace import Workspace

__all__ = ["plugin"]


class _Stopped(Exception):  # noqa: N818 - ends a worker, and reaches no caller
    """Another unit has failed, or the user has stopped the run."""


class _Workers:
    """The threads of a run. When fewer units are left than threads, each unit is encoded by several."""

    def __init__(self, run: Run, workers: int) -> None:
        self._run = run
        self._threads = workers
        self._active = 0
        self._turns = threading.Semaphore(workers)
        self._idle: list[Workspace] = []
        self._stop = threading.Event()
        self._lock = threading.Lock()

    def work(self) -> None:
        threads = self._threads + 1
        with ThreadPoolExecutor(threads, "wordsplit-unit") as pool:
            try:
                running: set[Future[Any]] = set()
                for task in self._run.tasks:
                    if len(running) >= threads:
                        running = self._wait(running)
                    running.add(pool.submit(self._unit, task))
                while running:
                    running = self._wait(running)
            finally:  # after an error or Ctrl-C
                self._stop.set()

    def _wait(self, running: set[Future[Any]]) -> set[Future[Any]]:
        done, left = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            self._run.recorded(future.result())
        return left

    def _unit(self, task: Task) -> dict[str, Any]:
        watch = Watch(progress=self._run.read, threads=self._share, check=self._check, turn=self._turn)
        try:
            return encode_unit(self._run.job, task, watch)
        finally:
            with self._lock:
                for step, seconds in watch.seconds.items():
                    self._run.seconds[step] = self._run.seconds.get(step, 0.0) + seconds

    @contextmanager
    def _turn(self, reading: Reading) -> Iterator[Workspace]:
        with self._turns:
            with self._lock:
                self._active += 1
                workspace = self._idle.pop() if self._idle else Workspace(reading)
            try:
                yield workspace
            finally:
                with self._lock:
                    self._active -= 1
                    self._idle.append(workspace)

    def _share(self) -> int:
        return max(self._threads // max(self._active, 1), 1)

    def _check(self) -> None:
        if self._stop.is_set():
            raise _Stopped


class Local(CorpusEngine):
    """Run units on this machine."""

    counts_reads = True

    def run(self, run: Run) -> None:
        """See `CorpusEngine.run`."""
        _Workers(run, self.workers(run)).work()


plugin: Local = Local()
