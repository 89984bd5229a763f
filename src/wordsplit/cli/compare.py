"""``wordsplit compare``."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

from wordsplit.cli._common import complete_vocab, csv_option, refuse_both, special_option, vocab_of, write_page
from wordsplit.cli._files import files_of, stands_for_files
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import Writer, write_line
from wordsplit.cli._stream import Counter
from wordsplit.cli._texts import (
    Reading,
    Source,
    files_as_sources,
    given_as_sources,
    grouped,
    like_a_file_name,
    naming,
    reading_options,
)
from wordsplit.text import to_bytes

if TYPE_CHECKING:
    from wordsplit.features.compare import Measure
    from wordsplit.tokenizer import Tokenizer

__all__ = ["command"]


@click.command("compare")
@click.argument("given", nargs=-1, metavar="[FILE|FOLDER|GLOB|TEXT]...", type=click.Path())
@click.option("--text", "-t", "texts", multiple=True, metavar="[NAME=]TEXT", help="Compare on this text.")
@click.option(
    "--vocab",
    "-v",
    "vocabs",
    multiple=True,
    metavar="NAME|FILE",
    shell_complete=complete_vocab,
    help="A vocab; give several.",
)
@reading_options
@special_option
@json_option
@csv_option
@click.option("--plot", metavar="FILE", help="Write a picture (SVG) to this file; '-' is standard output.")
@click.option(
    "--metric",
    type=click.Choice(["tokens", "bytes_per_token", "fertility", "tokens_per_char"]),
    default="bytes_per_token",
    show_default=True,
    help="What the picture shows.",
)
def command(
    given: tuple[str, ...],
    texts: tuple[str, ...],
    vocabs: tuple[str, ...],
    kind: str | None,
    column: str,
    special: str,
    as_json: str | None,
    as_csv: bool,
    plot: str | None,
    metric: str,
) -> None:
    """Compare vocabs: tokens, bytes per token, and tokens per word (fertility), for each file or text.

    A single argument that is not a file, folder or glob is a text, unless it looks like a file name; --text accepts
    any text. Words are separated by white space; for languages without spaces, use tokens per character. For .jsonl,
    .parquet and .arrow files the counts of all texts are added; .gz and .zst are decompressed.

    \b
    Examples:
      wordsplit compare "Hello, world!" -v qwen3 -v gpt-4o -v gpt2
      wordsplit compare docs/*.md -v qwen3 -v gpt-4o --csv
      wordsplit compare -t "en=good morning" -t "de=guten Morgen" -v qwen3 -v gpt2 --plot plot.svg --metric fertility
    """
    from wordsplit.api import load_tokenizer  # noqa: PLC0415 - --help must not wait for it
    from wordsplit.features import compare as comparing  # noqa: PLC0415 - as above

    refuse_both(as_csv=as_csv, as_json=as_json)
    found = _sources(given, texts, Reading(kind, column))
    toks = [load_tokenizer(vocab_of(name)) for name in vocabs or ("qwen3", "o200k_base", "cl100k_base")]
    measures = [one for source in found for one in _measured(source, toks, special)]
    if plot:
        write_page(plot, [comparing.plot(measures, metric)])  # type: ignore[arg-type]
    if as_csv:
        rows = [one.to_dict() for one in measures]
        writer = csv.DictWriter(Writer(), list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    elif as_json:
        for one in measures:
            emit_json(one.to_dict())
    elif plot != "-":
        write_line(comparing.table(measures))


def _sources(given: tuple[str, ...], texts: tuple[str, ...], reading: Reading) -> Iterator[Source]:
    """Yield the sources, by name."""
    named: dict[str, str] = {}
    for at, item in enumerate(texts, 1):
        name, equals, text = item.partition("=")
        named[name if equals else f"text {at}"] = text if equals else item
    if not texts and len(given) == 1 and not stands_for_files(given[0]) and not like_a_file_name(given[0]):
        named["text"], given = given[0], ()
    files = list(dict.fromkeys(file for name in given for file in files_of(name)))
    if not named and not given:
        files = ["-"]
    lone = (
        Source(name, texts) for name, (_, texts) in zip(named, given_as_sources(named.values(), reading), strict=True)
    )
    return chain(lone, files_as_sources(files, reading))


def _measured(source: Source, toks: Iterable[Tokenizer], special: str) -> list[Measure]:
    """Measure the texts of a source under each vocab, and add them up."""
    from wordsplit.features.compare import Measure  # noqa: PLC0415 - as above

    toks = list(toks)
    tokens, size = [0] * len(toks), _Size()
    for group in grouped(source.texts):
        with naming(source.name, group.first, many=group.many):
            if isinstance(group.texts, list):
                found = [sum(tok.count_batch(group.texts, special)) for tok in toks]
                for text in group.texts:
                    size.add([to_bytes(text, "replace")])
            else:
                counters = [Counter(tok, special) for tok in toks]
                size.add(_pushed(group.texts, counters))
                found = [counter.finish() for counter in counters]
        tokens = list(map(sum, zip(tokens, found, strict=True)))
    rest = (size.n_bytes, size.n_chars, size.n_words)
    return [Measure(source.name, tok.vocab.name, n, *rest) for tok, n in zip(toks, tokens, strict=True)]


def _pushed(blocks: Iterator[bytes], counters: Iterable[Counter]) -> Iterator[bytes]:
    for block in blocks:
        for counter in counters:
            counter.push(block)
        yield block


class _Size:
    """The size of texts. Invalid bytes count as characters, namely U+FFFD."""

    def __init__(self) -> None:
        self.n_bytes = self.n_chars = self.n_words = 0

    def add(self, text: Iterable[bytes]) -> None:
        """Add a text in blocks."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        within = False  # inside a word
        for block in chain(text, [None]):
            self.n_bytes += len(block or b"")
            part = decoder.decode(block or b"", final=block is None)
            if part:
                self.n_chars += len(part)
                self.n_words += len(part.split()) - (within and not part[0].isspace())
                within = not part[-1].isspace()
