"""What several commands share: options, and where text comes from."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem as Completion

from wordsplit.errors import OptionsError

if TYPE_CHECKING:
    from wordsplit.tokenizer import Tokenizer
    from wordsplit.vocab import Vocab

__all__ = [
    "complete_vocab",
    "csv_option",
    "emit_json",
    "html_option",
    "json_option",
    "special_option",
    "text_options",
    "texts",
    "tokenizer_of",
    "tokenizer_options",
    "vocab_of",
    "vocab_options",
    "write_page",
]

Command = Callable[..., None]


def _complete(names: Callable[[], Iterable[str]]) -> Callable[[click.Context, click.Parameter, str], list[Completion]]:
    """Completion by names, or else by files, as shells do it."""

    def complete(ctx: click.Context, param: click.Parameter, begun: str) -> list[Completion]:  # noqa: ARG001 - click's
        found = [Completion(name) for name in names() if name.startswith(begun)]
        return found or [Completion(begun, type="file")]

    return complete


def _vocab_names() -> list[str]:
    from wordsplit.vocabs import catalog  # noqa: PLC0415 - --help must not wait for it

    return catalog.names()


def _encoder_names() -> list[str]:
    from wordsplit import encoders  # noqa: PLC0415 - as above

    return encoders.names()


def _spanner_names() -> list[str]:
    from wordsplit import spanners  # noqa: PLC0415 - as above

    return spanners.names()


complete_vocab = _complete(_vocab_names)


def _options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    return lambda command: functools.reduce(lambda inner, option: option(inner), reversed(options), command)


vocab_options = _options(
    click.option(
        "--vocab",
        "-v",
        default="qwen3",
        show_default=True,
        metavar="NAME|FILE",
        shell_complete=complete_vocab,
        help="A vocab's name, alias or file, or hf:owner/repo.",
    ),
    click.option("--pattern", metavar="SCHEME|REGEX", help="For files: the pre-tokenization pattern to go by."),
    click.option("--pre", metavar="NAME", help="For GGUF files: the pre-tokenizer's name to go by."),
)

tokenizer_options = _options(
    vocab_options,
    click.option(
        "--encoder",
        "-e",
        default="auto",
        show_default=True,
        shell_complete=_complete(_encoder_names),
        help="The span encoder.",
    ),
    click.option(
        "--spanner",
        "-s",
        default="auto",
        show_default=True,
        shell_complete=_complete(_spanner_names),
        help="The spanner.",
    ),
    click.option("--engine", type=click.Choice(["native", "python"]), help="The engine; native if it was built."),
)

special_option = click.option(
    "--special",
    type=click.Choice(["parse", "text", "error"]),
    default="parse",
    show_default=True,
    help="What becomes of special tokens in the text.",
)

text_options = _options(
    click.argument("text", nargs=-1),
    click.option(
        "--file",
        "-f",
        "files",
        multiple=True,
        metavar="FILE",
        type=click.Path(),
        help="Read this file; '-' is standard input.",
    ),
    click.option("--lines", is_flag=True, help="Take each line for a text of its own."),
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a text.")

csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a line of names.")

html_option = click.option("--html", metavar="FILE", help="Write an HTML page to this file; '-' is standard output.")


def vocab_of(vocab: str, pattern: str | None, pre: str | None) -> Vocab:
    """The vocab that `vocab_options` name."""
    from wordsplit.vocabs.resolve import load_vocab  # noqa: PLC0415 - --help must not wait for it

    return load_vocab(vocab, pattern=pattern, pre=pre)


def tokenizer_of(
    vocab: str, pattern: str | None, pre: str | None, encoder: str, spanner: str, engine: str | None
) -> Tokenizer:
    """The tokenizer that `tokenizer_options` name."""
    from wordsplit.api import load_tokenizer  # noqa: PLC0415 - as above

    chosen = {} if engine is None else {"engine": engine}
    return load_tokenizer(vocab_of(vocab, pattern, pre), encoder=encoder, spanner=spanner, **chosen)


def texts(text: tuple[str, ...], files: tuple[str, ...], lines: bool) -> Iterator[tuple[str, str | bytes]]:
    """(where it came from, text) of everything named on the command line; standard input if nothing is."""
    for item in text:
        yield from _cut("", item, lines)
    for name in files or (() if text else ("-",)):
        if name == "-":
            if sys.stdin.isatty():
                click.echo("wordsplit: reading from the terminal; end with Ctrl-D", err=True)
            yield from _cut("-", sys.stdin.buffer.read(), lines)
        else:
            yield from _cut(name, Path(name).read_bytes(), lines)


def _cut(name: str, text: str | bytes, lines: bool) -> Iterator[tuple[str, str | bytes]]:
    if not lines:
        yield name, text
    elif isinstance(text, str):
        yield from ((name, line) for line in text.splitlines())
    else:
        yield from ((name, line.removesuffix(b"\r")) for line in text.removesuffix(b"\n").split(b"\n"))


def emit_json(value: dict[str, Any]) -> None:
    """Print one JSON object on one line."""
    click.echo(json.dumps(value, ensure_ascii=False))


def write_page(name: str, pages: list[str]) -> None:
    """Write the page that one text has to a file, or to standard output.

    Raises:
        OptionsError: There are several texts, or none.
    """
    if len(pages) != 1:
        raise OptionsError(f"{name}: a page shows one text, and {len(pages)} are given")
    if name == "-":
        click.echo(pages[0], nl=False)
    else:
        Path(name).write_text(pages[0], encoding="utf-8")
