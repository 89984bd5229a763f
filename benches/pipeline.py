"""The benchmark of whole pipelines: ``python benches/pipeline.py [--megabytes 60] [--rounds 3]``.

From compressed JSON Lines and Parquet to files of ids: wordsplit's corpus command, datatrove's tokenizer step,
`datasets.map` with `tokenizers`, and gigatoken's reading of files with its arrays written by NumPy; and `bare`,
wordsplit's batch call on the same texts in memory. Libraries that are missing are installed (`environments.py`). Each
runs in a process of its own that has seen no text before, on the same files; the rounds are interleaved, and the median
counts. The texts are the documents of `corpora.py`, source files of installed Python packages, and, where that is too
little, text of other packages, each once. Writes
``benches/results/pipeline-DATE-COMMIT.json`` and ``.md``.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import NamedTuple

import assembled
import corpora
import environments
import machine
from peers import Gigatoken, Tokenizers

HERE = Path(__file__).resolve().parent
VENV = "pipeline"
REQUIREMENTS = {
    "gigatoken": (Gigatoken.requirement, "awkward>=2.14"),
    "datatrove": ("datatrove[io,processing]==0.10.1", Tokenizers.requirement),
    "datasets": ("datasets==5.2.0", Tokenizers.requirement),
}
NAMES = ("bare", "wordsplit", *REQUIREMENTS)
KINDS = ("jsonl.zst", "parquet")
PARTS = 8
ONCE = 30
"""A run of more seconds is measured once."""


class Installed(NamedTuple):
    """A package that a library needs (`environments.HasRequirement`)."""

    name: str
    requirement: str
    venv: str = VENV


def prepare(names: list[str]) -> dict[str, str]:
    """Install what is missing. Returns the libraries that could not be installed, each with the reason."""
    environments.python("wordsplit", install=True)
    needed = {name: (*REQUIREMENTS[name], environments.QWEN) for name in names if name in REQUIREMENTS}
    return environments.prepare_peers(Installed(name, one) for name, those in needed.items() for one in those)


def documents(megabytes: float) -> list[str]:
    """Documents of about this size in all, each once."""
    found = [text for name in corpora.NAMES for text in corpora.everything(name)]
    seen = set()
    for path in sorted(Path(sysconfig.get_paths()["purelib"]).rglob("*.py")):
        text = path.read_text(encoding="utf-8", errors="ignore")
        if 500 < len(text) < 100_000 and "<|" not in text and hash(text) not in seen:
            seen.add(hash(text))
            found.append(text)
    lacking = megabytes * 1e6 - sum(len(text.encode()) for text in found)
    if lacking > 0:
        for name in ("multi", "code"):
            found += dict.fromkeys(text for text in assembled.documents(name, int(lacking)) if "<|" not in text)
    random.Random(0).shuffle(found)
    taken, size = [], 0.0
    for text in found:
        if size >= megabytes * 1e6:
            break
        taken.append(text)
        size += len(text.encode())
    return taken


def write(folder: Path, texts: list[str]) -> dict[str, list[str]]:
    """Write the texts as files of every kind, a few of each."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import
    from pyarrow import parquet  # noqa: PLC0415 - as above

    files: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for part in range(PARTS):
        mine = texts[part::PARTS]
        rows = [{"id": f"{part}-{at}", "text": text, "meta": {"n": at}} for at, text in enumerate(mine)]
        for kind in KINDS:
            (folder / kind.replace(".", "-")).mkdir(exist_ok=True)
            path = folder / kind.replace(".", "-") / f"part-{part}.{kind}"
            if kind == "parquet":
                parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=1000)
            else:
                data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
                with pa.CompressedOutputStream(str(path), "zstd") as file:
                    file.write(data)
            files[kind].append(str(path))
    return files


def measure(name: str, files: list[str], threads: int, folder: Path) -> dict:
    """Run one library once."""
    out = folder / f"out-{name}"
    for left in folder.glob(f"out-{name}*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    python = environments.python(VENV if name in REQUIREMENTS else "wordsplit")
    command = [python, str(HERE / "pipeline_worker.py"), name, str(out), str(threads), *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["?"])[-1]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--names", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--out", type=Path, default=HERE / "results")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    missing = prepare(given.names)
    texts = documents(given.megabytes)
    size = sum(len(text.encode()) for text in texts) / 1e6
    found: dict[str, dict[str, list[dict]]] = {kind: {name: [] for name in given.names} for kind in KINDS}
    with tempfile.TemporaryDirectory() as temporary:
        files = write(Path(temporary), texts)
        for _ in range(given.rounds):
            for kind in KINDS:
                for name in given.names:
                    if any(one.get("seconds", 0) > ONCE for one in found[kind][name]):
                        continue
                    error = missing.get(name)
                    one = {"error": error} if error else measure(name, files[kind], given.threads, Path(temporary))
                    found[kind][name].append(one)
                    print(kind, name, one, file=sys.stderr)
    about = machine.about() | {"megabytes": round(size, 1), "documents": len(texts), "threads": given.threads}
    stem = given.out / machine.stem(about, "pipeline")
    stem.with_suffix(".json").write_text(json.dumps({"about": about, "runs": found}, indent=1) + "\n")
    stem.with_suffix(".md").write_text(table(about, found))
    print(stem.with_suffix(".md").read_text())


def table(about: dict, found: dict[str, dict[str, list[dict]]]) -> str:
    """The table of the medians."""
    lines = [
        f"Whole pipelines, Qwen3: {about['megabytes']} MB of text, {about['documents']:,} documents.",
        f"{about['threads']} threads, Python {about['python']}, {about['processor']}, commit {about['commit']}.",
        "",
        "MB of text a second by the clock, median (least to most) / by processor time; peak memory of all processes.",
        f"Load of the machine when it began: {about['load_average']:.1f}.",
        "",
        "| | " + " | ".join(KINDS) + " | memory |",
        "|---|" + "---|" * (len(KINDS) + 1),
    ]
    for name in next(iter(found.values())):
        cells, peak = [], 0.0
        for kind in KINDS:
            runs = [one for one in found[kind][name] if "seconds" in one]
            speeds = sorted(about["megabytes"] / one["seconds"] for one in runs)
            processor = sorted(about["megabytes"] / one["processor"] for one in runs)
            peak = max([peak, *(one["peak_mb"] for one in found[kind][name] if "peak_mb" in one)])
            cells.append(
                f"{statistics.median(speeds):.1f} ({speeds[0]:.1f} to {speeds[-1]:.1f})"
                f" / {statistics.median(processor):.1f}"
                if speeds
                else found[kind][name][0]["error"][:60]
            )
        lines.append(f"| {name} | {' | '.join(cells)} | {peak:,.0f} MB |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
