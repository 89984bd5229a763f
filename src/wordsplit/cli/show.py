"""``wordsplit show``."""

from __future__ import annotations

import os
import shutil
import sys

import click

from wordsplit.cli._common import (
    emit_json,
    html_option,
    json_option,
    special_option,
    text_options,
    texts,
    tokenizer_of,
    tokenizer_options,
    write_page,
)

__all__ = ["command"]


@click.command("show")
@text_options
@tokenizer_options
@special_option
@json_option
@html_option
@click.option("--svg", metavar="FILE", help="Write a picture to this file; '-' is standard output.")
@click.option("--color/--no-color", default=None, help="Colours; by default on a terminal, unless NO_COLOR is set.")
def command(
    text: tuple[str, ...],
    files: tuple[str, ...],
    lines: bool,
    special: str,
    as_json: bool,
    html: str | None,
    svg: str | None,
    color: bool | None,
    **named: str,
) -> None:
    """Show TEXT coloured by token, with the ids under it.

    \b
    Examples:
      wordsplit show "Hello, world!"
      wordsplit show --vocab gpt-4o --file README.md --html readme.html
      wordsplit show --svg tokens.svg "A picture for a page"
    """
    tok = tokenizer_of(**named)
    shown = [tok.show(item, special=special) for _, item in texts(text, files, lines)]
    if html:
        write_page(html, [one.html() for one in shown])
    if svg:
        write_page(svg, [one.svg() for one in shown])
    colours = (sys.stdout.isatty() and not os.environ.get("NO_COLOR")) if color is None else color
    columns = shutil.get_terminal_size((100, 24)).columns
    for one in shown:
        if as_json:
            tokens = [{"id": t.id, "text": t.data.decode("utf-8", "replace"), "hex": t.data.hex()} for t in one.tokens]
            emit_json({"vocab": tok.vocab.name, "tokens": tokens})
        elif not html and not svg:
            click.echo(one.ansi(columns) if colours else one.text(columns), color=colours)
