"""From the records of a run to tables and a plot: ``python benches/report.py benches/results/FILE.json``."""

from __future__ import annotations

import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path

import components_report
import plot

Row = list[str]
REGIMES = ("first", "steady", "warm")
CALLS = {
    ("list", True): "str → list, one at a time",
    ("batch", True): "batch → lists, all cores",
    ("flat", True): "batch → flat, all cores",
    ("batch", False): "batch → lists, 1 thread",
    ("flat", False): "batch → flat, 1 thread",
    ("lone", True): "batches of one, all cores",
    ("lone", False): "batches of one, 1 thread",
    ("count", True): "count",
    ("decode", True): "decode",
}


class Run:
    """A run's records, with the rounds of a cell brought together."""

    def __init__(self, path: Path) -> None:
        content = json.loads(path.read_text(encoding="utf-8"))
        self.about, self.missing, self.records = content["about"], content["missing"], content["records"]
        self.wrong: dict[tuple[str, str], int] = defaultdict(int)
        for record in self.of("check"):
            self.wrong[record["task"]["peer"], record["task"]["vocab"]] += record.get("wrong", 0)

    def of(self, kind: str) -> list[dict]:
        """The records of one kind."""
        return [record for record in self.records if record["task"]["kind"] == kind]

    def speeds(self) -> dict[tuple[str, str, str, int], dict[str, dict[str, float]]]:
        """(call, vocab, corpus, threads) -> library -> MB/s in each of `REGIMES` measured: medians of the rounds."""
        rounds: dict[tuple, dict] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
        for record in self.of("time") + self.of("steady"):
            task = record["task"]
            key = task["call"], task["vocab"], task["corpus"], task["threads"]
            for result in record["results"]:
                for at in set(REGIMES) & set(result):
                    rounds[key][task["peer"]][at].append(result["bytes"] / result[at] / 1e6)
        return {
            key: {
                name: {at: statistics.median(found) for at, found in regimes.items()}
                for name, regimes in libraries.items()
            }
            for key, libraries in rounds.items()
        }

    def regimes(self) -> list[str]:
        """The regimes that were measured, of `REGIMES`."""
        return [at for at in REGIMES if any(at in s for cell in self.speeds().values() for s in cell.values())]

    def medians(self, kind: str, field: str) -> dict[str, dict[str, float]]:
        """Vocab -> library -> the median of a field."""
        found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for record in self.of(kind):
            for result in record["results"]:
                found[record["task"]["vocab"]][record["task"]["peer"]].append(result[field])
        return {v: {name: statistics.median(xs) for name, xs in names.items()} for v, names in found.items()}


def write(path: Path) -> str:
    """Write the tables beside the records, and the plot if Matplotlib is there. Returns the tables."""
    run = Run(path)
    parts = [heading(run), checks(run), summary(run)]
    parts += [speeds(run, vocab) for vocab in dict.fromkeys(key[1] for key in run.speeds())]
    parts += [scaling(run), costs(run), hostile(run), components_report.tables(run.of("components"))]
    if plot.draw(run.speeds(), path.with_suffix(".svg"), run.about):
        parts.insert(3, f"![Speeds]({path.with_suffix('.svg').name})")
    text = "\n\n".join(filter(None, parts)) + "\n"
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    return text


