"""``wordsplit show``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from wordsplit.cli._common import (
    html_option,
    sources,
    special_option,
    text_options,
    tokenizer_of,
    tokenizer_options,
    write_page,
)
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import on_terminal, write_line
from wordsplit.cli._texts import of_each, whole

if TYPE_CHECKING:
    from wordsplit.features.show import Shown

__all__ = ["command"]

_MOST = 1 << 20
"""Bytes of a text. English text takes 2 seconds and 110 MB."""


@click.command("show")
@text_options
@tokenizer_options
@special_option
@json_option
@html_option
@click.option("--svg", metavar="FILE", help="Write a picture to this file; '-' is standard output.")
@click.option(
    "--color/--no-color",
    default=None,
    help="Colours; by default on a terminal, unless NO_COLOR is set or TERM is 'dumb'.",
)
def command(
    special: str, as_json: str | None, html: str | None, svg: str | None, color: bool | None, **options: Any
) -> None:
    """Show TEXT coloured by token, with the ids under it.

    A text may have up to 1 MiB.

    \b
    Examples:
      wordsplit show "Hello, world!"
      wordsplit show --vocab gpt-4o --file README.md --html readme.html
      wordsplit show --svg tokens.svg "A picture for a page"
    """
    given = sources(options)
    tok = tokenizer_of(**options)
    shown: Iterable[Shown] = of_each(given, lambda text: tok.show(whole(text, "show", _MOST), special=special))
    if html or svg:
        shown = list(shown)
    if html:
        write_page(html, [one.html() for one in shown])
    if svg:
        write_page(svg, [one.svg() for one in shown])
    colours = _has_colours() if color is None else color
    columns = shutil.get_terminal_size((100, 24)).columns
    for one in shown:
        if as_json:
            tokens = [{"id": t.id, "text": t.data.decode("utf-8", "replace"), "hex": t.data.hex()} for t in one.tokens]
            emit_json({"vocab": tok.vocab.name, "tokens": tokens})
        elif not html and not svg:
            write_line(one.ansi(columns) if colours else one.text(columns), styled=colours)


def _has_colours() -> bool:
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
