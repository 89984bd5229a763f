"""Run units on a Ray cluster.

The driver sends each unit as a task; the tokenizer is put into the object store once and is unpickled once per worker
process. Ray runs a task again whose worker dies. The output folder, and inputs that are not URLs, must
be on a filesystem that all nodes share.
"""

from __future__ import annotations

from typing import Any

from wordsplit.corpus.engines.base import CorpusEngine, Run
from wordsplit.corpus.units import Job, Task, encode_unit
from wordsplit.errors import OptionsError, WordsplitError

__all__ = ["plugin"]

_RETRIES = 5
_PATIENCE = 30.0
"""Seconds to wait for units that were cancelled; a worker stops between two batches."""


class Ray(CorpusEngine):
    """Run units as Ray tasks, one CPU each."""

    def workers(self, run: Run) -> int:
        """Return how many units run at once: by default, the number of CPUs of the cluster."""
        return run.workers or max(int(_started().cluster_resources().get("CPU", 1)), 1)

    def run(self, run: Run) -> None:
        """See `CorpusEngine.run`."""
        ray = _started()
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(_encode)
        job = [ray.put(run.job)]  # in a list, so that Ray does not fetch it again for each task
        most = self.workers(run)
        running: list[Any] = []
        try:
            for unit in run.tasks:
                if len(running) >= most:
                    running = self._wait(ray, running, run)
                running.append(task.remote(job, unit))
            while running:
                running = self._wait(ray, running, run)
        finally:  # after an error or Ctrl-C
            for left in running:
                ray.cancel(left)  # not by force, which ends the driver in Ray 2.60 if the task has just ended
            if running:
                ray.wait(running, num_returns=len(running), timeout=_PATIENCE)

    def _wait(self, ray: Any, running: list[Any], run: Run) -> list[Any]:
        done, left = ray.wait(running, num_returns=1)
        for reference in done:
            try:
                run.recorded(ray.get(reference))
            except ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, WordsplitError):
                    raise error.cause from error
                raise
        return left  # type: ignore[no-any-return]


_jobs: dict[Any, Job] = {}


def _encode(held: list[Any], task: Task) -> dict[str, Any]:
    """Encode a unit in a worker process, which fetches the job once."""
    import ray  # noqa: PLC0415 - as above

    if held[0] not in _jobs:
        _jobs.clear()
        _jobs[held[0]] = ray.get(held[0])
    return encode_unit(_jobs[held[0]], task)


def _started() -> Any:
    """Return the package `ray`, connected to the cluster of ``RAY_ADDRESS``, or to one of this machine.

    Raises:
        OptionsError: Ray is not installed.
    """
    try:
        import ray  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise OptionsError("engine='ray' needs Ray: pip install 'wordsplit[ray]'") from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    return ray


plugin: Ray = Ray()
