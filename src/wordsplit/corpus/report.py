"""The report of a corpus: its content, and the speed of encoding it, as text, JSON and a page with plots."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from dataclasses import replace as changed
from typing import Any

from wordsplit.corpus.output_folder import OutputFolder

__all__ = ["Report"]


@dataclass(frozen=True)
class Report:
    """The documents of a corpus.

    Attributes:
        documents: The numbers of documents: ``"in"``, of these ``"written"``, ``"empty"`` and left out, or
            ``"skipped"`` because they could not be read.
        tokens: The ids written.
        bytes: The bytes of text encoded.
        invalid_utf8: The documents with bytes that are not UTF-8.
        lengths: Documents by length in ids: item 0 counts those of length 0, item k those of ``2**(k-1)`` to
            ``2**k - 1`` ids.
        damaged: Messages about files that could not be read and were skipped.
        run: The last run: its engine, workers, units, seconds and seconds by step (each the sum over the threads),
            bytes of input as stored, and peak memory in bytes; ``None`` if everything was done before.
    """

    documents: dict[str, int]
    tokens: int
    bytes: int
    invalid_utf8: int
    lengths: list[int]
    damaged: list[str]
    run: dict[str, Any] | None = field(default=None)

    @classmethod
    def of_records(cls, records: Iterable[dict[str, Any]]) -> Report:
        """Add up the records of units."""
        documents = {"in": 0, "written": 0, "empty": 0, "skipped": 0}
        tokens = size = invalid = 0
        lengths: list[int] = []
        damaged: list[str] = []
        for record in records:
            for name in documents:
                documents[name] += record["documents"][name]
            tokens += record["tokens"]
            size += record["bytes"]
            invalid += record["invalid_utf8"]
            lengths += [0] * (len(record["lengths"]) - len(lengths))
            lengths = [a + b for a, b in zip(lengths, record["lengths"], strict=True)]
            damaged += record["damaged"]
        return cls(documents, tokens, size, invalid, lengths, damaged)

    @classmethod
    def of_folder(cls, folder: OutputFolder) -> Report:
        """Return the report of the documents of a complete corpus."""
        return cls.of_records(map(folder.record, sorted(folder.done())))

    def with_run(self, run: dict[str, Any]) -> Report:
        """Return the report with the figures of a run."""
        return changed(self, run=run)

    @property
    def bytes_per_token(self) -> float:
        """The average number of bytes of a token; 0 if there are none."""
        return self.bytes / self.tokens if self.tokens else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return asdict(self) | {"bytes_per_token": round(self.bytes_per_token, 4)}

    def save(self, folder: OutputFolder) -> None:
        """Write ``report.json`` and ``report.html``."""
        folder.write(folder.path / "report.json", json.dumps(self.to_dict(), indent=1).encode() + b"\n")
        folder.write(folder.path / "report.html", self.html(str(folder.path)).encode("utf-8", "backslashreplace"))

    def __str__(self) -> str:
        return "\n".join(f"{name:<16}{value}" for name, value in self._rows())

    def _rows(self) -> Iterable[tuple[str, str]]:
        counts = self.documents
        left_out = [f"{counts[name]:,} {name}" for name in ("empty", "skipped") if counts[name]]
        yield (
            "documents",
            f"{counts['written']:,}" + (f" of {counts['in']:,} ({', '.join(left_out)})" if left_out else ""),
        )
        yield "tokens", f"{self.tokens:,}"
        size = f"{self.bytes / 1e6:,.1f} MB" if self.bytes >= 1e6 else f"{self.bytes:,} bytes"
        yield "text", f"{size}, {self.bytes_per_token:.2f} bytes per token"
        if counts["written"]:
            yield "lengths", f"{self.tokens / counts['written']:,.0f} tokens on average; {_median(self.lengths)}"
        if self.invalid_utf8:
            yield "not UTF-8", f"{self.invalid_utf8:,} documents, encoded byte by byte"
        for message in self.damaged[:10]:
            yield "skipped", message
        if len(self.damaged) > 10:
            yield "", f"and {len(self.damaged) - 10:,} more files"
        if self.run and self.run["units"]:
            run, seconds = self.run, self.run["seconds"]
            yield "time", f"{seconds:,.1f} s for {run['units']:,} units with {run['workers']} workers ({run['engine']})"
            for step, spent in run["seconds_by_step"].items():
                if spent:
                    yield f"  {step}", f"{self.bytes / 1e6 / spent:,.0f} MB/s of text in one thread"
            if run["peak_memory"]:
                yield "memory", f"{run['peak_memory'] / 1e6:,.0f} MB at most"

    def html(self, title: str) -> str:
        """Return a self-contained page: the figures, and plots of lengths and steps."""
        rows = "".join(f"<tr><th>{html.escape(a)}</th><td>{html.escape(b)}</td></tr>" for a, b in self._rows())
        lengths = [(_class_name(k), count) for k, count in enumerate(self.lengths)]
        while lengths and not lengths[-1][1]:
            lengths.pop()
        plots = _bars("Documents by length in tokens", lengths, "{:,.0f}")
        if self.run and any(self.run["seconds_by_step"].values()):
            plots += _bars("Seconds by step, all threads", list(self.run["seconds_by_step"].items()), "{:,.1f}")
        return _PAGE.format(title=html.escape(title), rows=rows, plots=plots)


def _class_name(k: int) -> str:
    low, high = (1 << k) >> 1, (1 << k) - 1
    return str(low) if low >= high else f"{_short(low)}–{_short(high)}"  # noqa: RUF001 - a range


def _short(number: int) -> str:
    for power, unit in ((30, "Gi"), (20, "Mi"), (10, "Ki")):
        if number + 1 >= 1 << power:
            return f"{(number + 1) >> power}{unit}"
    return str(number)


def _median(lengths: list[int]) -> str:
    half, seen = sum(lengths) / 2, 0
    for k, count in enumerate(lengths):
        seen += count
        if seen >= half:
            return f"half of them have {(1 << k) - 1:,} or fewer"
    return ""


def _bars(title: str, items: Sequence[tuple[str, float]], shown: str) -> str:
    """Return a bar chart as SVG."""
    top = max((value for _, value in items), default=0) or 1
    height, width = 22 * len(items), 640
    parts = [f'<h2>{html.escape(title)}</h2><svg viewBox="0 0 {width} {height}" role="img" aria-label="{title}">']
    for k, (name, value) in enumerate(items):
        y, length = 22 * k, 400 * value / top
        parts.append(
            f'<text x="118" y="{y + 15}" text-anchor="end">{html.escape(str(name))}</text>'
            f'<rect x="126" y="{y + 3}" width="{length:.1f}" height="16" rx="2"/>'
            f'<text x="{132 + length:.1f}" y="{y + 15}">{shown.format(value)}</text>'
        )
    return "".join(parts) + "</svg>"


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
:root {{ color-scheme: light dark; --bar: #3b6ea5 }}
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem }}
h1 {{ font-size: 1.2rem; overflow-wrap: anywhere }} h2 {{ font-size: 1rem; margin: 2rem 0 .5rem }}
th {{ text-align: left; padding-right: 2rem; font-weight: 600; vertical-align: top }}
svg {{ width: 100%; font: 12px system-ui, sans-serif; fill: currentColor }} rect {{ fill: var(--bar) }}
</style></head><body><h1>{title}</h1><table>{rows}</table>{plots}</body></html>
"""
