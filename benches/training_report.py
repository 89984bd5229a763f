"""From the records of a run to tables: ``python benches/training_report.py benches/results/training-FILE.json``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

from report import table
from training_peers import TRAINERS
from training_tokens import CELL

NO_MERGES = 256


class Figures(NamedTuple):
    """The best of the rounds, in seconds and MB."""

    total: float
    counting: float
    peak: float

    @property
    def merging(self) -> float:
        """The time after counting; for libraries that do not tell it, a difference of two runs."""
        return max(0.0, self.total - self.counting)


class Run:
    """A run's records, with the rounds of a training brought together."""

    def __init__(self, path: Path) -> None:
        content = json.loads(path.read_text(encoding="utf-8"))
        self.about, self.missing, self.records = content["about"], content["missing"], content["records"]
        self.same = content["same"]

    def cells(self) -> list[tuple[str, str, int]]:
        """The (corpus, pattern, vocab size) of the run."""
        found = ((r["corpus"], r["pattern"], r["vocab_size"]) for r in self.records)
        return sorted(dict.fromkeys(cell for cell in found if cell[2] != NO_MERGES))

    def threads(self) -> list[int]:
        """The numbers of threads of the run."""
        return sorted({record["threads"] for record in self.records})

    def figures(self, peer: str, cell: tuple[str, str, int], threads: int) -> Figures | None:
        """Return the figures of a library for a cell; ``None`` if it failed, or took no part."""
        rounds = self._rounds(peer, cell, threads)
        if not rounds:
            return None
        best = min(rounds, key=lambda record: record["seconds"])
        counting = best["counting"]
        if counting is None:
            alone = self._rounds(peer, (*cell[:2], NO_MERGES), threads)
            counting = min((record["seconds"] for record in alone), default=float("nan"))
        return Figures(best["seconds"], counting, min(record["peak_mb"] for record in rounds))

    def _rounds(self, peer: str, cell: tuple[str, str, int], threads: int) -> list[dict]:
        return [
            record
            for record in self.records
            if (record["corpus"], record["pattern"], record["vocab_size"]) == cell
            and (record["peer"], record["threads"]) == (peer, threads)
            and not record["error"]
        ]

    def errors(self) -> dict[str, str]:
        """Library -> the last thing that went wrong."""
        return {record["peer"]: record["error"] for record in self.records if record["error"]}


def write(path: Path) -> str:
    """Write the tables beside the records. Returns the tables."""
    run = Run(path)
    text = "\n\n".join([_heading(run), *(_cell(run, cell) for cell in run.cells()), _notes(run)]) + "\n"
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    return text


def _heading(run: Run) -> str:
    about = run.about
    sizes = ", ".join(
        f"{name} {size / 1e6:.1f} MB (each document {about['times'][name]} times)"
        for name, size in about["bytes"].items()
    )
    return (
        f"# Training, wordsplit {about['commit']}, {about['date']}\n\n"
        f"{about['processor']}, {about['cores']} cores, {about['system']}, Python {about['python']}; "
        f"texts: {about['texts']}: {sizes}; best of {about['rounds']} rounds; "
        f"load average at the start {about['load_average']:.1f}.\n\n"
        "Seconds from documents in memory, or a file in the page cache, to the tokens; peak memory over that before "
        f"the training. wordsplit tells counting and merging apart by itself. Of the others, a training to {NO_MERGES} "
        "tokens, which merges nothing, is taken for the counting; what it makes ready for merging is in it, too, where "
        "wordsplit's index of pairs is in its merging. *same*: how many of the new tokens are "
        "`tokenizers`', and how many of the first are so in the same order."
    )


def _cell(run: Run, cell: tuple[str, str, int]) -> str:
    corpus, pattern, vocab_size = cell
    threads = run.threads()
    head = ["", *(f"{what}, {n} thr." for n in threads for what in ("total", "counting", "merging", "MB")), "same"]
    timed = [name for name in run.about["versions"] if not TRAINERS[name].judges]
    found = {name: [run.figures(name, cell, n) for n in threads] for name in timed}
    rows = [
        [name, *(value for each in figures for value in _columns(each)), _same(run, name, cell)]
        for name, figures in found.items()
        if any(figures)
    ]
    return f"## {corpus}, {pattern}, {vocab_size:,} tokens\n\n" + table(head, [*rows, *_ratio(found)])


def _columns(figures: Figures | None) -> list[str]:
    if figures is None:
        return ["-"] * 4
    return [*(f"{value:.2f}" for value in (figures.total, figures.counting, figures.merging)), f"{figures.peak:,.0f}"]


def _ratio(found: dict[str, list[Figures | None]]) -> list[list[str]]:
    """The row that says how much less wordsplit took than the least that another took."""
    row: list[str] = []
    for at, ours in enumerate(found.get("wordsplit", [])):
        others = [each[at] for name, each in found.items() if not name.startswith("wordsplit") and each[at]]
        for field in ("total", "counting", "merging", "peak"):
            least = min((getattr(each, field) for each in others), default=0.0)
            row.append(f"**{least / getattr(ours, field):.2f}**" if ours and least else "-")
    return [["**best other ÷ wordsplit**", *row, ""]] if row else []


def _same(run: Run, name: str, cell: tuple[str, str, int]) -> str:
    """Return the number of tokens that a library shares with its reference, and for how long they are the same."""
    found = next((each for each in run.same if (each["peer"], *(each[part] for part in CELL)) == (name, *cell)), None)
    if found is None:
        return "not compared"
    unsteady = "" if found["steady"] else "; others in another round"
    return f"{found['shared']:,} of {found['of']:,}; first {found['in_order']:,}{unsteady}"


def _notes(run: Run) -> str:
    notes = run.about["notes"]
    lines = [
        f"- {'; '.join(filter(None, (name, version, notes.get(name))))}"
        for name, version in run.about["versions"].items()
    ]
    failed = [f"- {name}: {reason}" for name, reason in {**run.missing, **run.errors()}.items()]
    return "## Libraries\n\n" + "\n".join(lines) + ("\n\nFailed:\n\n" + "\n".join(failed) if failed else "")


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
