"""Encode a corpus, or count its ids."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from wordsplit.cores import cores
from wordsplit.corpus import engines, manifest
from wordsplit.corpus.formats import Layout
from wordsplit.corpus.formats import get as format_of
from wordsplit.corpus.inputs import Kind, find_inputs
from wordsplit.corpus.machine import memory_of_worker, peak_memory
from wordsplit.corpus.output_folder import OutputFolder, shard_name
from wordsplit.corpus.plan import Plan, make_plan
from wordsplit.corpus.progress import Meter, Show, shown_on_terminal
from wordsplit.corpus.report import Report
from wordsplit.corpus.settings import Settings
from wordsplit.corpus.units import Job, tasks_of
from wordsplit.errors import CorpusError, OptionsError
from wordsplit.spanners import require_native
from wordsplit.tokenizer import Tokenizer
from wordsplit.vocab import Vocab

__all__ = ["Paths", "count", "encode"]

_MOST_DIGITS = 10
"""Those of the largest id."""

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def encode(
    inputs: Paths,
    out: str | os.PathLike[str],
    *,
    tokenizer: Tokenizer | Vocab | str = "qwen3",
    engine: str = "local",
    workers: int | None = None,
    memory: int | None = None,
    kind: Kind | None = None,
    fresh: bool = False,
    progress: bool | Show = True,
    **settings: Any,
) -> Report:
    """Encode files of texts to shards of ids. Calling it again with the same arguments resumes an interrupted run.

    The output is the same, byte for byte, for any number of workers, any engine and any interruption. A file is never
    changed in place, and incomplete work is not counted; see `wordsplit.corpus.output_folder`.

    Args:
        inputs: Files, folders, globs, and URLs for `fsspec`; see `wordsplit.corpus.inputs.find_inputs`.
        out: The output folder.
        tokenizer: A tokenizer, a vocab, or anything that `wordsplit.load_vocab` takes.
        engine: ``"local"``, ``"ray"`` or ``"spark"``.
        workers: The number of workers; ``None`` for one per core.
        memory: The bytes of memory for all workers of a machine; ``None`` for half of it, or of the container's.
        kind: The kind of all inputs, whatever their names: ``"text"``, ``"jsonl"``, ``"parquet"`` or ``"arrow"``.
        fresh: Whether to remove the output of an earlier run.
        progress: Whether to show progress on a terminal or in a notebook; or a function called with each `Progress`.
        **settings: The fields of `Settings`, such as ``format="megatron"`` or ``eos="vocab"``.

    Returns:
        A report of all documents, in this and earlier runs.

    Raises:
        CorpusError: An input cannot be read or has changed; the folder belongs to another plan; another process writes
            to it; or the disk is full.
        UnknownNameError: There is no such file, vocab, engine or format.
        OptionsError: A setting has an invalid value, or the ids do not fit the format.

    Example:
        >>> import pathlib, tempfile
        >>> from wordsplit import corpus
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.jsonl").write_text('{"text": "hello world"}\\n{"text": ""}\\n')
        >>> report = corpus.encode(folder / "a.jsonl", folder / "out", progress=False)
        >>> report.documents, report.tokens
        ({'in': 2, 'written': 1, 'empty': 1, 'skipped': 0}, 2)
        >>> corpus.open(folder / "out")[0].tolist()
        [14990, 1879]
    """
    chosen = _settings(settings)
    engines.get(engine)
    _check_workers(workers)
    prepared, layout = _prepared(tokenizer_of(tokenizer), chosen)
    folder = OutputFolder(out)
    files = find_inputs(inputs, kind, but=folder.path)
    plan = make_plan(_identity(prepared, layout), files, chosen)
    folder.create()
    with folder.locked():
        if fresh:
            folder.clear()
        plan = _agreed(folder, plan)
        layout = replace(layout, vocab=plan.identity["vocab"])  # the name in an earlier run
        damaged = folder.damaged_units(plan)
        if folder.success_file.exists() and not damaged and not folder.missing(plan):
            return Report.of_folder(folder)
        folder.success_file.unlink(missing_ok=True)
        folder.begin(plan)
        for unit in damaged:
            folder.forget(unit)
        folder.remove_unrecorded()
        job = Job(prepared, chosen, layout, str(folder.path), memory_of_worker(memory, workers or cores()))
        figures = _run(engine, plan, folder.done(), job, workers, progress, lambda _: None)
        folder.remove_unrecorded()  # of workers that died, whose units were encoded by others
        report = _finish(folder, plan, prepared.vocab, layout).with_run(figures)
        report.save(folder)
        folder.write(folder.success_file, b"")
        return report


def count(
    inputs: Paths,
    *,
    tokenizer: Tokenizer | Vocab | str = "qwen3",
    workers: int | None = None,
    memory: int | None = None,
    kind: Kind | None = None,
    progress: bool | Show = True,
    **settings: Any,
) -> Report:
    """Count the documents and ids of files of texts, as `encode` does, and write nothing.

    Args:
        inputs: As for `encode`.
        tokenizer: As for `encode`.
        workers: As for `encode`.
        memory: As for `encode`.
        kind: As for `encode`.
        progress: As for `encode`.
        **settings: As for `encode`.

    Raises:
        CorpusError: As for `encode`.
        UnknownNameError: As for `encode`.
        OptionsError: As for `encode`.

    Example:
        >>> import pathlib, tempfile
        >>> from wordsplit import corpus
        >>> path = pathlib.Path(tempfile.mkdtemp(), "a.txt")
        >>> _ = path.write_text("hello world\\nhello\\n")
        >>> corpus.count(path, documents="line", progress=False).tokens
        3
    """
    chosen = _settings(settings)
    _check_workers(workers)
    prepared, layout = _prepared(tokenizer_of(tokenizer), chosen)
    plan = make_plan(_identity(prepared, layout), find_inputs(inputs, kind), chosen)
    job = Job(prepared, chosen, layout, None, memory_of_worker(memory, workers or cores()))
    records: list[dict[str, Any]] = []
    figures = _run("local", plan, set(), job, workers, progress, records.append)
    return Report.of_records(sorted(records, key=lambda record: record["unit"])).with_run(figures)


def _run(
    engine: str,
    plan: Plan,
    done: set[int],
    job: Job,
    workers: int | None,
    progress: bool | Show,
    recorded: Callable[[dict[str, Any]], None],
) -> dict[str, Any]:
    """Run the remaining units, and return the figures of the run."""
    runner = engines.get(engine)
    left = [unit for unit in range(len(plan.units)) if unit not in done]
    sizes = plan.unit_sizes()
    show = progress if callable(progress) else shown_on_terminal() if progress else None
    meter = Meter(plan.size, sum(sizes[unit] for unit in done), len(plan.units), len(done), show)

    def received(record: dict[str, Any]) -> None:
        recorded(record)
        read = 0 if runner.counts_reads else sizes[record["unit"]]
        meter.recorded(record["documents"]["written"], record["tokens"], read)

    run = engines.Run(job, tasks_of(plan, left), len(left), workers, received, meter.read)
    began = time.monotonic()
    if left:
        runner.run(run)
    meter.finish()
    return {
        "engine": engine,
        "workers": runner.workers(run),
        "units": len(left),
        "bytes_in": sum(sizes[unit] for unit in left),
        "seconds": round(time.monotonic() - began, 3),
        "seconds_by_step": {step: round(value, 3) for step, value in run.seconds.items()},
        "peak_memory": peak_memory(),
    }


def _check_workers(workers: int | None) -> None:
    if workers is not None and (type(workers) is not int or workers < 1):
        raise OptionsError(f"workers={workers!r:.100}: give a number from 1")


def _settings(given: dict[str, Any]) -> Settings:
    try:
        return Settings(**given)
    except TypeError:
        known = ", ".join(Settings.__dataclass_fields__)
        unknown = next(name for name in given if name not in Settings.__dataclass_fields__)
        raise OptionsError(f"{unknown}: no such setting; there are: {known}") from None


def tokenizer_of(given: Tokenizer | Vocab | str | os.PathLike[str]) -> Tokenizer:
    """Return the given tokenizer, or build one from a vocab or anything that `wordsplit.load_vocab` takes."""
    from wordsplit.api import load_tokenizer  # noqa: PLC0415 - loads the formats of vocabs
    from wordsplit.tokenizer import Tokenizer  # noqa: PLC0415 - as above

    return given if isinstance(given, Tokenizer) else load_tokenizer(given)


def _prepared(tokenizer: Tokenizer, settings: Settings) -> tuple[Tokenizer, Layout]:
    """Return a tokenizer that adds the ids of the settings to each document, and the layout of the shards."""
    require_native(otherwise="")
    vocab = tokenizer.vocab
    engine = tokenizer._engine  # noqa: SLF001 - of the same package
    prefix = _added(tokenizer, "bos", settings.bos, engine.prefix, vocab.bos_token_id)
    suffix = _added(tokenizer, "eos", settings.eos, engine.suffix, vocab.eos_token_id)
    if (prefix, suffix) != (engine.prefix, engine.suffix):
        options = replace(tokenizer.options, add_bos=None, add_eos=None)
        tokenizer = type(tokenizer)(vocab.replace(prefix_ids=prefix, suffix_ids=suffix), options)
    layout = Layout(
        dtype=format_of(settings.format).dtype_for(vocab.n_vocab - 1),
        has_keys=settings.id_field is not None,
        vocab=vocab.name,
        fingerprint=vocab.fingerprint,
        eos_token_id=suffix[-1] if suffix else None,
        bos_token_id=prefix[0] if prefix else None,
    )
    return tokenizer, layout


def _added(
    tokenizer: Tokenizer, side: str, wanted: str, default: tuple[int, ...], token_id: int | None
) -> tuple[int, ...]:
    if wanted == "default":
        return tuple(default)
    if wanted == "none":
        return ()
    if wanted == "vocab":
        if token_id is None:
            raise OptionsError(f"{side}='vocab': {tokenizer.vocab.name} names no {side} token; give its text or id")
        return (token_id,)
    is_id = wanted.isascii() and wanted.isdigit() and len(wanted) <= _MOST_DIGITS
    found = int(wanted) if is_id else tokenizer.vocab.special_tokens.get(wanted)
    if found is None or not tokenizer.is_valid(found):
        raise OptionsError(
            f"{side}={wanted!r:.100}: not a special token or an id of {tokenizer.vocab.name}; "
            "use 'default', 'none', 'vocab', a special token or an id"
        )
    return (found,)


def _identity(tokenizer: Tokenizer, layout: Layout) -> dict[str, Any]:
    from wordsplit.patterns.schemes import SCHEMES  # noqa: PLC0415 - slow to import

    engine, spanner = tokenizer._engine, tokenizer.options.spanner  # noqa: SLF001 - of the same package
    return {
        "vocab": layout.vocab,
        "vocab_fingerprint": layout.fingerprint,
        "prefix": list(engine.prefix),
        "suffix": list(engine.suffix),
        # Scanners and `regex` find the same spans; a plug-in may find others.
        "spanner": None if spanner == "regex" or spanner in SCHEMES else spanner,
        "dtype": layout.dtype,
    }


def _agreed(folder: OutputFolder, plan: Plan) -> Plan:
    """Return the plan of the folder; this one if there is none.

    Raises:
        CorpusError: The folder has another plan.
    """
    if not folder.plan_file.exists():
        return plan
    old = folder.plan()
    if differences := old.differences(plan):
        shown = "; ".join(differences[:10])
        raise CorpusError(
            f"the folder has another plan ({shown}); name another folder, or start over with --fresh",
            file=folder.plan_file,
        )
    return old


def _finish(folder: OutputFolder, plan: Plan, vocab: Vocab, layout: Layout) -> Report:
    """Check that everything is there, and write the manifest.

    Raises:
        CorpusError: A unit has no record, or documents are not accounted for.
    """
    if missing := folder.missing(plan):
        raise CorpusError(f"{missing}; run the same command again", file=folder.path)
    shards: list[dict[str, Any]] = []

    def records() -> Iterator[dict[str, Any]]:
        for unit in range(len(plan.units)):
            record = folder.record(unit)
            counts = record["documents"]
            if counts["in"] != counts["written"] + counts["empty"] + counts["skipped"]:
                raise CorpusError(f"documents are not accounted for: {counts}", file=folder.records / shard_name(unit))
            shard = {"name": shard_name(unit), "documents": counts["written"], "tokens": record["tokens"]}
            shards.append(shard | {"files": record["files"]})
            yield record

    report = Report.of_records(records())
    content = manifest.content_of(plan.settings.format, layout, vocab.n_vocab, shards)
    folder.write(folder.manifest_file, content)
    return report
