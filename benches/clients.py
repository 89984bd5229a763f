"""The benchmark of clients: ``.venv-clients/bin/python benches/clients.py [--rounds 3] [--kilobytes 300]``.

What the libraries of tests/clients take with tiktoken or tokenizers, and with the stand-in. Each runs in processes of
its own, interleaved; the least time of a step counts, and of all steps of a process together. Results are compared.
``make clients-test`` makes the environment. Writes ``benches/results/clients-DATE-COMMIT.json`` and ``.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "clients"))

import data
import machine
import program
from report import table

HERE = Path(__file__).resolve().parent
WITH = {"original": (), "wordsplit": ("-m", "wordsplit.compat", "--only")}
ALL = "all steps"
Times = dict[str, dict[str, float]]
"""Step -> with which -> seconds."""


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="Compare clients with the originals and with the stand-ins.")
    parser.add_argument("--client", nargs="+", choices=list(program.CLIENTS), default=list(program.CLIENTS))
    parser.add_argument("--rounds", type=int, default=3, help="processes a client")
    parser.add_argument("--kilobytes", type=int, default=300, help="of text")
    given = parser.parse_args()
    about = machine.about() | {"rounds": given.rounds, "kilobytes": given.kilobytes}
    # Installed packages have their bytecode. To compile wordsplit in each process would double the time of its import.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    found, other, failed = {}, [], {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data.make(folder, given.kilobytes * 1000)
        for client in given.client:
            original = program.CLIENTS[client].original
            try:
                runs = run(client, original, folder, given.rounds, environment | data.environment(folder))
            except subprocess.CalledProcessError as error:
                failed[client] = error.stderr.strip().splitlines()[-1]
                continue
            results = [each["results"] for with_which in runs.values() for each in with_which]
            other += [client] if any(each != results[0] for each in results) else []
            found[f"{client} ({original})"] = least(runs)
            print(client, found[f"{client} ({original})"])
    path = HERE / "results" / f"{machine.stem(about, 'clients')}.json"
    record = {"about": about, "seconds": found, "other results": other, "failed": failed}
    path.write_text(json.dumps(record, indent=1), encoding="utf-8")
    text = report(**{name.replace(" ", "_"): value for name, value in record.items()})
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)


def run(client: str, original: str, folder: Path, rounds: int, environment: dict[str, str]) -> dict[str, list[dict]]:
    """Run a client with the original and with the stand-in, interleaved."""
    arguments = [program.__file__, client, str(folder)]
    out: dict[str, list[dict]] = {name: [] for name in WITH}
    for _ in range(rounds):
        for name, options in WITH.items():
            command = [sys.executable, *options, *([original] if options else []), *arguments]
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
            out[name].append(json.loads(done.stdout.splitlines()[-1]))
    return out


def least(runs: dict[str, list[dict]]) -> Times:
    """The least time of each step, and of all together."""
    steps = runs["original"][0]["times"]
    times = {step: {name: min(each["times"][step] for each in found) for name, found in runs.items()} for step in steps}
    return times | {ALL: {name: min(sum(each["times"].values()) for each in found) for name, found in runs.items()}}


def report(about: dict, seconds: dict[str, Times], other_results: list[str], failed: dict[str, str]) -> str:
    """The table of all steps, and the worst."""
    rows, ratios = [], {}
    for client, steps in seconds.items():
        for step, times in steps.items():
            ratio = ratios[f"{client}, {step}"] = times["original"] / times["wordsplit"]
            rows.append([client, step, *(f"{times[name] * 1e3:.1f}" for name in WITH), f"{ratio:.2f}"])
    where = f"{about['processor']}, {about['cores']} cores, {about['system']}, Python {about['python']}"
    how = f"milliseconds, the least of {about['rounds']} processes; {about['kilobytes']} KB of documentation"
    below = sorted((name for name in ratios if ratios[name] < 1), key=ratios.__getitem__)
    wholes = {name.removesuffix(f", {ALL}"): ratio for name, ratio in ratios.items() if name.endswith(ALL)}
    slowest = min(wholes, key=wholes.__getitem__)
    parts = [
        f"# Clients: wordsplit {about['commit']}, {about['date']}",
        f"{where}; {how}; load average at the start {about['load_average']:.1f}. A step's first use is timed with it.",
        table(["client", "step", "original", "wordsplit", "times as fast"], rows),
        f"All steps of a client together: {wholes[slowest]:.2f} times as fast at least ({slowest}).",
        "Steps below 1: " + ("; ".join(f"{step}: {ratios[step]:.2f}" for step in below) or "none") + ".",
        f"Other results: {', '.join(other_results) or 'none'}.",
    ]
    if failed:
        parts.append("Not run: " + "; ".join(f"{client}: {error}" for client, error in failed.items()) + ".")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
