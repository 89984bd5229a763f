"""The tables of wordsplit's parts alone."""

from __future__ import annotations


def tables(records: list[dict]) -> str:
    """Encoders by the length of spans, spanners by vocab and corpus."""
    results = [result for record in records for result in record["results"]]
    errors = [record["error"] for record in records if record["error"]]
    if not results:
        return "\n".join(errors)
    encoders = [result for result in results if result["part"] == "encoder"]
    names = list(dict.fromkeys(result["name"] for result in encoders))
    out = ["## Encoders alone: ns a byte, qwen3, no cache"]
    for kind in dict.fromkeys(result["kind"] for result in encoders):
        these = {(r["length"], r["name"]): r["ns_per_byte"] for r in encoders if r["kind"] == kind}
        lengths = sorted({length for length, _ in these})
        head = [f"{kind}, span length", *names]
        rows = [[f"{n:,}", *(f"{these[n, e]:.1f}" if (n, e) in these else "-" for e in names)] for n in lengths]
        out.append(_table(head, rows))
    out.append("## Spanners alone: MB/s")
    spanners = [result for result in results if result["part"] == "spanner"]
    corpora = list(dict.fromkeys(result["corpus"] for result in spanners))
    speed = {(r["vocab"], r["name"], r["corpus"]): f"{r['mb_per_s']:.0f}" for r in spanners}
    pairs = dict.fromkeys((r["vocab"], r["name"]) for r in spanners)
    out.append(_table(["", *corpora], [[f"{v}, {n}", *(speed[v, n, c] for c in corpora)] for v, n in pairs]))
    return "\n\n".join(out + errors)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
