"""The benchmark of training, in one command: ``python benches/training.py [--quick]``.

Trains with wordsplit and with every peer on the same documents, by the same pattern, to the same size, each time in a
process of its own, and writes ``benches/results/training-DATE-COMMIT.json`` (every figure) and ``.md`` (the tables).
docs/benchmarks.md tells how it is measured.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import corpora
import environments
import machine
import training_report
from training_peers import OTHERS, PATTERNS, TRAINERS, WORDSPLITS, Text
from training_tokens import Tokens

HERE = Path(__file__).resolve().parent
NO_MERGES = 256  # the vocab size at which only counting is left to do


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Compare wordsplit's training with other libraries'.")
    parser.add_argument(
        "--quick", action="store_true", help="corpora as they are, 8,000 tokens, gpt2 pattern, one round"
    )
    parser.add_argument("--corpus", nargs="+", choices=corpora.NAMES, default=["en", "multi"])
    parser.add_argument("--megabytes", type=float, default=100, help="repeat a corpus to this size; 0: as it is")
    parser.add_argument("--pattern", nargs="+", choices=list(PATTERNS), default=list(PATTERNS))
    parser.add_argument("--vocab-size", nargs="+", type=int, default=[8000, 50000])
    parser.add_argument("--threads", nargs="+", type=int, default=sorted({1, os.cpu_count() or 1}))
    parser.add_argument("--peers", nargs="*", choices=[peer.name for peer in OTHERS], help="default: all")
    parser.add_argument("--rounds", type=int, default=3, help="processes a figure; the best counts")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds after which a training is given up")
    parser.add_argument("--out", type=Path, default=HERE / "results")
    given = parser.parse_args()
    if given.quick:
        given.megabytes, given.vocab_size, given.pattern, given.rounds = 0, [8000], ["gpt2"], 1
    given.peers = [peer.name for peer in OTHERS] if given.peers is None else given.peers
    return given


def main() -> None:
    """Run it."""
    given = arguments()
    peers = [*WORDSPLITS, *(peer for peer in OTHERS if peer.name in given.peers)]
    environments.python("wordsplit", install=True)
    missing = environments.prepare_peers(peer for peer in peers if peer.requirement)
    texts = [_text(name, given.megabytes) for name in given.corpus]
    about = {
        **machine.about(),
        "rounds": given.rounds,
        "bytes": {text.corpus: sum(len(document.encode()) for document in text.documents()) for text in texts},
        "times": {text.corpus: text.times for text in texts},
        "versions": {peer.name: peer.requirement or "this commit" for peer in peers},
        "notes": {peer.name: peer.note for peer in peers if peer.note},
    }
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / f"{machine.stem(about, 'training')}{'-quick' if given.quick else ''}.json"
    records: list[dict] = []
    tokens = Tokens()
    for turn, task in itertools.product(range(given.rounds), list(_tasks(given, texts))):
        for peer in peers:
            if peer.name in missing or task["pattern"] not in peer.patterns:
                continue
            if (peer.counts or peer.judges) and task["vocab_size"] == NO_MERGES:
                continue
            if peer.judges and (turn or task["threads"] != given.threads[-1]):
                continue
            _progress(f"{peer.name} {task} round {turn + 1}")
            done = _run({**task, "peer": peer.name}, given.timeout)
            records.append({**task, "peer": peer.name, "turn": turn, **done})
            if not done["error"]:
                tokens.add(records[-1], records[-1].pop("tokens"))
            found = {"about": about, "missing": missing, "same": tokens.compared(), "records": records}
            path.write_text(json.dumps(found), encoding="utf-8")
    _progress("")
    print(training_report.write(path))


def _text(corpus: str, megabytes: float) -> Text:
    size = sum(len(document.encode()) for document in Text(corpus, 1).documents())
    return Text(corpus, max(1, round(megabytes * 1e6 / size)))


def _tasks(given: argparse.Namespace, texts: list[Text]) -> Iterator[dict]:
    for text, pattern, threads in itertools.product(texts, given.pattern, given.threads):
        for vocab_size in (NO_MERGES, *given.vocab_size):
            shape = {"pattern": pattern, "threads": threads, "vocab_size": vocab_size}
            yield {"corpus": text.corpus, "times": text.times, **shape}


def _run(task: dict, timeout: float) -> dict:
    """The answer of one worker, its tokens among it, or its error."""
    environment = {**os.environ, "RAYON_NUM_THREADS": str(task["threads"]), "TOKENIZERS_PARALLELISM": "true"}
    command = [environments.python(TRAINERS[task["peer"]].venv), str(HERE / "training_worker.py"), json.dumps(task)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, timeout=timeout, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return {"error": f"over {timeout:.0f} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1][:200]}
    return {"error": None, **json.loads(done.stdout)}


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
