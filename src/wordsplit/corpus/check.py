"""The state of an output folder: `status` while it is written, and `verify`, which reads everything again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from wordsplit.arrays import numpy
from wordsplit.cores import cores
from wordsplit.corpus.checksum import recorded_checksum
from wordsplit.corpus.formats import Layout
from wordsplit.corpus.formats import get as format_of
from wordsplit.corpus.output_folder import OutputFolder, shard_name
from wordsplit.corpus.plan import Plan
from wordsplit.corpus.report import Report
from wordsplit.errors import CorpusError

__all__ = ["Status", "status", "verify"]

_BLOCK = 1 << 20


class Status(NamedTuple):
    """The state of a corpus.

    Attributes:
        path: The folder.
        complete: Whether everything is done.
        units: The units of the plan.
        units_done: Those that are recorded.
        bytes: The bytes of all inputs, as stored.
        bytes_done: Those of the recorded units.
        report: The documents of the recorded units.
    """

    path: str
    complete: bool
    units: int
    units_done: int
    bytes: int
    bytes_done: int
    report: Report

    def to_dict(self) -> dict[str, Any]:
        """Return the status as plain data."""
        return self._asdict() | {"report": self.report.to_dict()}

    def __str__(self) -> str:
        share = self.bytes_done / self.bytes if self.bytes else 1.0
        state = "complete" if self.complete else "incomplete: run the same command again to continue"
        units = f"{self.units_done:,} of {self.units:,} ({share:.0%} of {self.bytes / 1e6:,.1f} MB)"
        return f"{self.path}: {state}\n{'units':<16}{units}\n{self.report}"


def status(out: str | os.PathLike[str]) -> Status:
    """Return the progress of a corpus, during or after a run.

    Args:
        out: The output folder of `wordsplit.corpus.encode`.

    Raises:
        CorpusError: The folder is not an output folder, or a record is damaged.

    Example:
        >>> import pathlib, tempfile
        >>> from wordsplit import corpus
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.txt").write_text("hello world")
        >>> _ = corpus.encode(folder / "a.txt", folder / "out", progress=False)
        >>> corpus.status(folder / "out").complete
        True
    """
    folder = OutputFolder(out)
    plan = folder.plan()
    done = sorted(folder.done() & set(range(len(plan.units))))
    sizes = plan.unit_sizes()
    return Status(
        str(folder.path),
        folder.success_file.exists(),
        len(plan.units),
        len(done),
        plan.size,
        sum(sizes[unit] for unit in done),
        Report.of_records(map(folder.record, done)),
    )


def verify(out: str | os.PathLike[str], *, workers: int | None = None) -> list[str]:
    """Read a corpus again, and return its problems; an empty list if it is complete and undamaged.

    Every file is compared with the checksum in its record, the documents and ids of every shard with their numbers in
    its record, and the manifest with the records.

    Args:
        out: The output folder of `wordsplit.corpus.encode`.
        workers: The number of threads; ``None`` for one per core.

    Raises:
        CorpusError: The folder is not an output folder.

    Example:
        >>> import pathlib, tempfile
        >>> from wordsplit import corpus
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.txt").write_text("hello world")
        >>> _ = corpus.encode(folder / "a.txt", folder / "out", progress=False)
        >>> corpus.verify(folder / "out")
        []
        >>> _ = (folder / "out/shards/000000.tokens").write_bytes(b"damaged")
        >>> corpus.verify(folder / "out")
        ['shards/000000.tokens: 7 bytes, not 8']
    """
    folder = OutputFolder(out)
    plan = folder.plan()
    done = folder.done()
    found = []
    if missing := folder.missing(plan):
        found.append(missing)
    if extra := sorted(done - set(range(len(plan.units)))):
        found.append(f"records of units that are not in the plan, the first is {shard_name(extra[0])}")
    with ThreadPoolExecutor(workers or cores(), "wordsplit-verify") as threads:
        for problems in threads.map(lambda unit: list(_problems(folder, plan, unit)), sorted(done)):
            found += problems
    if not found:
        found += _of_manifest(folder, plan)
    return found


def _problems(folder: OutputFolder, plan: Plan, unit: int) -> Iterator[str]:
    try:
        record = folder.record(unit)
    except CorpusError as error:
        yield str(error)
        return
    whole = True
    for name, file in record["files"].items():
        if problem := _problem_of_file(folder, name, file):
            whole = False
            yield problem
    if not whole:
        return
    np = numpy()
    layout = Layout(dtype=plan.identity["dtype"], has_keys=plan.settings.id_field is not None)
    try:
        shard = format_of(plan.settings.format).open(folder.shards / shard_name(unit), layout)
        ends = np.asarray(shard.ends)
        documents, tokens = shard.documents, shard.tokens
        rises = not len(ends) or (int(ends[-1]) == tokens and not (ends[1:] < ends[:-1]).any())
    except CorpusError as error:
        yield str(error)
        return
    if not rises:
        yield f"shard {shard_name(unit)}: the ends of its documents do not rise to its {tokens:,} ids"
    for what, here, there in (
        ("documents", documents, record["documents"]["written"]),
        ("ids", tokens, record["tokens"]),
    ):
        if here != there:
            yield f"shard {shard_name(unit)}: {here:,} {what}, and {there:,} in its record"


def _problem_of_file(folder: OutputFolder, name: str, recorded: dict[str, Any]) -> str:
    kind, checksum = recorded_checksum(recorded)
    size = 0
    try:
        with (folder.path / name).open("rb") as file:
            while block := file.read(_BLOCK):
                checksum.update(block)
                size += len(block)
    except OSError as error:
        return f"{name}: cannot be read: {error.strerror}"
    if size != recorded["bytes"]:
        return f"{name}: {size:,} bytes, not {recorded['bytes']:,}"
    same = checksum.hexdigest() == recorded[kind]
    return "" if same else f"{name}: its content has changed ({kind})"


def _of_manifest(folder: OutputFolder, plan: Plan) -> list[str]:
    if not folder.success_file.exists():
        return ["all units are recorded, but there is no _SUCCESS: run the same command again"]
    try:
        manifest = json.loads(folder.manifest_file.read_bytes())
        shards = [(shard["name"], shard["files"]) for shard in manifest["shards"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [f"manifest.json is damaged: {error}"]
    records = [(shard_name(unit), folder.record(unit)["files"]) for unit in range(len(plan.units))]
    return [] if shards == records else ["manifest.json does not agree with the records"]
