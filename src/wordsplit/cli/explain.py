"""``wordsplit explain``."""

from __future__ import annotations

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


@click.command("explain")
@text_options
@tokenizer_options
@special_option
@json_option
@html_option
@click.option(
    "--max-span", type=click.IntRange(0), default=256, show_default=True, help="How many bytes of a span to work out."
)
def command(
    text: tuple[str, ...],
    files: tuple[str, ...],
    lines: bool,
    special: str,
    as_json: bool,
    html: str | None,
    max_span: int,
    **named: str,
) -> None:
    """Work out how TEXT comes to its ids: its spans, and in each every merge with the pairs it was chosen from.

    \b
    Examples:
      wordsplit explain "hello world"
      wordsplit explain --vocab gpt2 --json "hello world"
      wordsplit explain --html hello.html "hello world"
    """
    tok = tokenizer_of(**named)
    found = [tok.explain(item, special=special, max_span=max_span) for _, item in texts(text, files, lines)]
    if html:
        write_page(html, [one.html() for one in found])
    for one in found:
        if as_json:
            emit_json(one.to_dict())
        elif not html:
            click.echo(one)
