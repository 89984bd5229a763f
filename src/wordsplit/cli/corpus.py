"""``wordsplit corpus``: encode, status, verify, export, count."""

from __future__ import annotations

import functools
import re
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from wordsplit.cli._common import pattern_options, vocab_of, vocab_option
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import write_line
from wordsplit.status_line import StatusLine, bar, clear_line

if TYPE_CHECKING:
    from wordsplit.corpus.progress import Show

__all__ = ["command"]

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
_POWERS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


class _Size(click.ParamType):  # type: ignore[type-arg]  # generic in later versions of click alone
    """A number of bytes, such as 512M or 4G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+)\s*([kmgt]?)(?:i?b)?", value.strip().lower())
        if not found:
            self.fail(f"{value!r} is not a size: give bytes, or a number with K, M, G or T, such as 512M", param, ctx)
        return int(found[1]) << _POWERS[found[2]]


_COMMON = (
    click.argument("inputs", nargs=-1, required=True, metavar="INPUT..."),
    vocab_option,
    pattern_options,
    click.option(
        "--as",
        "kind",
        type=click.Choice(["text", "jsonl", "parquet", "arrow"]),
        help="The kind of the inputs, whatever their names.",
    ),
    click.option(
        "--text-field", "--column", default="text", show_default=True, help="The field or column with the text."
    ),
    click.option(
        "--documents",
        type=click.Choice(["file", "line"]),
        default="file",
        show_default=True,
        help="For plain text: a document is a file, or a line.",
    ),
    click.option(
        "--separator", metavar="STRING", help=r"For plain text: the separator of documents; \n is a line feed."
    ),
    click.option(
        "--special",
        type=click.Choice(["text", "parse"]),
        default="text",
        show_default=True,
        help="Special tokens in documents are text, or are parsed.",
    ),
    click.option(
        "--bos",
        default="default",
        show_default=True,
        metavar="TOKEN",
        help="Before each document: default (as the tokenizer does), none, vocab (its bos token), a token or an id.",
    ),
    click.option(
        "--eos", default="default", show_default=True, metavar="TOKEN", help="After each document, as for --bos."
    ),
    click.option(
        "--empty", type=click.Choice(["skip", "keep"]), default="skip", show_default=True, help="Empty documents."
    ),
    click.option(
        "--on-error",
        type=click.Choice(["fail", "skip", "quarantine"]),
        default="fail",
        show_default=True,
        help="Documents and files that cannot be read; quarantine writes them to a folder.",
    ),
    click.option(
        "--invalid-utf8",
        type=click.Choice(["keep", "error"]),
        default="keep",
        show_default=True,
        help="Documents that are not UTF-8 are encoded byte by byte, or are errors.",
    ),
    click.option("--workers", "-j", type=click.IntRange(min=1), metavar="N", help="Workers.  [default: one per core]"),
    click.option(
        "--memory",
        type=_Size(),
        metavar="SIZE",
        help="Memory for all workers.  [default: half of the machine's or container's]",
    ),
    click.option(
        "--unit-bytes",
        type=_Size(),
        metavar="SIZE",
        help="Size of a unit of work.  [default: 8M to 128M]",
    ),
    click.option(
        "--progress",
        type=click.Choice(["bar", "json", "none"]),
        default="bar",
        show_default=True,
        help="A line on the terminal, JSON lines on standard error, or nothing.",
    ),
)


def _common(function: Callable[..., None]) -> Callable[..., None]:
    return functools.reduce(lambda inner, option: option(inner), reversed(_COMMON), function)


@click.group("corpus")
def command() -> None:
    """Encode corpora to shards of token ids. The same command continues an interrupted run.

    \b
    Examples:
      wordsplit corpus encode texts/ -o out --vocab qwen3
      wordsplit corpus encode "dump/*.jsonl.zst" -o out --format megatron --eos vocab
      wordsplit corpus status out
      wordsplit corpus verify out
      wordsplit corpus export out -o data --format litdata
      wordsplit corpus count texts/ --vocab cl100k_base
    """


@command.command("encode")
@_common
@click.option("--out", "-o", required=True, metavar="FOLDER", type=click.Path(), help="The output folder.")
@click.option(
    "--format", default="raw", show_default=True, metavar="NAME", help="The shards' format: raw, megatron or parquet."
)
@click.option("--id-field", metavar="NAME", help="The field or column with a name for each document, to be kept.")
@click.option("--shuffle", type=click.IntRange(min=0), metavar="SEED", help="Shuffle units, and documents within each.")
@click.option("--engine", default="local", show_default=True, metavar="NAME", help="Where to run: local, ray or spark.")
@click.option("--fresh", is_flag=True, help="Remove the output of an earlier run, and start over.")
@json_option
def encode_(inputs: tuple[str, ...], out: str, as_json: str | None, **options: Any) -> None:
    """Encode text, JSON Lines, Parquet and Arrow files to shards of token ids.

    INPUT is a file, a folder, a glob (in quotes) or an fsspec URL; .gz and .zst are decompressed. The same command
    continues an interrupted run; the output is the same, byte for byte, whether or not a run was interrupted. A report
    is printed at the end, and saved in report.html.

    \b
    Examples:
      wordsplit corpus encode books/ -o out
      wordsplit corpus encode "dump/*.jsonl.zst" -o out --text-field content --id-field url
      wordsplit corpus encode texts.txt -o out --documents line --eos "<|endoftext|>"
      wordsplit corpus encode data/ -o out --format megatron --eos vocab --on-error quarantine
      wordsplit corpus encode "s3://bucket/*.parquet" -o /shared/out --engine ray --workers 64
    """
    from wordsplit import corpus  # noqa: PLC0415 - --help must not wait for it

    try:
        report = corpus.encode(inputs, out, **_arguments(options))
    except KeyboardInterrupt:
        clear_line()
        again = shlex.join(["wordsplit", *(part for part in sys.argv[1:] if part != "--fresh")])
        click.echo(f"wordsplit: interrupted; finished units are kept. Continue with:\n  {again}", err=True)
        raise
    _print(report, as_json)


@command.command("count")
@_common
@json_option
def count_(inputs: tuple[str, ...], as_json: str | None, **options: Any) -> None:
    """Count the documents and tokens of files, as encode would write them.

    \b
    Examples:
      wordsplit corpus count books/
      wordsplit corpus count "dump/*.jsonl.zst" --vocab cl100k_base --json
    """
    from wordsplit import corpus  # noqa: PLC0415 - as above

    _print(corpus.count(inputs, **_arguments(options)), as_json)


@command.command("status")
@click.argument("folder", type=click.Path())
@json_option
def status_(folder: str, as_json: str | None) -> None:
    """Show the progress of an output folder, even while it is being written.

    \b
    Examples:
      wordsplit corpus status out
      wordsplit corpus status out --json
    """
    from wordsplit import corpus  # noqa: PLC0415 - as above

    _print(corpus.status(folder), as_json)


@command.command("verify")
@click.argument("folder", type=click.Path())
@click.option("--workers", "-j", type=click.IntRange(min=1), metavar="N", help="Threads.  [default: one per core]")
@json_option
def verify_(folder: str, workers: int | None, as_json: str | None) -> None:
    """Read an output folder again and compare it with its checksums. Exit code 1 if something is wrong.

    \b
    Examples:
      wordsplit corpus verify out
    """
    from wordsplit import corpus  # noqa: PLC0415 - as above

    problems = corpus.verify(folder, workers=workers)
    if as_json:
        emit_json({"folder": folder, "ok": not problems, "problems": problems})
    else:
        for problem in problems:
            write_line(problem)
        if not problems:
            write_line(f"{folder}: ok")
    if problems:
        raise click.exceptions.Exit(1)


@command.command("export")
@click.argument("folder", type=click.Path())
@click.option("--out", "-o", required=True, metavar="FOLDER", type=click.Path(), help="A folder that does not exist.")
@click.option(
    "--format",
    "to",
    required=True,
    metavar="NAME",
    help="npy, megatron, parquet, raw, litdata, mds, lance, datatrove, dolma or llm.c.",
)
@click.option("--shard-tokens", type=click.IntRange(min=1), metavar="N", help="Approximate tokens per output file.")
@click.option("--length", type=click.IntRange(min=1), metavar="N", help="Tokens in a sample, for formats with samples.")
@json_option
def export_(folder: str, out: str, to: str, shard_tokens: int | None, length: int | None, as_json: str | None) -> None:
    """Write a finished corpus in the layout of another library.

    \b
    Examples:
      wordsplit corpus export out -o train --format megatron
      wordsplit corpus export out -o train --format litdata --length 4097
      wordsplit corpus export out -o train --format llm.c --shard-tokens 100000000
    """
    from wordsplit import corpus  # noqa: PLC0415 - as above

    with StatusLine() as line:
        files = corpus.export(
            folder,
            out,
            to,
            shard_tokens=shard_tokens,
            length=length,
            progress=lambda done, total: line.show(f"{bar(done / (total or 1))} {done:,} of {total:,} tokens"),
        )
    if as_json:
        emit_json({"folder": out, "format": to, "files": [str(path) for path in files]})
    else:
        write_line(f"{out}: {len(files):,} files")


def _arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `wordsplit.corpus.encode`."""
    tokenizer = vocab_of(options.pop("vocab"), options.pop("pattern"), options.pop("pre"))
    options["progress"] = _shown(options.pop("progress"))
    if separator := options["separator"]:
        options["separator"] = re.sub(r"\\([nrt\\])", lambda found: _ESCAPES[found[1]], separator)
    return {"tokenizer": tokenizer, **options}


def _shown(progress: str) -> bool | Show:
    from wordsplit.corpus.progress import json_lines  # noqa: PLC0415 - as above

    return json_lines() if progress == "json" else progress == "bar"


def _print(found: Any, as_json: str | None) -> None:
    if as_json:
        emit_json(found.to_dict())
    else:
        write_line(found)
