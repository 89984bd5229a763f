"""The benchmark, in one command: ``python benches/run.py [--quick]``.

Makes what it needs (environments, vocab files), checks every library's ids, times every cell, and writes
``benches/results/DATE-COMMIT.json`` (every single figure) and ``.md`` (the tables). docs/benchmarks.md tells how
it is measured and what the columns mean.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import corpora
import environments
import machine
import report
import tasks
import vocab_files
from peers import ALL, FROM_FILES, OTHERS, PEERS, SENTENCEPIECE, judge

HERE = Path(__file__).resolve().parent
TRAINED = ("bert.json", "unigram.json", *(f"{name}.model" for name in SENTENCEPIECE))


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Compare wordsplit with other tokenizer libraries.")
    parser.add_argument("--quick", action="store_true", help="1 MB of text, one round, Qwen3 alone: a few minutes")
    parser.add_argument("--vocab", nargs="+", choices=(*ALL, *FROM_FILES), help="default: the three of byte-level BPE")
    parser.add_argument("--corpus", nargs="+", choices=(*corpora.NAMES, "mix"), default=[*corpora.NAMES, "mix"])
    parser.add_argument("--peers", nargs="+", choices=[peer.name for peer in OTHERS], help="default: all")
    parser.add_argument("--parts", nargs="+", choices=tasks.PARTS, default=list(tasks.PARTS))
    parser.add_argument("--rounds", type=int, help="processes a cell and library (3; 1 with --quick)")
    parser.add_argument("--megabytes", type=float, help="text a corpus (10; 1 with --quick)")
    parser.add_argument("--seconds", type=float, default=6, help="begin no further warm pass after this long")
    parser.add_argument("--hostile-seconds", type=float, default=20, help="no input ten times the size after a tenth")
    parser.add_argument("--out", type=Path, default=HERE / "results")
    given = parser.parse_args()
    given.vocab = given.vocab or (["qwen3"] if given.quick else list(ALL))
    given.peers = [peer.name for peer in OTHERS] if given.peers is None else given.peers
    given.rounds = given.rounds or (1 if given.quick else 3)
    given.megabytes = given.megabytes or (1 if given.quick else 10)
    return given


def main() -> None:
    """Run it."""
    given = arguments()
    missing = environments.prepare([*given.peers, *map(judge, given.vocab)])
    files = HERE / ".cache" / "vocabs"
    command = [environments.python("wordsplit"), vocab_files.__file__, files, environments.site_packages("main")]
    subprocess.run(command, check=True)
    trained = [files / name for name in TRAINED if Path(name).stem in given.vocab]
    if lacking := [path for path in trained if not path.exists()]:
        subprocess.run([environments.python("main"), HERE / "trained.py", *lacking], check=True)

    given.out.mkdir(parents=True, exist_ok=True)
    about = _about(given)
    path = given.out / f"{_stem(about)}{'-quick' if given.quick else ''}.json"
    runner = tasks.Runner(files=files, seconds=given.seconds, size=int(given.megabytes * 1e6))
    plan = tasks.Plan(given.vocab, given.corpus, [name for name in given.peers if name not in missing])
    ran: list[dict] = []

    def keep(record: dict) -> None:
        ran.append(record)
        path.write_text(json.dumps({"about": about, "missing": missing, "records": ran}), encoding="utf-8")

    usable = tasks.check_all(plan, runner, keep)
    for cell in plan.cells(given.parts, given.hostile_seconds):
        for turn in range(
            given.rounds if cell["kind"] != "hostile" else 1
        ):  # A B C, A B C, so that drift hits all alike
            for name in plan.libraries(cell):
                if name.partition(":")[0] == "wordsplit" or (name, cell["vocab"]) in usable:
                    keep(runner.run({**cell, "peer": name}, turn))
    if "components" in given.parts:
        done = subprocess.run(
            [environments.python("wordsplit"), str(HERE / "components.py")], capture_output=True, text=True, check=False
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        keep({"task": {"kind": "components"}, "turn": 0, "results": lines, "error": done.stderr[-300:] or None})
    _progress("")
    print(report.write(path))


def _about(given: argparse.Namespace) -> dict:
    return {
        **machine.about(),
        "megabytes": given.megabytes,
        "rounds": given.rounds,
        "notes": {name: PEERS[name].note for name in given.peers if PEERS[name].note},
    }


def _stem(about: dict) -> str:
    python = about["python"].rpartition(".")[0]
    return "-".join(filter(None, [machine.stem(about), f"python{python}", about["simd"]]))


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
