"""``wordsplit decode``."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

from wordsplit.cli._common import tokenizer_of, tokenizer_options
from wordsplit.cli._json import emit_json_with, json_option
from wordsplit.cli._lists import ids_of
from wordsplit.cli._output import write_blocks, write_raw
from wordsplit.cli._progress import ReadingProgress
from wordsplit.cli._stream import BLOCK
from wordsplit.cli._texts import opened

if TYPE_CHECKING:
    from wordsplit.tokenizer import Tokenizer

__all__ = ["command"]


@click.command("decode", context_settings={"ignore_unknown_options": True})
@click.argument("ids", nargs=-1)
@tokenizer_options
@click.option("--skip-special", is_flag=True, help="Leave out special tokens.")
@click.option("--raw", is_flag=True, help="Write the bytes unchanged, without a line end, also to a terminal.")
@json_option
def command(ids: tuple[str, ...], skip_special: bool, raw: bool, as_json: str | None, **named: str) -> None:
    """Print the text of IDS, or of ids on standard input (separated by white space, commas or brackets).

    Files and pipes get the exact bytes. On a terminal, control characters are shown as symbols.

    \b
    Examples:
      wordsplit decode 14990 1879
      wordsplit encode "hello" | wordsplit decode
      wordsplit decode --raw < ids.txt > text.txt
    """
    tok = tokenizer_of(**named)
    if ids:
        given: Iterator[bytes] = iter([" ".join(ids).encode("utf-8", "replace")])
    else:
        file = opened("-", "bytes")
        given = ReadingProgress(streaming=True).watch(file, file.raw_blocks(BLOCK))
    decoded = _decoded(tok, ids_of(given), skip_special=skip_special)
    if raw:
        write_raw(decoded)
    elif as_json:
        emit_json_with({"vocab": tok.vocab.name}, "text", _json_string(decoded), dict)
    else:
        write_blocks(chain(decoded, [b"\n"]))


def _decoded(tok: Tokenizer, blocks: Iterable[list[int]], *, skip_special: bool) -> Iterator[bytes]:
    """Yield the bytes of ids that come in blocks."""
    if tok.vocab.decoder is None:
        yield from (tok.decode_bytes(some, skip_special=skip_special) for some in blocks)
        return
    stream = tok.decode_stream(skip_special=skip_special)  # the decoding steps must see all ids
    yield from (stream.push(some).encode() for some in blocks)
    yield stream.finish().encode()


def _json_string(blocks: Iterator[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    yield b'"'
    for block in chain(blocks, [None]):
        text = decoder.decode(block or b"", final=block is None)
        yield json.dumps(text, ensure_ascii=False)[1:-1].encode()
    yield b'"'
