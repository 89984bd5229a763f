"""The number of threads that can run at once."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from functools import cache

from wordsplit.control_groups import limits

__all__ = ["cores"]


@cache
def cores() -> int:
    """Return the number of processors that this process may use, as found when it is first asked for.

    It is limited by the processors that the process is bound to (``taskset``), by the processor time of its container
    on Linux, and from Python 3.13 on by ``PYTHON_CPU_COUNT``.
    """
    if hasattr(os, "process_cpu_count"):
        usable = os.process_cpu_count()
    elif hasattr(os, "sched_getaffinity"):
        usable = len(os.sched_getaffinity(0))
    else:
        usable = os.cpu_count()
    return max(min([usable or 1, *_shares()]), 1)


def _shares() -> Iterator[int]:
    """Yield the processors whose time each of the process's control groups may use, rounded up."""
    for quota, period in limits("cpu", ["cpu.max"], ["cpu.cfs_quota_us", "cpu.cfs_period_us"]):
        if quota > 0:
            yield math.ceil(quota / period)
