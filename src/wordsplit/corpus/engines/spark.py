"""Run units on a Spark cluster.

The units are the rows of a data frame, one per partition; `mapInArrow` encodes them. Spark runs a task again that fails
or whose executor is lost (``spark.task.maxFailures`` times; a local master only if it is given as ``local[N, F]``). The
tokenizer is broadcast, and is unpickled once per Python worker. The output folder, and inputs that are not URLs, must
be on a filesystem that all nodes share.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from wordsplit.corpus.engines.base import CorpusEngine, Run
from wordsplit.corpus.inputs import Input
from wordsplit.corpus.units import Job, Task, encode_unit
from wordsplit.errors import CorpusError, OptionsError

__all__ = ["plugin"]

_MOST_PARTS = 10_000
"""The maximum number of partitions of the data frame; more would only burden Spark's driver."""
_POLL = 0.5


class Spark(CorpusEngine):
    """Run units as tasks of one Spark job."""

    def workers(self, run: Run) -> int:
        """Return how many units run at once: as many as the cluster can, and at most ``workers``."""
        found: int = _session().sparkContext.defaultParallelism
        return min(run.workers or found, found)

    def run(self, run: Run) -> None:
        """See `CorpusEngine.run`."""
        session = _session()
        job = session.sparkContext.broadcast(pickle.dumps(run.job))
        rows = [(task.unit, json.dumps(task.segments)) for task in run.tasks]
        parts = min(len(rows), run.workers or _MOST_PARTS)
        frame = session.createDataFrame(session.sparkContext.parallelize(rows, parts), "unit long, segments string")

        def encode(batches: Iterable[Any]) -> Iterator[Any]:
            yield from _encode(job, batches)

        seen = run.job.folder.done()
        try:
            with ThreadPoolExecutor(1, "wordsplit-spark") as thread:
                failed = thread.submit(frame.mapInArrow(encode, "error string").collect)
                while not failed.done():
                    wait([failed], timeout=_POLL)
                    for unit in sorted(run.job.folder.done() - seen):
                        seen.add(unit)
                        run.recorded(run.job.folder.record(unit))
            for row in failed.result():
                raise CorpusError(**json.loads(row.error))
        except KeyboardInterrupt:
            session.sparkContext.cancelAllJobs()
            raise
        finally:
            job.unpersist()


def _encode(job: Any, batches: Iterable[Any]) -> Iterator[Any]:
    """Encode units in a worker process; yield errors that a retry would not fix."""
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    for batch in batches:
        for row in batch.to_pylist():
            held = _job(job.value)
            if row["unit"] in held.folder:
                continue  # done by an earlier attempt at the same rows
            segments = [(Input(*file), begin, end) for file, begin, end in json.loads(row["segments"])]
            try:
                encode_unit(held, Task(row["unit"], segments))
            except CorpusError as error:
                found = json.dumps({"found": error.found, "file": error.file, "field": error.field})
                yield pa.RecordBatch.from_pydict({"error": [found]})
                return


_jobs: dict[bytes, Job] = {}


def _job(pickled: bytes) -> Job:
    """Return the job; unpickled once in each worker process."""
    if pickled not in _jobs:
        _jobs.clear()
        _jobs[pickled] = pickle.loads(pickled)  # noqa: S301 - from the driver
    return _jobs[pickled]


def _session() -> Any:
    """Return the active Spark session, or a new one as Spark's own settings say.

    Raises:
        OptionsError: Spark is not installed.
    """
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise OptionsError("engine='spark' needs Spark and Java: pip install 'wordsplit[spark]'") from None
    return SparkSession.builder.appName("wordsplit").getOrCreate()


plugin: Spark = Spark()
