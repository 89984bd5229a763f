"""The conditions of a run's figures: the commit, the machine, the texts, the load."""

from __future__ import annotations

import datetime as dt
import os
import platform
import subprocess
from pathlib import Path

import corpora

HERE = Path(__file__).resolve().parent


def about() -> dict:
    """The heading of a run."""
    changed = "-changed" if _git("status", "--porcelain", "--", "../src", "../native", "../CMakeLists.txt") else ""
    return {
        "date": dt.datetime.now(dt.timezone.utc).isoformat(timespec="minutes"),
        "commit": (_git("rev-parse", "--short", "HEAD") or "unknown") + changed,
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "simd": os.environ.get("WORDSPLIT_SIMD"),  # None: the best that the processor has
        "texts": corpora.source(),
        "load_average": os.getloadavg()[0],
    }


def stem(about: dict, kind: str = "") -> str:
    """The name of a run's results, without an ending: what is measured, the date, the commit."""
    return "-".join(filter(None, (kind, about["date"][:10], about["commit"])))


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    found = {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in lines}
    simd = [
        name for name in ("avx2", "avx512bw", "asimd", "sve") if name in found.get("flags", found.get("Features", ""))
    ]
    return " ".join([found.get("model name", platform.processor() or platform.machine()), *simd])
