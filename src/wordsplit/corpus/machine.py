"""The memory that this process may use."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from wordsplit.control_groups import limits
from wordsplit.errors import OptionsError

__all__ = ["memory_of_worker", "peak_memory"]

_LEAST = 16 << 20
_USUAL = 4 << 30


def memory_of_worker(memory: int | None, workers: int) -> int:
    """Return the bytes of memory for one worker of this machine.

    Args:
        memory: The bytes for all workers; ``None`` for half of the memory of the machine, or of the container.
        workers: Their number.

    Raises:
        OptionsError: It is less than 16 MiB for a worker.
    """
    if memory is None:
        limited = [most for (most,) in limits("memory", ["memory.max"], ["memory.limit_in_bytes"])]
        memory = min([_machine_memory(), *limited]) // 2
    elif type(memory) is not int or memory < _LEAST * workers:
        raise OptionsError(f"memory={memory!r:.100}: give at least 16 MiB for each of {workers} workers, in bytes")
    return max(memory // workers, _LEAST)


def _machine_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return _USUAL


def peak_memory() -> int | None:
    """Return the peak resident memory of this process in bytes; ``None`` where the system does not report it."""
    with suppress(OSError, StopIteration, ValueError):  # on Linux; getrusage() counts the parent until exec(), too
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) << 10
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    found = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return found if sys.platform == "darwin" else found << 10
