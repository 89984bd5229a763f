"""``wordsplit cache``: list, path, verify, prune."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import write_line

if TYPE_CHECKING:
    from wordsplit.vocabs.cache.compiled import CompiledFile
    from wordsplit.vocabs.cache.downloads import Cache

__all__ = ["command"]


@click.group("cache")
def command() -> None:
    """Inspect and clear the cache of downloaded vocab files and compiled tables.

    \b
    Examples:
      wordsplit cache list
      wordsplit cache path
      wordsplit cache verify
      wordsplit cache prune
    """


@command.command("list")
@json_option
def list_(as_json: str | None) -> None:
    """List downloads (each source, its files, their sha256 and size) and compiled tables.

    \b
    Examples:
      wordsplit cache list
      wordsplit cache list --json
    """
    cache = _cache()
    blobs = {blob.sha256: blob.size for blob in cache.blobs()}
    named: set[str] = set()
    for record in cache.records():
        for file, pin in record.files.items():
            sha256 = pin.sha256 or ""
            named.add(sha256)
            row = {"source": record.source, "file": file, **pin._asdict(), "recorded": record.recorded}
            _show(row | {"commit": record.commit, "present": sha256 in blobs}, as_json)
    for sha256 in sorted(blobs.keys() - named):
        _show({"source": None, "file": None, "sha256": sha256, "size": blobs[sha256], "present": True}, as_json)
    for table in cache.compiled().files():
        if as_json:
            emit_json(_compiled_row(table))
        else:
            note = table.problem or table.stale
            write_line(f"{table.path.name}  {table.size:>11,}  {table.source or 'compiled'}{note and f'  ({note})'}")


@command.command("path")
@json_option
def path(as_json: str | None) -> None:
    """Print the path of the cache (WORDSPLIT_CACHE_DIR changes it).

    \b
    Examples:
      wordsplit cache path
      du -sh "$(wordsplit cache path)"
    """
    root = str(_cache().root)
    if as_json:
        emit_json({"path": root})
    else:
        write_line(root)


@command.command("verify")
@json_option
def verify(as_json: str | None) -> None:
    """Check every file against its sha256 or checksum. Exit code 1 if one is damaged.

    Nothing is changed: the next load replaces a damaged file, `wordsplit cache prune` deletes it. Compiled tables of
    another build, or whose source has changed, are not counted as damaged.

    \b
    Examples:
      wordsplit cache verify
      wordsplit cache verify --json
    """
    damaged = 0
    count = 0
    cache = _cache()
    for table in cache.compiled().files():
        count += 1
        damaged += bool(table.problem)
        if as_json:
            emit_json(_compiled_row(table))
        elif table.problem:
            write_line(f"{table.path.name}  {table.problem}")
    for blob in cache.verify():
        count += 1
        damaged += bool(blob.problem)
        if as_json:
            emit_json({"sha256": blob.sha256, "size": blob.size, "problem": blob.problem or None})
        elif blob.problem:
            write_line(f"{blob.sha256}  {blob.problem}")
    if not as_json:
        write_line(f"{count} files, {damaged} damaged")
    if damaged:
        raise click.exceptions.Exit(1)


@command.command("prune")
@click.option("--all", "everything", is_flag=True, help="Also delete valid files and tables, and the records of names.")
@json_option
def prune(everything: bool, as_json: str | None) -> None:
    """Delete damaged and unfinished files, files that no source uses any more, and stale tables.

    \b
    Examples:
      wordsplit cache prune
      wordsplit cache prune --all
    """
    count, size = _cache().prune(everything=everything)
    if as_json:
        emit_json({"deleted": count, "bytes": size})
    else:
        write_line(f"{count} files deleted, {size:,} bytes")


def _cache() -> Cache:
    from wordsplit.vocabs.cache.downloads import Cache  # noqa: PLC0415 - --help must not wait for it

    return Cache.default()


def _compiled_row(table: CompiledFile) -> dict[str, object]:
    return {
        "compiled": table.path.name,
        "size": table.size,
        "source": table.source or None,
        "problem": table.problem or None,
        "stale": table.stale or None,
    }


def _show(row: dict[str, object], as_json: str | None) -> None:
    if as_json:
        emit_json(row)
        return
    note = "" if row["present"] else "  (missing; downloaded when needed)"
    write_line(f"{row['sha256']}  {row['size']:>11,}  {row['source'] or 'no source'}  {row['file'] or ''}{note}")
