"""``wordsplit compile``."""

from __future__ import annotations

from pathlib import Path

import click

from wordsplit.arguments import absolute_path
from wordsplit.cli._common import complete_vocab, file_options, vocab_of
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import write_line
from wordsplit.errors import OptionsError

__all__ = ["command"]


@click.command("compile")
@click.argument("vocab", metavar="NAME|FILE", shell_complete=complete_vocab)
@click.option("--out", "-o", required=True, metavar="FILE.ws", type=click.Path(), help="The file to write.")
@file_options
@json_option
def command(vocab: str, out: str, as_json: str | None, **how: str | None) -> None:
    """Write a vocab as a compiled file, which loads in milliseconds, also in the JavaScript package.

    The file is the same on every machine. Versions of wordsplit with a different table layout refuse it; compile it
    again then.

    \b
    Examples:
      wordsplit compile qwen3 -o qwen3.ws
      wordsplit compile ./tokenizer.json -o mine.ws
      wordsplit compile model.gguf --pre qwen2 -o model.ws
      wordsplit encode --vocab mine.ws "hello world"
    """
    path = Path(out)
    if path.suffix != ".ws":
        raise OptionsError(f"{out}: the name of a compiled vocab ends with .ws")
    if path.is_dir() or not Path(absolute_path(out)).parent.is_dir():
        raise OptionsError(f"{out}: " + ("is a folder" if path.is_dir() else f"there is no folder {path.parent}"))
    found = vocab_of(vocab, **how)
    try:
        found.save_compiled(path)
    except OSError as error:
        raise OptionsError(f"{out}: cannot be written: {error.strerror or error}") from None
    size = path.stat().st_size
    if as_json:
        emit_json({"vocab": found.name, "file": out, "bytes": size})
    else:
        write_line(f"{out}: {found.name}, {size:,} bytes")
