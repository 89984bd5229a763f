"""The plan of a corpus: an ordered list of units of work that depends only on the inputs and the settings.

A unit is encoded by one worker, and produces one shard. It is a list of segments, each a part of one input:

* plain text and JSON Lines: a range of bytes; the documents that begin in it belong to it;
* Parquet: a run of row groups; Arrow IPC files: a run of record batches;
* a compressed file, an Arrow stream, or a text that is one document: the whole file.

Large files are divided, and consecutive small ones share a unit.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

from wordsplit.corpus.blocks import can_be_ranged
from wordsplit.corpus.inputs import Input
from wordsplit.corpus.settings import Settings
from wordsplit.errors import CorpusError

__all__ = ["LAYOUT", "Plan", "Segment", "make_plan"]

LAYOUT = 1
"""The version of the folder's layout, of the formats, and of how inputs are divided."""

_USUAL, _SMALLEST, _UNITS = 128 << 20, 8 << 20, 64
"""The usual size of a unit; for small corpora, the minimum size and the total number of units."""
_FOOTERS_AT_ONCE = 16
_EXPANDED = {"": 1, "gz": 4, "zst": 4}
"""The average compression ratio of a file; used only for grouping small files."""


class Segment(NamedTuple):
    """A part of an input.

    Attributes:
        input: The index of the input in the plan.
        begin: Its first byte, row group or record batch.
        end: Where it ends; -1 for the end of the file.
    """

    input: int
    begin: int = 0
    end: int = -1


class Plan(NamedTuple):
    """The inputs, and their division into units.

    Attributes:
        identity: Everything that determines the output, as plain data: the vocab, the settings and the layout's
            version.
        inputs: The inputs.
        units: The segments of each unit.
    """

    identity: dict[str, Any]
    inputs: list[Input]
    units: list[list[Segment]]

    @property
    def fingerprint(self) -> str:
        """The sha256 of the identity and the inputs."""
        return hashlib.sha256(json.dumps([self.identity, self.inputs], sort_keys=True).encode()).hexdigest()

    @property
    def settings(self) -> Settings:
        """The settings."""
        return Settings.from_dict(self.identity["settings"])

    @property
    def size(self) -> int:
        """The size of all inputs in bytes, as stored."""
        return sum(file.size for file in self.inputs)

    def unit_sizes(self) -> list[int]:
        """Return the size of each unit in bytes as stored; for a part of Parquet or Arrow, an estimate."""
        parts = Counter(segment.input for unit in self.units for segment in unit)

        def size_of(segment: Segment) -> int:
            file = self.inputs[segment.input]
            if file.kind in ("text", "jsonl"):
                return (file.size if segment.end < 0 else segment.end) - segment.begin
            return file.size // parts[segment.input]

        return [sum(map(size_of, unit)) for unit in self.units]

    def to_json(self) -> bytes:
        """Return the content of ``plan.json``."""
        data = {
            "fingerprint": self.fingerprint,
            "identity": self.identity,
            "inputs": self.inputs,
            "units": self.units,
        }
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n"

    @classmethod
    def from_json(cls, data: bytes, path: str) -> Plan:
        """Read a plan from the output of `to_json`.

        Raises:
            CorpusError: It is damaged.
        """
        try:
            found = json.loads(data.decode("utf-8", "surrogateescape"))
            plan = cls(
                found["identity"],
                [Input(*row) for row in found["inputs"]],
                [[Segment(*segment) for segment in unit] for unit in found["units"]],
            )
            if plan.fingerprint == found["fingerprint"]:
                return plan
            why = "its content does not match its fingerprint"
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            why = f"{type(error).__name__}: {error}"
        raise CorpusError(f"a damaged plan ({why}); start over with --fresh", file=path)

    def differences(self, other: Plan) -> list[str]:
        """Describe how another plan, made now, differs from this one; empty if both give the same output."""
        now = other.identity
        if now["vocab_fingerprint"] == self.identity["vocab_fingerprint"]:
            now = now | {"vocab": self.identity["vocab"]}  # its name does not matter
        found = list(_differences(self.identity, now))
        mine = {file.path: file for file in self.inputs}
        theirs = {file.path: file for file in other.inputs}
        for verb, paths in (
            ("gone", [path for path in mine if path not in theirs]),
            ("new", [path for path in theirs if path not in mine]),
            ("changed", [path for path, file in mine.items() if path in theirs and theirs[path] != file]),
        ):
            if paths:
                more = f" and {len(paths) - 3:,} more" if len(paths) > 3 else ""
                found.append(f"inputs {verb}: {', '.join(paths[:3])}{more}")
        if not found and self.inputs != other.inputs:
            found.append("the inputs are in a different order")
        if not found and self.units != other.units:
            found.append("its units are not those of its inputs and settings: it was edited or damaged")
        return found