def table(head: Row, rows: list[Row]) -> str:
    """A Markdown table."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def heading(run: Run) -> str:
    """When, what, where."""
    about = run.about
    simd = about.get("simd")
    return (
        f"# wordsplit {about['commit']}, {about['date']}\n\n"
        f"{about['processor']}, {about['cores']} cores, {about['system']}, Python {about['python']}; "
        f"texts: {about['texts']}, {about['megabytes']:g} MB each; {about['rounds']} rounds; "
        f"load average at the start {about['load_average']:.1f}."
        + (f" wordsplit is held to {simd} (`WORDSPLIT_SIMD`), the others are not." if simd else "")
    )


def checks(run: Run) -> str:
    """Versions, and whose ids are wrong."""
    rows: dict[str, dict[str, str]] = defaultdict(dict)
    versions: dict[str, str] = {}
    for record in run.of("check"):
        name, vocab = record["task"]["peer"], record["task"]["vocab"]
        if record["error"]:
            rows[name][vocab] = record["error"]
            continue
        versions[name] = record["results"][0]["version"]
        rows[name][vocab] = f"{run.wrong[name, vocab]} wrong" if "wrong" in record else "not checked"
    vocabs = list(dict.fromkeys(record["task"]["vocab"] for record in run.of("check")))
    lines = [
        [name, versions.get(name, "-"), *(found.get(v, "not offered") for v in vocabs)] for name, found in rows.items()
    ]
    lines += [[name, "-", *[f"skipped: {reason}"] * len(vocabs)] for name, reason in run.missing.items()]
    notes = "".join(f"\n- {name}: {note}" for name, note in run.about["notes"].items())
    return (
        "## Libraries\n\nDocuments of the sample whose ids are not the reference's.\n\n"
        + table(["library", "version", *vocabs], lines)
        + ("\n" + notes if notes else "")
    )


def best(cell: dict[str, dict[str, float]], at: str) -> tuple[str, float]:
    """The quickest of the others."""
    return max(
        ((n, s[at]) for n, s in cell.items() if n != "wordsplit" and at in s), key=lambda x: x[1], default=("-", 0.0)
    )


def ratio(cell: dict[str, dict[str, float]], at: str) -> str:
    """wordsplit against the quickest of the others."""
    name, speed = best(cell, at)
    own = cell.get("wordsplit", {}).get(at)
    return f"{own / speed:.2f} ({name})" if speed and own else "-"


def summary(run: Run) -> str:
    """The ratios alone."""
    regimes = run.regimes()
    rows = [
        [f"{vocab} {corpus}, {CALLS[call, threads > 1]}", *(ratio(cell, at) for at in regimes)]
        for (call, vocab, corpus, threads), cell in run.speeds().items()
    ]
    head = ["cell", *(f"{at} ÷ best other" for at in regimes)]
    return "## wordsplit ÷ the best other\n\n" + table(head, rows) if rows else ""


def speeds(run: Run, vocab: str) -> str:
    """MB/s of everybody, with one vocab."""
    cells, regimes = {key: cell for key, cell in run.speeds().items() if key[1] == vocab}, run.regimes()
    corpora = list(dict.fromkeys(key[2] for key in cells))
    out = [f"## {vocab}: MB/s, {' / '.join(regimes)}"]
    for call, threads in dict.fromkeys((key[0], key[3]) for key in cells):
        these = [cells.get((call, vocab, corpus, threads), {}) for corpus in corpora]
        rows = []
        for name in dict.fromkeys(name for cell in these for name in cell):
            mark = " *" if run.wrong[name, vocab] else ""
            rows.append([name + mark, *(_each(regimes, cell.get(name, {})) for cell in these)])
        rows.append(["**÷ best other**", *(" / ".join(_x(cell, at) for at in regimes) for cell in these)])
        out.append(table([CALLS[call, threads > 1], *corpora], rows))
    return "\n\n".join([*out, "\\* some of its ids are wrong"])


def _each(regimes: list[str], speeds: dict[str, float]) -> str:
    return " / ".join(f"{speeds[at]:.1f}" if at in speeds else "-" for at in regimes)


def _x(cell: dict[str, dict[str, float]], at: str) -> str:
    return ratio(cell, at).partition(" ")[0]


def scaling(run: Run) -> str:
    """All cores against one thread."""
    rows, found = [], run.speeds()
    for (call, vocab, corpus, threads), one in found.items():
        many = found.get((call, vocab, corpus, run.about["cores"]))
        if threads == 1 and many and run.about["cores"] > 1:
            for name in sorted(one.keys() & many.keys(), key=lambda name: name != "wordsplit"):
                both = one[name].keys() & many[name].keys()
                figures = [f"{many[name][at] / one[name][at]:.2f}" if at in both else "-" for at in run.regimes()]
                rows.append([f"{vocab} {corpus}, {CALLS[call, True].partition(',')[0]}, {name}", *figures])
    head = ["", *run.regimes()]
    return f"## {run.about['cores']} threads ÷ 1 thread\n\n" + table(head, rows) if rows else ""


def costs(run: Run) -> str:
    """Load time and memory."""
    imported = run.medians("load", "imported")
    ready, first = run.medians("load", "ready"), run.medians("load", "first_ids")
    loaded, used = run.medians("memory", "loaded"), run.medians("memory", "used")
    rows = []
    for vocab, names in ready.items():
        for name in names:
            sizes = [f"{m.get(vocab, {}).get(name, float('nan')) / 2**20:.0f}" for m in (loaded, used)]
            times = [f"{1e3 * found[vocab][name]:.0f}" for found in (imported, ready, first)]
            rows.append([f"{vocab}, {name}", *times, *sizes])
    head = ["", "import, ms", "ready, ms", "first ids, ms", "MiB loaded", "MiB in use"]
    return "## Load time and memory\n\n" + table(head, rows) if rows else ""


def hostile(run: Run) -> str:
    """Seconds for the largest size that each library reached."""
    rows: dict[str, dict[str, str]] = defaultdict(dict)
    digests = {
        (record["task"]["input"], result["bytes"]): result["digest"]
        for record in run.of("hostile")
        if record["task"]["peer"] == "wordsplit"
        for result in record["results"]
    }
    for record in run.of("hostile"):
        text = "-"
        if record["results"]:
            last = record["results"][-1]
            text = f"{last['seconds']:.2f} s" if last["bytes"] >= 9_999_999 else _partial(last)
            same = digests.get((record["task"]["input"], last["bytes"]), last["digest"]) == last["digest"]
            text += "" if same else " ≠"
        if record["error"]:
            text += f", then {record['error'][:60]}" if record["results"] else record["error"][:60]
        rows[record["task"]["input"]][record["task"]["peer"]] = text.replace("|", "\\|")
    names = list(dict.fromkeys(record["task"]["peer"] for record in run.of("hostile")))
    lines = [[name, *(found.get(peer, "-") for peer in names)] for name, found in rows.items()]
    head = "## Hostile inputs\n\n10 million characters in one text, or as many as time allowed; ≠: other ids\n\n"
    return head + table(["", *names], lines) if lines else ""


def _partial(result: dict) -> str:
    return f"{result['bytes'] / 1e6:g} MB: {result['seconds']:.2f} s"


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
