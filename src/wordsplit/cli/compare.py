"""``wordsplit compare``."""

from __future__ import annotations

import csv
import sys

import click

from wordsplit.cli._common import complete_vocab, csv_option, emit_json, json_option, vocab_of, write_page
from wordsplit.cli._files import read_all

__all__ = ["command"]


@click.command("compare")
@click.argument("given", nargs=-1, metavar="[FILE|FOLDER|GLOB|TEXT]...", type=click.Path())
@click.option("--text", "-t", "texts", multiple=True, metavar="[NAME=]TEXT", help="Compare on this text.")
@click.option(
    "--vocab",
    "-v",
    "vocabs",
    multiple=True,
    metavar="NAME|FILE",
    shell_complete=complete_vocab,
    help="A vocab; give several.",
)
@json_option
@csv_option
@click.option("--plot", metavar="FILE", help="Write a picture (SVG) to this file; '-' is standard output.")
@click.option(
    "--metric",
    type=click.Choice(["tokens", "bytes_per_token", "fertility", "tokens_per_char"]),
    default="bytes_per_token",
    show_default=True,
    help="What the picture shows.",
)
def command(
    given: tuple[str, ...],
    texts: tuple[str, ...],
    vocabs: tuple[str, ...],
    as_json: bool,
    as_csv: bool,
    plot: str | None,
    metric: str,
) -> None:
    """Compare vocabs: tokens, bytes per token, and tokens per word (fertility), for each file or text.

    An argument that is no file, folder or glob is a text if it is the only one. Words are what stands between white
    space; for languages that write without it, look at tokens per character.

    \b
    Examples:
      wordsplit compare "Hello, world!" -v qwen3 -v gpt-4o -v gpt2
      wordsplit compare docs/*.md -v qwen3 -v gpt-4o --csv
      wordsplit compare -t "en=good morning" -t "de=guten Morgen" -v qwen3 -v gpt2 --plot plot.svg --metric fertility
    """
    from wordsplit.api import load_tokenizer  # noqa: PLC0415 - --help must not wait for it
    from wordsplit.everyday import compare as comparing  # noqa: PLC0415 - as above

    found: dict[str, str | bytes] = {}
    for at, item in enumerate(texts, 1):
        name, equals, text = item.partition("=")
        found[name if equals else f"text {at}"] = text if equals else item
    found |= read_all(given, lone_text=not texts)
    toks = [load_tokenizer(vocab_of(name, None, None)) for name in vocabs or ("qwen3", "o200k_base", "cl100k_base")]
    measures = comparing.compare(found, toks)
    if plot:
        write_page(plot, [comparing.plot(measures, metric)])  # type: ignore[arg-type]
    if as_csv:
        rows = [one.to_dict() for one in measures]
        writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    elif as_json:
        for one in measures:
            emit_json(one.to_dict())
    elif plot != "-":
        click.echo(comparing.table(measures))
