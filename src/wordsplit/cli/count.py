"""``wordsplit count``."""

from __future__ import annotations

import csv
import sys

import click

from wordsplit.cli._common import (
    csv_option,
    emit_json,
    json_option,
    special_option,
    texts,
    tokenizer_of,
    tokenizer_options,
)
from wordsplit.cli._files import files_of

__all__ = ["command"]


@click.command("count")
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|GLOB]...", type=click.Path())
@click.option("--text", "-t", "given", multiple=True, metavar="TEXT", help="Count this text.")
@tokenizer_options
@special_option
@json_option
@csv_option
def command(
    paths: tuple[str, ...], given: tuple[str, ...], special: str, as_json: bool, as_csv: bool, **named: str
) -> None:
    """Count the tokens of files, of --text, or of standard input; several get a total.

    A folder stands for all files in it but hidden ones, a glob (in quotes, with ** for any folders) for its matches.

    \b
    Examples:
      wordsplit count README.md docs/*.md
      wordsplit count --vocab gpt-4o --text "hello world"
      wordsplit count --csv src "notes/**/*.txt" > counts.csv
      git diff | wordsplit count
    """
    files = tuple(file for path in paths for file in files_of(path))
    tok = tokenizer_of(**named)
    writer = csv.DictWriter(sys.stdout, ("vocab", "file", "count"), lineterminator="\n")
    if as_csv:
        writer.writeheader()
    total = 0
    many = len(files) + len(given) > 1
    for name, text in texts(given, files, lines=False):
        count = tok.count(text, special=special)
        total += count
        if as_csv:
            writer.writerow({"vocab": tok.vocab.name, "file": name, "count": count})
        elif as_json:
            emit_json({"vocab": tok.vocab.name, **({"file": name} if name else {}), "count": count})
        else:
            click.echo(f"{count}\t{name}" if many else str(count))
    if many and not as_json and not as_csv:
        click.echo(f"{total}\ttotal")
