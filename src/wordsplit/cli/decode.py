"""``wordsplit decode``."""

from __future__ import annotations

import re
import sys

import click

from wordsplit.cli._common import emit_json, json_option, tokenizer_of, tokenizer_options
from wordsplit.errors import InvalidTokenIdError

__all__ = ["command"]


@click.command("decode", context_settings={"ignore_unknown_options": True})
@click.argument("ids", nargs=-1)
@tokenizer_options
@click.option("--skip-special", is_flag=True, help="Leave out special tokens.")
@click.option("--raw", is_flag=True, help="Write the bytes as they are, without a newline after them.")
@json_option
def command(ids: tuple[str, ...], skip_special: bool, raw: bool, as_json: bool, **named: str) -> None:
    """Print the text of IDS, or of the ids on standard input (blanks, commas and brackets may stand between).

    \b
    Examples:
      wordsplit decode 14990 1879
      wordsplit encode "hello" | wordsplit decode
      wordsplit decode --raw < ids.txt > text.txt
    """
    tok = tokenizer_of(**named)
    given = " ".join(ids) if ids else sys.stdin.read()
    numbers = [_number(word) for word in re.split(r"[\s,\[\]]+", given) if word]
    if raw:
        sys.stdout.buffer.write(tok.decode_bytes(numbers, skip_special=skip_special))
    elif as_json:
        emit_json({"vocab": tok.vocab.name, "text": tok.decode(numbers, skip_special=skip_special)})
    else:
        click.echo(tok.decode(numbers, skip_special=skip_special))


def _number(word: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,20}", word):
        raise InvalidTokenIdError(f"{word[:40]!r} is no token id: ids are integers")
    return int(word)
