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
@click.option("--sha256", metavar="HEX", help="What the vocab file's sha256 must be.")
@click.option("--update", is_flag=True, help="Ask anew what unpinned names mean, and trust what is there now.")
@json_option
def command(
    names: tuple[str, ...], revision: str | None, sha256: str | None, update: bool, as_json: str | None
) -> None:
    """Download vocabs into the cache, so that they load offline. NAME is what `--vocab` takes.

    Exit code 1 if one cannot be had; the others are fetched all the same.

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
    """Fetch one; what to say of it."""
    from wordsplit.vocabs.cache.downloads import Cache  # noqa: PLC0415 - --help must not wait for it
    from wordsplit.vocabs.resolve import load_located, locate  # noqa: PLC0415 - as above

    found = locate(name, revision=revision, sha256=sha256, update=update)
    notes = {
        "package": "in the package; there is nothing to fetch",
        "file": f"is the file {found.source.label}",
        "hub snapshot": f"on this disk already: {found.source.label}",
        "cache": "in the cache already",
        "download": f"downloaded to {Cache.default().root}",
    }
    vocab = load_located(found)  # what cannot be loaded is better known now
    return {"name": name, "where": found.where, "n_vocab": vocab.n_vocab, "note": notes[found.where]}
