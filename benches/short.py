"""The benchmark of short texts: ``python benches/short.py [--seconds 0.1] [--rounds 3] [--vocab ...]``.

What a call costs for texts of 1 to 1,000 bytes, one at a time: ids as a list, a count, and text of ids; and the
stand-ins for tiktoken and tokenizers against what they stand in for. Half of the texts are English, half of many
languages. All ids are compared with the reference's, and who has others takes no part in a cell. Every library runs in
processes of its own, interleaved; the least time counts. Writes ``benches/results/short-DATE-COMMIT.json`` and ``.md``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import defaultdict
from pathlib import Path

import environments
import machine
import tasks
import vocab_files
from peers import ALL, MODELS, OPENAI, OTHERS, PEERS, WORDSPLITS, judge
from report import Row, table

HERE = Path(__file__).resolve().parent
SIZES = (1, 3, 10, 30, 100, 300, 1000)
CALLS = ("encode", "decode", "count")
STAND_INS = {"wordsplit:tiktoken": "tiktoken", "wordsplit:tokenizers": "tokenizers-0.23.3"}
Cells = dict[tuple[str, str, int], dict[str, float]]
"""(vocab, call, size) -> library -> microseconds."""


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="Compare what a call costs for short texts.")
    parser.add_argument("--vocab", nargs="+", choices=(*ALL, *MODELS), default=["qwen3", *OPENAI, "llama2"])
    parser.add_argument("--rounds", type=int, default=3, help="processes a library")
    parser.add_argument("--seconds", type=float, default=0.1, help="how long to repeat a call")
    given = parser.parse_args()
    missing = environments.prepare([peer.name for peer in OTHERS])
    files = HERE / ".cache" / "vocabs"
    command = [environments.python("wordsplit"), vocab_files.__file__, files, environments.site_packages("main")]
    subprocess.run(command, check=True)
    vocabs = [vocab for vocab in given.vocab if vocab in ALL or (files / f"{vocab}.json").exists()]

    about = machine.about() | {"rounds": given.rounds, "seconds": given.seconds}
    path = HERE / "results" / f"{machine.stem(about, 'short')}.json"
    runner = tasks.Runner(files=files, seconds=given.seconds, size=300_000)
    names = [peer.name for peer in WORDSPLITS["short"]] + [peer.name for peer in OTHERS if peer.name not in missing]
    records = []
    for turn in range(given.rounds):
        for vocab in vocabs:
            for name in names:
                if vocab in PEERS[name].vocabs:
                    task = {"kind": "short", "vocab": vocab, "corpus": "mix", "threads": 1, "sizes": SIZES}
                    records.append(runner.run({**task, "peer": name}, turn))
    path.write_text(json.dumps({"about": about, "missing": missing, "records": records}), encoding="utf-8")
    text = report(about, records)
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)


def report(about: dict, records: list[dict]) -> str:
    """Every table."""
    cells, wrong = collected(records)
    where = f"{about['processor']}, {about['cores']} cores, {about['system']}, Python {about['python']}"
    how = f"microseconds a call, the least of {about['rounds']} processes"
    load = f"load average at the start {about['load_average']:.1f}"
    parts = [
        f"# Short texts: wordsplit {about['commit']}, {about['date']}",
        f"{where}; texts: {about['texts']}; {how}; {load}.",
    ]
    ratios: dict[str, float] = {}
    vocabs = dict.fromkeys(key[0] for key in cells)
    parts += [compared(cells, vocab, call, ratios) for vocab in vocabs for call in CALLS]
    parts += ["## The stand-ins: how many times as fast as what they stand in for", stand_ins(cells, ratios)]
    worst = sorted(ratios, key=ratios.__getitem__)[:5]
    parts.append("The worst cells: " + "; ".join(f"{cell}: {ratios[cell]:.2f}" for cell in worst) + ".")
    if wrong:
        parts.append("Left out, for other ids than the reference's: " + "; ".join(sorted(wrong)) + ".")
    failed = {f"{r['task']['peer']} with {r['task']['vocab']}: {r['error']}" for r in records if r["error"]}
    if failed:
        parts.append("Not run: " + "; ".join(sorted(failed)) + ".")
    return "\n\n".join(parts) + "\n"


def collected(records: list[dict]) -> tuple[Cells, set[str]]:
    """The least times of each cell, and what was left out for wrong ids."""
    digests = {
        (record["task"]["vocab"], result["size"]): result["digest"]
        for record in records
        if record["task"]["peer"] == judge(record["task"]["vocab"])
        for result in record["results"]
    }
    cells: Cells = defaultdict(dict)
    wrong = set()
    for record in records:
        vocab, name = record["task"]["vocab"], record["task"]["peer"]
        for result in record["results"]:
            if result["digest"] != digests[vocab, result["size"]]:
                wrong.add(f"{name} with {vocab}, {result['size']} bytes")
                continue
            for call, time in result["microseconds"].items():
                cell = cells[vocab, call, result["size"]]
                cell[name] = min(time, cell.get(name, time))
    return cells, wrong


def compared(cells: Cells, vocab: str, call: str, ratios: dict[str, float]) -> str:
    """The table of a vocab and a call: all libraries, and wordsplit against the best of the others."""
    each = [cells.get((vocab, call, size), {}) for size in SIZES]
    names = dict.fromkeys(name for cell in each for name in cell if name not in STAND_INS)
    rows = [[name, *(f"{cell[name]:.2f}" if name in cell else "-" for cell in each)] for name in names]
    last: Row = ["**best other ÷ wordsplit**"]
    for size, cell in zip(SIZES, each, strict=True):
        others = {name: time for name, time in cell.items() if name.partition(":")[0] != "wordsplit"}
        if not others or "wordsplit" not in cell:
            last.append("-")
            continue
        best = min(others, key=others.__getitem__)
        ratio = others[best] / cell["wordsplit"]
        ratios[f"{call}, {vocab}, {size} bytes ({best})"] = ratio
        last.append(f"{ratio:.2f}")
    return f"## {vocab}, {call}: microseconds by bytes\n\n" + table(["", *map(str, SIZES)], [*rows, last])


def stand_ins(cells: Cells, ratios: dict[str, float]) -> str:
    """The table of the stand-ins."""
    rows = []
    for vocab, call in dict.fromkeys(key[:2] for key in cells):
        each = [cells.get((vocab, call, size), {}) for size in SIZES]
        for name, original in STAND_INS.items():
            found = [cell[original] / cell[name] if {name, original} <= cell.keys() else None for cell in each]
            if any(found):
                rows.append([f"{vocab}, {original}, {call}", *("-" if x is None else f"{x:.2f}" for x in found)])
            for size, ratio in zip(SIZES, found, strict=True):
                if ratio is not None:
                    ratios[f"{call} of the stand-in, {vocab}, {size} bytes ({original})"] = ratio
    return table(["", *map(str, SIZES)], rows)


if __name__ == "__main__":
    main()