def make_plan(identity: dict[str, Any], inputs: Sequence[Input], settings: Settings) -> Plan:
    """Divide inputs into units.

    Args:
        identity: The data that determine the output, besides the settings and the inputs: the vocab and the added ids.
        inputs: The inputs.
        settings: The settings.

    Raises:
        CorpusError: The footer of a large Parquet or Arrow file cannot be read.
    """
    identity = {"layout": LAYOUT, **identity, "settings": settings.to_dict()}
    most = settings.unit_bytes or min(max(sum(map(_decompressed, inputs)) // _UNITS, _SMALLEST), _USUAL)
    with ThreadPoolExecutor(_FOOTERS_AT_ONCE, "wordsplit-footers") as threads:
        parts = threads.map(lambda at: _divided(at, inputs[at], settings.terminator, most), range(len(inputs)))
        units = list(_grouped(parts, most))
    if settings.shuffle is not None:
        units.sort(key=lambda unit: hashlib.sha256(f"{settings.shuffle}:{unit[0]}".encode()).digest())
    return Plan(identity, list(inputs), units)


def _decompressed(file: Input) -> int:
    """Return the approximate size of a file when it is decompressed."""
    return file.size * (2 if file.kind == "parquet" else _EXPANDED[file.compression])


def _divided(at: int, file: Input, terminator: bytes | None, most: int) -> list[tuple[Segment, int]]:
    """Return the segments of an input, each with its approximate size."""
    size = _decompressed(file)
    terminator = b"\n" if file.kind == "jsonl" else terminator
    if file.kind in ("parquet", "arrow"):
        if size > most:
            from wordsplit.corpus.columnar import parts_of  # noqa: PLC0415 - only for these

            return [(Segment(at, *run), part) for run, part in _runs(parts_of(file), most)]
    elif not file.compression and terminator is not None and can_be_ranged(terminator):
        count = -(-file.size // most) or 1
        bounds = [file.size * k // count for k in range(count)] + [-1]
        return [(Segment(at, begin, end), size // count) for begin, end in pairwise(bounds)]
    return [(Segment(at), size)]


def _runs(sizes: Sequence[int], most: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield ranges of consecutive parts with a total of about ``most`` bytes, and their sizes."""
    begin = size = 0
    for at, part in enumerate(sizes):
        if size and size + part > most:
            yield (begin, at), size
            begin, size = at, 0
        size += part
    yield (begin, len(sizes)), size


def _grouped(parts: Iterable[list[tuple[Segment, int]]], most: int) -> Iterator[list[Segment]]:
    """Yield units: consecutive small inputs together, large ones alone."""
    unit: list[Segment] = []
    size = 0
    for segments in parts:
        for segment, more in segments:
            if unit and (len(segments) > 1 or size + more > most):
                yield unit
                unit, size = [], 0
            unit.append(segment)
            size += more
            if len(segments) > 1:
                yield unit
                unit, size = [], 0
    if unit:
        yield unit


def _differences(mine: Any, theirs: Any, name: str = "") -> Iterator[str]:
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key in [*mine, *(key for key in theirs if key not in mine)]:
            yield from _differences(mine.get(key), theirs.get(key), key)
    elif mine != theirs:
        yield f"{name}: {mine!r} in the plan, {theirs!r} now"
