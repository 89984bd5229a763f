"""``wordsplit count``."""

from __future__ import annotations

from pathlib import Path

import click

from wordsplit.cli._common import (
    emit_json,
    json_option,
    special_option,
    texts,
    tokenizer_of,
    tokenizer_options,
)
from wordsplit.errors import UnknownNameError

__all__ = ["command"]


@click.command("count")
@click.argument("paths", nargs=-1, metavar="[FILE]...")
@click.option("--text", "-t", "given", multiple=True, metavar="TEXT", help="Count this text.")
@tokenizer_options
@special_option
@json_option
def command(paths: tuple[str, ...], given: tuple[str, ...], special: str, as_json: bool, **named: str) -> None:
    """Count the tokens of files, of --text, or of standard input; several get a total.

    \b
    Examples:
      wordsplit count README.md docs/*.md
      wordsplit count --vocab gpt-4o --text "hello world"
      git diff | wordsplit count
    """
    for path in paths:
        if path != "-" and not Path(path).is_file():
            raise UnknownNameError(f"no file {path!r}; to count the words of the command line use --text")
    tok = tokenizer_of(**named)
    rows = [(name, tok.count(text, special=special)) for name, text in texts(given, paths, lines=False)]
    for name, count in rows:
        if as_json:
            emit_json({"vocab": tok.vocab.name, **({"file": name} if name else {}), "count": count})
        else:
            click.echo(f"{count}\t{name}" if len(rows) > 1 else str(count))
    if len(rows) > 1 and not as_json:
        click.echo(f"{sum(count for _, count in rows)}\ttotal")
