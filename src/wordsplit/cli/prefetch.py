"""``wordsplit prefetch``."""

from __future__ import annotations

import click

from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._messages import one_line
from wordsplit.cli._output import write_line
from wordsplit.errors import WordsplitError

__all__ = ["command"]


@click.command("prefetch")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--revision", metavar="REVISION", help="A branch, a tag or a commit of the repositories.")
@click.option("--sha256", metavar="HEX", help="The expected sha256 of the vocab file.")
@click.option("--update", is_flag=True, help="Look up unpinned names again, and trust their current content.")
@json_option
def command(
    names: tuple[str, ...], revision: str | None, sha256: str | None, update: bool, as_json: str | None
) -> None:
    """Download vocabs into the cache, so that they load offline. NAME is as for `--vocab`.

    Exit code 1 if one cannot be downloaded; the others are still downloaded.

    \b
    Examples:
      wordsplit prefetch hf:Qwen/Qwen2.5-7B-Instruct deepseek-v3
      wordsplit prefetch hf:owner/repo@main:model.Q4_K_M.gguf
      wordsplit prefetch --update deepseek-v3
    """
    failed = False
    for name in names:
        try:
            row = _fetch(name, revision, sha256, update)
        except WordsplitError as error:
            failed = True
            row = {"name": name, "error": str(error)}
            click.echo(f"wordsplit: {one_line(error)}", err=True)
        if as_json:
            emit_json(row)
        elif "error" not in row:
            write_line(f"{name}: {row['note']}")
    if failed:
        raise click.exceptions.Exit(1)


def _fetch(name: str, revision: str | None, sha256: str | None, update: bool) -> dict[str, object]:
    """Fetch one vocab, and return what to report."""
    from wordsplit.vocabs.cache.downloads import Cache  # noqa: PLC0415 - --help must not wait for it
    from wordsplit.vocabs.resolve import load_located, locate  # noqa: PLC0415 - as above

    found = locate(name, revision=revision, sha256=sha256, update=update)
    notes = {
        "package": "in the package; nothing to download",
        "file": f"is the file {found.source.label}",
        "hub snapshot": f"already on this disk: {found.source.label}",
        "cache": "already in the cache",
        "download": f"downloaded to {Cache.default().root}",
    }
    vocab = load_located(found)  # report now if it cannot be loaded
    return {"name": name, "where": found.where, "n_vocab": vocab.n_vocab, "note": notes[found.where]}
