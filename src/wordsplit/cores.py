"""The number of threads that can run at once."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["cores"]

_GROUPS = Path("/proc/self/cgroup")
_MOUNT = Path("/sys/fs/cgroup")


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
    with suppress(OSError):  # not Linux
        for line in _GROUPS.read_text(errors="replace").splitlines():
            _, controllers, group = line.split(":", 2)
            if not controllers:
                folder, names = _MOUNT / group[1:], ["cpu.max"]
            elif "cpu" in controllers.split(","):  # the first version of control groups
                folder, names = _MOUNT / "cpu" / group[1:], ["cpu.cfs_quota_us", "cpu.cfs_period_us"]
            else:
                continue
            for parent in (folder, *folder.parents):  # within a container, only a parent may be there
                with suppress(OSError, ValueError):  # no such file; or "max", which is no number
                    quota, period = (int(word) for name in names for word in (parent / name).read_text().split())
                    if quota > 0:
                        yield math.ceil(quota / period)
