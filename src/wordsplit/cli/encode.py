"""``wordsplit encode``."""

from __future__ import annotations

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


@click.command("encode")
@text_options
@tokenizer_options
@special_option
@json_option
def command(
    text: tuple[str, ...], files: tuple[str, ...], lines: bool, special: str, as_json: bool, **named: str
) -> None:
    """Print the ids of TEXT, of files, or of standard input: a line of ids for each text.

    \b
    Examples:
      wordsplit encode "hello world"
      wordsplit encode --vocab cl100k_base --json "hello world"
      wordsplit encode --vocab o200k_base --lines < prompts.txt
      wordsplit encode --special text "<|im_start|> is only text here"
    """
    tok = tokenizer_of(**named)
    for name, item in texts(text, files, lines):
        ids = tok.encode(item, special=special)
        if as_json:
            emit_json({"vocab": tok.vocab.name, **({"file": name} if name else {}), "count": len(ids), "ids": ids})
        else:
            click.echo(" ".join(map(str, ids)))
