"""``wordsplit encode``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from wordsplit.cli._common import sources, special_option, text_options, tokenizer_of, tokenizer_options
from wordsplit.cli._json import emit_json, emit_json_with, json_option
from wordsplit.cli._lists import written_ids
from wordsplit.cli._output import write_blocks, write_line
from wordsplit.cli._stream import encoded
from wordsplit.cli._texts import Group, Text, grouped, naming, whole
from wordsplit.errors import OptionsError

if TYPE_CHECKING:
    from wordsplit.features.pairs import EncodedPair
    from wordsplit.tokenizer import Tokenizer

__all__ = ["command"]

_MOST_OF_A_PAIR = 1 << 30


@click.command("encode")
@text_options
@tokenizer_options
@special_option
@click.option("--pair", "as_pair", is_flag=True, help="Encode two texts in one row, for models that compare texts.")
@json_option
def command(special: str, as_pair: bool, as_json: str | None, **options: Any) -> None:
    """Print the ids of TEXT, of files, or of standard input: one line of ids per text.

    .jsonl, .parquet and .arrow files hold many texts, one per line or row; .gz and .zst are decompressed. Text is
    UTF-8.

    \b
    Examples:
      wordsplit encode "hello world"
      wordsplit encode --vocab cl100k_base --json "hello world"
      wordsplit encode --vocab o200k_base --lines < prompts.txt
      wordsplit encode --file README.md
      wordsplit encode --vocab bert-base-uncased --pair "what is it?" "a house"
      wordsplit encode --special text "<|im_start|> is only text here"
    """
    found = sources(options, streaming=True)
    tok = tokenizer_of(**options)
    if as_pair:
        pair = _pair(tok, chain.from_iterable(texts for _, texts in found), special)
        if as_json:
            emit_json({"vocab": tok.vocab.name, **pair._asdict(), "count": len(pair.ids)})
        else:
            write_line(" ".join(map(str, pair.ids)))
        return
    for name, texts in found:
        for group in grouped(texts):
            with naming(name, group.first, many=group.many):
                if as_json:
                    for ids in _each(tok, group, special):
                        _emit(tok, name, ids)
                else:
                    write_blocks(_written(tok, group, special))


def _pair(tok: Tokenizer, texts: Iterator[Text], special: str) -> EncodedPair:
    """Encode two texts in one row.

    Raises:
        OptionsError: There are more or fewer.
    """
    both = [whole(text, "encode --pair", _MOST_OF_A_PAIR) for text in islice(texts, 3)]
    if len(both) != 2:
        raise OptionsError(
            f"--pair: give two texts, such as a query and a passage, not {'more' if both[2:] else len(both)}"
        )
    return tok.encode_pair(both[0], both[1], special)


def _each(tok: Tokenizer, group: Group, special: str) -> Iterator[Iterator[list[int]]]:
    """Yield the ids of each text, in lists."""
    if isinstance(group.texts, list):
        yield from (iter([ids]) for ids in tok.encode_batch(group.texts, special))
    else:
        yield encoded(tok, group.texts, special)


def _written(tok: Tokenizer, group: Group, special: str) -> Iterator[bytes]:
    for ids in _each(tok, group, special):
        yield from _joined(ids, b" ")
        yield b"\n"


def _joined(lists: Iterator[list[int]], separator: bytes) -> Iterator[bytes]:
    begun = False
    for ids in lists:
        if ids:
            yield (separator if begun else b"") + written_ids(ids, separator)
            begun = True


def _emit(tok: Tokenizer, name: str, lists: Iterator[list[int]]) -> None:
    count = 0

    def counted() -> Iterator[list[int]]:
        nonlocal count
        for ids in lists:
            count += len(ids)
            yield ids

    def pieces() -> Iterator[bytes]:
        yield b"["
        yield from _joined(counted(), b", ")
        yield b"]"

    begin = {"vocab": tok.vocab.name, **({"file": name} if name else {})}
    emit_json_with(begin, "ids", pieces(), lambda: {"count": count})
