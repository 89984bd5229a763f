"""``wordsplit count``."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from wordsplit.cli._common import csv_option, refuse_both, special_option, tokenizer_of, tokenizer_options
from wordsplit.cli._files import files_of
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._messages import one_line
from wordsplit.cli._output import Writer, write_line
from wordsplit.cli._stream import Counter
from wordsplit.cli._texts import Reading, Text, files_as_sources, given_as_sources, grouped, naming, reading_options
from wordsplit.errors import CorpusError

if TYPE_CHECKING:
    from wordsplit.tokenizer import Tokenizer

__all__ = ["command"]


@click.command("count")
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|GLOB]...", type=click.Path())
@click.option("--text", "-t", "given", multiple=True, metavar="TEXT", help="Count this text.")
@reading_options
@tokenizer_options
@special_option
@json_option
@csv_option
def command(
    paths: tuple[str, ...],
    given: tuple[str, ...],
    kind: str | None,
    column: str,
    special: str,
    as_json: str | None,
    as_csv: bool,
    **named: Any,
) -> None:
    """Count the tokens of files, of --text, or of standard input, with a total if there are several.

    A folder means all files in it except hidden ones, a glob (in quotes, with ** for any folders) its matches. In
    .jsonl, .parquet and .arrow files each text is counted separately, as 'wordsplit train' reads them;
    --as text counts a .jsonl file as plain text. .gz and .zst are decompressed. A file that is not UTF-8 text is
    reported on standard error and left out, and the exit code is 1; --as bytes counts it anyway.

    \b
    Examples:
      wordsplit count README.md docs/*.md
      wordsplit count --vocab gpt-4o --text "hello world"
      wordsplit count --column content chats.jsonl.gz
      wordsplit count --csv src "notes/**/*.txt" > counts.csv
      git diff | wordsplit count
    """
    refuse_both(as_csv=as_csv, as_json=as_json)
    files = [file for path in paths for file in files_of(path)]
    tok = tokenizer_of(**named)
    writer = csv.DictWriter(Writer(), ("vocab", "file", "count"), lineterminator="\n")
    if as_csv:
        writer.writeheader()
    total = 0
    many = len(files) + len(given) > 1
    left_out = False
    reading = Reading(kind, column)
    names = files or ([] if given else ["-"])
    for name, texts in chain(given_as_sources(given, reading), files_as_sources(names, reading)):
        try:
            count = _count(tok, name, texts, special)
        except CorpusError as error:
            click.echo(f"wordsplit: {one_line(error)}", err=True)
            left_out = True
            continue
        total += count
        if as_csv:
            writer.writerow({"vocab": tok.vocab.name, "file": name, "count": count})
        elif as_json:
            emit_json({"vocab": tok.vocab.name, **({"file": name} if name else {}), "count": count})
        else:
            write_line(f"{count}\t{name}" if many else count)
    if many and not as_json and not as_csv:
        write_line(f"{total}\ttotal")
    if left_out:
        raise click.exceptions.Exit(1)


def _count(tok: Tokenizer, name: str, texts: Iterator[Text], special: str) -> int:
    count = 0
    for group in grouped(texts):
        with naming(name, group.first, many=group.many):
            if isinstance(group.texts, list):
                count += sum(tok.count_batch(group.texts, special))
            else:
                counter = Counter(tok, special)
                for block in group.texts:
                    counter.push(block)
                count += counter.finish()
    return count
