"""One training in a process of its own: ``python training_worker.py TASK``, a JSON object; the answer is one as well.

What a library prints goes to standard error. Peak memory is the process's highest resident memory while it trains
over what it was when the input was ready and the library imported.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
from pathlib import Path

from training_peers import TRAINERS, Text

STATUS = Path("/proc/self/status")


def resident(field: str) -> float:
    """Resident memory in MB: now (VmRSS), or the highest since `start_peak` (VmHWM)."""
    if STATUS.exists():
        line = next(line for line in STATUS.read_text(encoding="ascii").splitlines() if line.startswith(field))
        return int(line.split()[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # macOS, in bytes; the highest since the start


def start_peak() -> None:
    """Forget what the peak was, where the system can: the high-water mark of the load is not the training's."""
    if STATUS.exists():
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def main() -> None:
    """Do the task."""
    task = json.loads(sys.argv[1])
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if task["threads"] == 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    trainer = TRAINERS[task["peer"]]()
    importlib.import_module("wordsplit.training" if trainer.venv == "wordsplit" else task["peer"].partition(":")[0])
    ready = trainer.prepare(Text(task["corpus"], task["times"]))
    before = resident("VmRSS")
    start_peak()
    start = time.perf_counter()
    tokens, counting = trainer.train(ready, task["vocab_size"], task["pattern"], task["threads"])
    seconds = time.perf_counter() - start
    result = {"seconds": seconds, "counting": counting, "peak_mb": resident("VmHWM") - before}
    print(json.dumps({**result, "tokens": [token.hex() for token in tokens]}), file=answer)


if __name__ == "__main__":
    main()
