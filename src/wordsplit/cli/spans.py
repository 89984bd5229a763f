"""``wordsplit spans``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import click

from wordsplit.cli._common import sources, special_option, text_options, tokenizer_of, tokenizer_options
from wordsplit.cli._json import emit_json_with, json_option
from wordsplit.cli._output import write_blocks
from wordsplit.cli._stream import spans_as_json
from wordsplit.cli._texts import Text, naming
from wordsplit.text import to_bytes

__all__ = ["command"]


@click.command("spans")
@text_options
@tokenizer_options
@special_option
@json_option
def command(special: str, as_json: str | None, **options: Any) -> None:
    """Print the spans of TEXT, each as a JSON string on its own line. Merges never cross spans.

    An added token is a separate span. Spans are shown after normalization.

    \b
    Examples:
      wordsplit spans "Hello, world!"
      wordsplit spans --vocab o200k_base --json "It's 2024"
      wordsplit spans --file README.md
    """
    found = sources(options, streaming=True)
    tok = tokenizer_of(**options)
    for name, texts in found:
        for number, text in enumerate(texts, 1):
            with naming(name, number):
                if as_json:
                    spans = chain([b"["], spans_as_json(tok, _blocks(text), special, b", "), [b"]"])
                    begin = {"vocab": tok.vocab.name, **({"file": name} if name else {})}
                    emit_json_with(begin, "spans", spans, dict)
                else:
                    write_blocks(_lines(spans_as_json(tok, _blocks(text), special, b"\n")))


def _blocks(text: Text) -> Iterator[bytes]:
    return iter([to_bytes(text, "replace")]) if isinstance(text, (str, bytes)) else text


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    begun = False
    for piece in pieces:
        yield piece
        begun = True
    if begun:
        yield b"\n"
