"""``wordsplit spans``."""

from __future__ import annotations

import json

import click

from wordsplit.cli._common import (
    emit_json,
    json_option,
    special_option,
    text_options,
    texts,
    tokenizer_of,
    tokenizer_options,
)

__all__ = ["command"]


@click.command("spans")
@text_options
@tokenizer_options
@special_option
@json_option
def command(
    text: tuple[str, ...], files: tuple[str, ...], lines: bool, special: str, as_json: bool, **named: str
) -> None:
    """Print the spans that merges never cross, each as a JSON string with its ids.

    \b
    Examples:
      wordsplit spans "Hello, world!"
      wordsplit spans --vocab o200k_base --json "It's 2024"
    """
    tok = tokenizer_of(**named)
    for _, item in texts(text, files, lines):
        spans = tok.spans(item, special=special)
        if as_json:
            emit_json({"vocab": tok.vocab.name, "spans": spans})
        else:
            for span in spans:
                click.echo(json.dumps(span, ensure_ascii=False))
