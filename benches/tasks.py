"""The tasks of a run: the cells, in their order, and the processes that run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import corpora
import environments
import peers
from peers import PEERS, WORDSPLITS, Wordsplit

HERE = Path(__file__).resolve().parent
CORES = os.cpu_count() or 1
PARTS = ("encode", "steady", "more", "load", "hostile", "components")
ENCODE = (("list", CORES), ("batch", CORES), ("flat", CORES))
SIZES = (100_000, 1_000_000, 10_000_000)


@dataclass(frozen=True)
class Plan:
    """Which vocabs, corpora and libraries; gives the cells."""

    vocabs: list[str]
    names: list[str]
    peers: list[str]

    def cells(self, parts: list[str], hostile_seconds: float) -> Iterator[dict]:
        """Every cell: a task without its library."""
        for vocab in self.vocabs:
            if "encode" in parts:
                yield from self._timed(vocab, (*ENCODE, ("batch", 1)))
            if "steady" in parts:
                yield from self._timed(vocab, (*ENCODE, ("batch", 1), ("flat", 1), ("count", CORES)), "steady")
        if "more" in parts:
            calls = (("decode", CORES), ("count", CORES), ("flat", 1), ("lone", CORES), ("lone", 1))
            yield from self._timed(self.vocabs[0], calls)
            for vocab in self.vocabs:
                yield {"kind": "memory", "vocab": vocab, "corpus": self.names[0], "threads": 1}
        if "load" in parts:
            for vocab in self.vocabs:
                yield {"kind": "load", "vocab": vocab, "threads": CORES}
        if "hostile" in parts:
            limits = {"sizes": SIZES, "seconds": hostile_seconds}
            for name in corpora.HOSTILE:
                yield {"kind": "hostile", "input": name, "vocab": self.vocabs[0], "threads": CORES, **limits}

    def _timed(self, vocab: str, calls: tuple[tuple[str, int], ...], kind: str = "time") -> Iterator[dict]:
        for corpus in self.names:
            for call, threads in calls:
                yield {"kind": kind, "call": call, "vocab": vocab, "corpus": corpus, "threads": threads}

    def libraries(self, cell: dict) -> list[str]:
        """Who takes part in a cell."""
        own = [peer.name for peer in WORDSPLITS.get(cell["kind"], (Wordsplit,))]
        return own + [name for name in self.peers if cell["vocab"] in PEERS[name].vocabs]


@dataclass(frozen=True)
class Runner:
    """Runs a task in a process."""

    files: Path
    seconds: float
    size: int

    def run(self, task: dict, turn: int = 0) -> dict:
        """The record of a task: its results, and the error that ended it, if one did."""
        if sys.stderr.isatty():
            words = [str(task.get(key, "")) for key in ("kind", "call", "input", "vocab", "corpus", "threads", "peer")]
            print(f"\r\033[K{' '.join(filter(None, words))}", end="", file=sys.stderr, flush=True)
        full = {"files": str(self.files), "seconds": self.seconds, "bytes": self.size, **task}
        command = [environments.python(PEERS[task["peer"]].venv), str(HERE / "worker.py"), json.dumps(full)]
        compiled = HERE / ".cache" / "compiled"
        switch = "1" if PEERS[task["peer"]].compiled else "0"
        environment = os.environ | {"WORDSPLIT_CACHE_DIR": str(compiled), "WORDSPLIT_COMPILED_CACHE": switch}
        if task["kind"] == "load":  # the first process of all does work for the others: bytecode, tables
            subprocess.run(command, env=environment, capture_output=True, check=False)
        limit = 1.5 * full["seconds"] if task["kind"] == "hostile" else 300
        error = None
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                env=environment,
                timeout=limit + 30,
                check=False,
            )
            out = done.stdout
            if done.returncode:
                error = _why(done.stderr, done.returncode)
        except subprocess.TimeoutExpired as expired:
            out = (expired.stdout or b"").decode()
            error = f"not done in {limit + 30:.0f} s"
        results = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
        return {"task": task, "turn": turn, "results": results, "error": error}


def _why(errors: str, code: int) -> str:
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    return lines[-1][:200] if lines else f"ended by signal {-code}" if code < 0 else f"exit code {code}"


def check_all(plan: Plan, runner: Runner, keep: Callable[[dict], None]) -> set[tuple[str, str]]:
    """Check everybody's ids before anything is timed. Returns (library, vocab) of those that could be loaded."""
    usable = set()
    for vocab in plan.vocabs:
        for corpus in plan.names:
            task = {"kind": "check", "vocab": vocab, "corpus": corpus, "threads": CORES}
            judge = peers.judge(vocab)
            truth = runner.run({**task, "peer": judge})
            if truth["error"]:
                print(f"the reference {judge} cannot be run: {truth['error']}", file=sys.stderr)
            for name in plan.libraries(task):
                record = truth if name == judge else runner.run({**task, "peer": name})
                if not record["error"]:
                    usable.add((name, vocab))
                if not record["error"] and not truth["error"]:
                    record["wrong"] = mismatches(record["results"][0], truth["results"][0])
                keep({**record, "results": [_short(result) for result in record["results"]], "judge": judge})
    return usable


def mismatches(got: dict, want: dict) -> int:
    """Return the number of documents that have other ids, by the worst way to encode."""
    rows = [got["list"], got.get("batch", want["list"])]
    wrong = max(sum(a != b for a, b in zip(row, want["list"], strict=True)) for row in rows)
    return wrong or int(got.get("flat", want["joined"]) != want["joined"])


def _short(result: dict) -> dict:
    return {key: result[key] for key in ("documents", "version", "undecoded") if key in result}
