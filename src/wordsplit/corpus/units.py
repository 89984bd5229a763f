"""Encode one unit of a plan to one shard, and record it.

Data flow: bytes of a segment -> (decompressed) -> blocks of whole documents -> native column of texts -> ids and their
ends -> shard files. A worker has a `Workspace` for these steps, and holds no Python object per document.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wordsplit import hints
from wordsplit.arrays import numpy
from wordsplit.corpus import checksum
from wordsplit.corpus.documents import Batch, Problem, batches_of
from wordsplit.corpus.formats import Layout, ShardWriter
from wordsplit.corpus.formats import get as format_of
from wordsplit.corpus.formats.output import with_suffix
from wordsplit.corpus.inputs import FatalError, Input
from wordsplit.corpus.output_folder import OutputFolder, cannot_be_written, shard_name
from wordsplit.corpus.plan import Plan
from wordsplit.corpus.reading import Reading
from wordsplit.corpus.settings import Settings
from wordsplit.corpus.shuffle import in_random_order
from wordsplit.corpus.workspace import Workspace
from wordsplit.errors import CorpusError, UnknownTokenError

if TYPE_CHECKING:
    from wordsplit import _native
    from wordsplit.tokenizer import Tokenizer

__all__ = ["Job", "Task", "Watch", "encode_unit", "tasks_of"]

_UNSHUFFLED = "raw"
_LENGTHS = 33
"""Classes of document lengths: 0, 1, 2 to 3, 4 to 7, …, 2^31 and more ids."""


class Task(NamedTuple):
    """One unit, with everything that a remote worker needs to know about its inputs.

    Attributes:
        unit: The number of the unit.
        segments: Its segments: (input, begin, end).
    """

    unit: int
    segments: list[tuple[Input, int, int]]


def tasks_of(plan: Plan, units: list[int]) -> Iterator[Task]:
    """Yield units of a plan as tasks."""
    for unit in units:
        yield Task(unit, [(plan.inputs[at], begin, end) for at, begin, end in plan.units[unit]])


@dataclass(frozen=True)
class Job:
    """Everything that all units of a plan share. It can be pickled, and used by several threads.

    Attributes:
        tokenizer: The tokenizer, with the prefix and suffix of documents.
        settings: The settings.
        layout: The layout of the shards.
        out: The output folder; ``None`` to count only.
        memory: The bytes of memory for one worker.
    """

    tokenizer: Tokenizer
    settings: Settings
    layout: Layout
    out: str | None
    memory: int

    @cached_property
    def folder(self) -> OutputFolder:
        """The output folder."""
        assert self.out is not None  # noqa: S101 - requested by what writes
        return OutputFolder(self.out)

    @cached_property
    def bare(self) -> Tokenizer:
        """The tokenizer without prefix and suffix, for pieces of documents."""
        vocab = self.tokenizer.vocab.replace(prefix_ids=(), suffix_ids=())
        return type(self.tokenizer)(vocab, self.tokenizer.options)

    @property
    def reading(self) -> Reading:
        """The settings for reading inputs."""
        settings = self.settings
        return Reading(
            settings.terminator,
            settings.text_field,
            settings.id_field,
            settings.empty == "keep",
            # A batch needs its own size for the text, the same again when it is unescaped, four times as much for ids
            # in the worst case, and some of all that again while arrays grow.
            block=min(max(self.memory // 32, 64 << 10), 4 << 20),
            most=max(self.memory // 4, 1 << 20),
            last_cut=self._last_cut,
            keep_null=settings.empty == "keep",
        )

    def _last_cut(self, text: memoryview) -> tuple[int, int] | None:
        cuts = self.tokenizer._cuts  # noqa: SLF001 - of the same package
        cut = cuts.last(bytes(text))
        return None if cut is None else (cut, cuts.begin(cut))

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}


@dataclass
class Watch:
    """Receives the progress of a unit, and the time of each step.

    Attributes:
        progress: Called with the bytes read since the last call, as stored.
        threads: Returns the number of threads to encode a batch with.
        check: Called before each batch; raises an exception to stop.
        turn: Returns a context to encode in, which provides the memory. Files are written to the disk and committed
            outside it.
        seconds: The time of each step, in all units so far: ``"read"``, ``"encode"``, ``"write"``.
    """

    progress: Callable[[int], None] = lambda _: None
    threads: Callable[[], int] = lambda: 1
    check: Callable[[], None] = lambda: None
    turn: Callable[[Reading], AbstractContextManager[Workspace]] = lambda reading: nullcontext(Workspace(reading))
    seconds: dict[str, float] = field(default_factory=lambda: {"read": 0.0, "encode": 0.0, "write": 0.0})

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add the time of the block to a step."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[step] += time.perf_counter() - began


def encode_unit(job: Job, task: Task, watch: Watch | None = None) -> dict[str, Any]:
    """Encode a unit, commit its files and its record, and return the record.

    Raises:
        CorpusError: An input or a document cannot be read (under ``on_error="fail"``), or the output cannot be written.
        FatalError: An input has changed, a document does not fit into memory, or the vocab has no token for a byte of
            it.
    """
    watch = watch or Watch()
    left_out: dict[int, CorpusError] = {}
    while True:
        attempt = _Attempt(job, task, watch, left_out)
        try:
            return attempt.run()
        except _DamagedSegment as damaged:
            # The data read before the damage may depend on the library that reads the file, so nothing of it is kept.
            left_out[damaged.number] = damaged.error


class _NoShard:
    """The destination of documents that are only counted."""

    def write(self, *_: Any, **__: Any) -> None:
        """Write nothing."""


class _DamagedSegment(Exception):  # noqa: N818 - not an error that reaches a caller
    def __init__(self, number: int, error: CorpusError) -> None:
        super().__init__(number)
        self.number = number
        self.error = error


class _Ahead:
    """Batches; the next one is read in a thread while the current one is encoded, if there are threads to spare."""

    def __init__(self, batches: Iterator[Batch], watch: Watch) -> None:
        self._batches, self._watch = batches, watch
        self._thread: ThreadPoolExecutor | None = None
        self._next: Future[Batch | None] | None = None

    def __enter__(self) -> hints.Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._thread.shutdown()

    def next(self) -> Batch | None:
        """Return the next batch, or ``None`` at the end."""
        batch = self._read() if self._next is None else self._next.result()
        self._next = None
        if batch is not None and self._watch.threads() > 1:
            self._thread = self._thread or ThreadPoolExecutor(1, "wordsplit-read")
            self._next = self._thread.submit(self._read)
        return batch

    def _read(self) -> Batch | None:
        with self._watch.timed("read"):
            return next(self._batches, None)


class _Attempt:
    """One attempt at a unit."""

    def __init__(self, job: Job, task: Task, watch: Watch, left_out: dict[int, CorpusError]) -> None:
        self._job, self._task, self._watch, self._left_out = job, task, watch, left_out
        self._np = numpy()
        self._engine = job.tokenizer._engine  # noqa: SLF001 - of the same package
        self._as_text = job.tokenizer._inputs.as_text(job.settings.special)  # noqa: SLF001 - as above
        self._documents = {"in": 0, "written": 0, "empty": 0, "skipped": 0}
        self._bytes = self._invalid = self._tokens = 0
        self._lengths = self._np.zeros(_LENGTHS, self._np.int64)
        self._length = 0  # of a document in pieces, so far
        self._invalid_piece = False
        self._quarantine: list[dict[str, Any]] = []

    def run(self) -> dict[str, Any]:
        if self._job.out is None:
            with self._watch.turn(self._job.reading) as workspace:
                self._segments(_NoShard(), workspace)
            return self._record({})
        folder, settings = self._job.folder, self._job.settings
        name = shard_name(self._task.unit)
        stem = folder.temporary(folder.shards / name)
        unshuffled = with_suffix(stem, ".unshuffled")
        try:
            # The turn ends before the files are written to the disk.
            turn = self._watch.turn(self._job.reading)
            with format_of(settings.format).create(stem, self._job.layout) as writer, turn as workspace:
                if settings.shuffle is None:
                    self._segments(writer, workspace)
                else:
                    self._shuffled(unshuffled, settings.shuffle, writer, workspace)
            return self._commit(stem, name, writer)
        except OSError as error:
            raise cannot_be_written(folder.path, error) from error
        finally:
            for prefix, kind in ((stem, settings.format), (unshuffled, _UNSHUFFLED)):
                for suffix in format_of(kind).suffixes(self._job.layout):
                    with_suffix(prefix, suffix).unlink(missing_ok=True)

    def _segments(self, writer: ShardWriter | _NoShard, workspace: Workspace) -> None:
        for number, segment in enumerate(self._task.segments):
            if number in self._left_out:
                self._quarantined(Problem(self._left_out[number]), segment)
            else:
                self._segment(number, segment, writer, workspace)

    def _shuffled(self, stem: Path, seed: int, writer: ShardWriter, workspace: Workspace) -> None:
        """Write the documents in random order, from a temporary shard."""
        raw = format_of(_UNSHUFFLED)
        layout = replace(self._job.layout, dtype="uint32")
        with raw.create(stem, layout) as unshuffled:
            self._segments(unshuffled, workspace)
        for ids, ends, keys in in_random_order(raw.open(stem, layout), seed, self._task.unit):
            writer.write(ids, ends, keys)

    def _segment(
        self, number: int, segment: tuple[Input, int, int], writer: ShardWriter | _NoShard, workspace: Workspace
    ) -> None:
        file, begin, end = segment
        position = begin if file.kind in ("text", "jsonl") else 0
        try:
            file.check_unchanged()
            found = batches_of(file, begin, end, self._job.reading, workspace)
            with _Ahead(found, self._watch) as batches:
                while (batch := batches.next()) is not None:
                    self._watch.check()
                    self._add(batch, segment, writer, workspace.lists)
                    self._watch.progress(max(batch.position - position, 0))
                    position = max(batch.position, position)
            file.check_unchanged()
        except FatalError:
            raise
        except CorpusError as error:
            if self._job.settings.on_error == "fail":
                raise
            raise _DamagedSegment(number, error) from error

    def _add(
        self,
        batch: Batch,
        segment: tuple[Input, int, int],
        writer: ShardWriter | _NoShard,
        lists: _native.TokenLists,
    ) -> None:
        """Encode a batch and write it."""
        column, keys, problems = batch.column, batch.keys, batch.problems
        invalid = column.invalid_utf8(column.rows)
        if invalid and self._job.settings.invalid_utf8 == "error":
            problems = problems + self._not_utf8(batch, invalid, segment[0])
            column.remove(invalid)
            keys = None if keys is None else keys.without(invalid)
            invalid = []
        if problems and self._job.settings.on_error == "fail":
            raise problems[0].error
        for problem in problems:
            self._quarantined(problem, segment)
        skipped = len(problems)
        written = column.rows if not batch.pieces else int(batch.first)
        self._documents["in"] += batch.documents
        self._documents["written"] += written
        self._documents["skipped"] += skipped
        self._documents["empty"] += batch.documents - written - skipped
        self._bytes += column.bytes
        if not column.rows:
            return
        with self._watch.timed("encode"):
            engine = self._bare_engine if batch.pieces else self._engine
            try:
                engine.encode_column(column, self._as_text, self._watch.threads(), lists)
            except UnknownTokenError as error:
                raise FatalError(f"{error}; use another vocab", file=segment[0].path) from error
        np = self._np
        ids = np.frombuffer(lists.ids, np.uint32)
        ends = np.frombuffer(lists.offsets, np.int64)[1:]
        with self._watch.timed("write"):
            if batch.pieces:
                self._write_pieces(batch, ids, keys, writer)
                self._invalid_piece |= bool(invalid)
                if batch.last:
                    self._invalid += self._invalid_piece
                    self._invalid_piece = False
            else:
                writer.write(ids, ends, keys)
                self._count(np.diff(ends, prepend=0))
                self._invalid += len(invalid)
        self._tokens += len(ids)

    def _write_pieces(self, batch: Batch, ids: Any, keys: Any, writer: ShardWriter | _NoShard) -> None:
        """Write pieces of one document, with the prefix before the first and the suffix after the last."""
        np = self._np
        prefix = self._engine.prefix if batch.first else ()
        suffix = self._engine.suffix if batch.last else ()
        for part, is_last in ((prefix, False), (ids, False), (suffix, batch.last)):
            part = np.asarray(part, np.uint32)  # noqa: PLW2901 - as an array
            name = None if keys is None else [""]  # plain text has no names
            writer.write(part, np.array([len(part)], np.int64), name, open_last=not is_last)
        self._length += len(prefix) + len(ids) + len(suffix)
        self._tokens += len(prefix) + len(suffix)
        if batch.last:
            self._count(np.array([self._length]))
            self._length = 0

    def _count(self, lengths: Any) -> None:
        """Count documents by the power of two below their length."""
        np = self._np
        classes = np.frexp(lengths)[1]
        self._lengths += np.bincount(np.minimum(classes, _LENGTHS - 1), minlength=_LENGTHS)

    def _not_utf8(self, batch: Batch, rows: list[int], file: Input) -> list[Problem]:
        """Return the problems of rows that are not UTF-8. A document in pieces cannot be taken back, so it raises."""
        found = []
        for row in rows:
            raw = batch.column[row] or b""
            try:
                raw.decode()
                at, why = 0, "invalid"
            except UnicodeDecodeError as error:
                at, why = error.start, error.reason
            what = f"byte {raw[at]:#04x} at offset {at:,} of the document is not UTF-8: {why}"
            found.append(Problem(CorpusError(what, file=file.path), raw))
        if batch.pieces:
            raise found[0].error
        return found

    def _quarantined(self, problem: Problem, segment: tuple[Input, int, int]) -> None:
        """Record a document or file that is skipped."""
        if self._job.settings.on_error != "quarantine":
            return
        file, begin, end = segment
        row = {"input": file.path, "begin": begin, "end": end, "error": str(problem.error)}
        if problem.raw:
            row["raw"] = problem.raw.decode("utf-8", "backslashreplace")
        self._quarantine.append(row)

    @cached_property
    def _bare_engine(self) -> Any:
        return self._job.bare._engine  # noqa: SLF001 - of the same package

    def _commit(self, stem: Path, name: str, writer: ShardWriter) -> dict[str, Any]:
        """Give the files their names, and write the record."""
        folder = self._job.folder
        files, renames = {}, []
        for suffix, (size, value) in writer.digests.items():
            final = with_suffix(folder.shards / name, suffix)
            renames.append((with_suffix(stem, suffix), final))
            files[f"shards/{final.name}"] = {"bytes": size, checksum.NAME: value}
        if self._quarantine:
            folder.quarantine.mkdir(exist_ok=True)
            rows = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self._quarantine)
            # A path that is not UTF-8 has lone surrogates, which become JSON's escapes.
            folder.write(folder.quarantine / f"{name}.jsonl", rows.encode("utf-8", "backslashreplace"))
        folder.commit(renames)
        record = self._record(files)
        folder.write(folder.records / f"{name}.json", json.dumps(record).encode() + b"\n")
        return record

    def _record(self, files: dict[str, Any]) -> dict[str, Any]:
        return {
            "unit": self._task.unit,
            "documents": self._documents,
            "tokens": self._tokens,
            "bytes": self._bytes,
            "invalid_utf8": self._invalid,
            "lengths": self._lengths.tolist(),
            "damaged": [str(error) for _, error in sorted(self._left_out.items())],
            "files": files,
        }
