"""The benchmark of working sets: ``python benches/working_set.py [--sizes 1 4 16 64 256] [--texts FILE]``.

How speed falls as a process sees more text. For each size, a process of its own encodes that much text that repeats no
document, then the same text again, then 4 MB that it has not seen: in batches of 256 documents, to flat arrays, on one
thread. A corpus that has less text than a size is measured with what it has. And where spans were found: in the hot
cache of the thread, as equal to another of their block, as a token of the vocab, in the cache that threads share; the
others were encoded, or too long for the caches. Writes ``benches/results/working-set-DATE-COMMIT.json`` and ``.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import corpora
import environments
import machine
from report import table

HERE = Path(__file__).resolve().parent
BATCH = 256  # documents
NEW = 4_000_000  # bytes
PASSES = {"first": "first", "again": "the same again", "new": "new text"}


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="Measure how speed falls as the working set grows.")
    parser.add_argument("--vocab", default="qwen3")
    parser.add_argument("--corpus", nargs="+", choices=(*corpora.NAMES, "mix"), default=list(corpora.NAMES))
    parser.add_argument("--sizes", nargs="+", type=int, default=[1, 4, 16, 64, 256], help="MB of text")
    parser.add_argument("--rounds", type=int, default=3, help="processes a size; the median counts")
    parser.add_argument("--texts", type=Path, help="JSON Lines with a field text, in place of the corpora")
    given = parser.parse_args()
    if given.texts and not given.texts.is_file():
        parser.error(f"--texts {given.texts}: no such file")
    sources = [str(given.texts.resolve())] if given.texts else given.corpus
    environments.prepare([])
    about = machine.about() | {"vocab": given.vocab, "rounds": given.rounds}
    if given.texts:
        about["texts"] = given.texts.name
    records = []
    for _ in range(given.rounds):
        for corpus in sources:
            for size in given.sizes:
                command = [environments.python("wordsplit"), __file__, "--one", given.vocab, corpus, str(size)]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                records.append({"corpus": Path(corpus).stem, "size": size, **json.loads(done.stdout)})
                print(records[-1], file=sys.stderr)
                if records[-1]["bytes"] < 0.97e6 * size:
                    break  # the corpus has no more
    path = HERE / "results" / f"{machine.stem(about, 'working-set')}.json"
    path.write_text(json.dumps({"about": about, "records": records}), encoding="utf-8")
    text = report(about, records)
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)


def one(vocab: str, corpus: str, size: int) -> dict:
    """The speeds of one process in MB/s, and the shares of spans by where they were found, in percent."""
    import numpy as np  # noqa: F401, PLC0415 - so that the first call does not import it

    import wordsplit  # noqa: PLC0415 - the parent process does not need it

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    tok = wordsplit.load_tokenizer(vocab)
    span_counts = tok._engine.span_counts  # noqa: SLF001 - no public call has them
    texts = load(corpus, size * 1_000_000)
    new = load(corpus, NEW, tuning=True)
    out: dict = {"bytes": sum(len(text.encode()) for text in texts)}
    for name, some in (("first", texts), ("again", texts), ("new", new)):
        before = span_counts()
        spent = 0.0
        for at in range(0, len(some), BATCH):
            batch = some[at : at + BATCH]
            start = time.perf_counter()
            held = tok.encode_batch_to_numpy(batch, threads=1)
            spent += time.perf_counter() - start
            del held  # freeing it is no part of the call
        found = {level: count - before[level] for level, count in span_counts().items()}
        spans = sum(found.values())
        out[name] = {
            "speed": sum(len(text.encode()) for text in some) / spent / 1e6,
            "nanoseconds": spent / spans * 1e9,
            "found": {level: 100 * count / spans for level, count in found.items()},
        }
    return out


def load(corpus: str, limit: int, *, tuning: bool = False) -> list[str]:
    """Documents of about ``limit`` bytes of one half of a corpus, or of a JSON Lines file."""
    if corpus in (*corpora.NAMES, "mix"):
        return corpora.load(corpus, limit, tuning=tuning)
    with Path(corpus).open(encoding="utf-8") as lines:
        return corpora.every_second([json.loads(line)["text"] for line in lines], limit, tuning=tuning)


def report(about: dict, records: list[dict]) -> str:
    """The tables."""
    where = f"{about['processor']}, {about['cores']} cores, {about['system']}, Python {about['python']}"
    how = f"{about['vocab']}, flat arrays, one thread, medians of {about['rounds']} processes"
    load = f"load average at the start {about['load_average']:.1f}"
    parts = [
        f"# Working sets: wordsplit {about['commit']}, {about['date']}",
        f"{where}; texts: {about['texts']}; {how}; {load}.",
    ]
    levels = list(records[0]["first"]["found"])
    for corpus in dict.fromkeys(record["corpus"] for record in records):
        rows = []
        for size in dict.fromkeys(record["size"] for record in records if record["corpus"] == corpus):
            some = [record for record in records if (record["corpus"], record["size"]) == (corpus, size)]
            held = statistics.median(record["bytes"] for record in some) / 1e6
            for name, words in PASSES.items():
                speed, cost = (statistics.median(r[name][key] for r in some) for key in ("speed", "nanoseconds"))
                shares = [statistics.median(r[name]["found"][level] for r in some) for level in levels]
                rows.append([f"{held:.0f} MB, {words}", f"{speed:.1f}", f"{cost:.1f}", *(f"{x:.2f}" for x in shares)])
        parts += [f"## {corpus}", table(["", "MB/s", "ns a span", *(f"{level}, %" for level in levels)], rows)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(sys.argv[2], sys.argv[3], int(sys.argv[4]))))
    else:
        main()
