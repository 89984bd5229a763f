"""What several commands share: options, and where text comes from."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem as Completion

from wordsplit.cli._output import write
from wordsplit.cli._texts import (
    Reading,
    Source,
    files_as_sources,
    given_as_sources,
    reading_options,
    refuse_file_names,
)
from wordsplit.errors import OptionsError

if TYPE_CHECKING:
    from wordsplit.tokenizer import Tokenizer
    from wordsplit.vocab import Vocab

__all__ = [
    "complete_vocab",
    "csv_option",
    "file_options",
    "html_option",
    "sources",
    "special_option",
    "text_options",
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

    return catalog.names_and_aliases()


def _encoder_names() -> list[str]:
    from wordsplit import encoders  # noqa: PLC0415 - as above

    return encoders.names()


def _spanner_names() -> list[str]:
    from wordsplit import spanners  # noqa: PLC0415 - as above

    return spanners.names()


def _loader_names() -> list[str]:
    from wordsplit import vocabs  # noqa: PLC0415 - as above

    return vocabs.names()


complete_vocab = _complete(_vocab_names)


def _options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    return lambda command: functools.reduce(lambda inner, option: option(inner), reversed(options), command)


file_options = _options(
    click.option("--pattern", metavar="SCHEME|REGEX", help="For files: the pre-tokenization pattern to go by."),
    click.option("--pre", metavar="NAME", help="For GGUF files: the pre-tokenizer's name to go by."),
    click.option(
        "--format", metavar="NAME", shell_complete=_complete(_loader_names), help="For files: the format to read."
    ),
)

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
    file_options,
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
    type=click.Choice(["parse", "text", "no_added", "error"]),
    default="parse",
    show_default=True,
    help="Special tokens in the text: take them as such, as text, or refuse them; no_added: all added tokens are text.",
)

text_options = _options(
    click.argument("text", nargs=-1),
    click.option(
        "--text", "-t", "given", multiple=True, metavar="TEXT", help="Take this text, whatever it looks like."
    ),
    click.option(
        "--file",
        "-f",
        "files",
        multiple=True,
        metavar="FILE",
        type=click.Path(),
        help="Read this file; '-' is standard input.",
    ),
    click.option("--lines", is_flag=True, help="Take each line as a text of its own."),
    reading_options,
)

csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a line of names.")

html_option = click.option("--html", metavar="FILE", help="Write an HTML page to this file; '-' is standard output.")


def vocab_of(vocab: str, pattern: str | None = None, pre: str | None = None, format: str | None = None) -> Vocab:  # noqa: A002 - the option's name
    """The vocab that `vocab_options` name."""
    from wordsplit.vocabs.resolve import load_vocab  # noqa: PLC0415 - --help must not wait for it

    return load_vocab(vocab, pattern=pattern, pre=pre, format=format)


def tokenizer_of(*, encoder: str, spanner: str, engine: str | None, **named: Any) -> Tokenizer:
    """The tokenizer that `tokenizer_options` name."""
    from wordsplit.api import load_tokenizer  # noqa: PLC0415 - as above

    chosen = {} if engine is None else {"engine": engine}
    return load_tokenizer(vocab_of(**named), encoder=encoder, spanner=spanner, **chosen)


def sources(options: dict[str, Any], *, streaming: bool = False) -> Iterator[Source]:
    """The texts that `text_options` name, in order; standard input if they name nothing.

    Args:
        options: What the options gave a command; its own are taken out.
        streaming: Whether output is written while files are read.

    Raises:
        OptionsError: An argument is a file.
    """
    text, given, files = options.pop("text"), options.pop("given"), options.pop("files")
    reading = Reading(options.pop("kind"), options.pop("column"), options.pop("lines"))
    refuse_file_names(text)
    names = files or (() if text or given else ("-",))
    return chain(given_as_sources((*text, *given), reading), files_as_sources(names, reading, streaming=streaming))


def write_page(name: str, pages: list[str]) -> None:
    """Write the page that one text has to a file, or to standard output.

    Raises:
        OptionsError: There are several texts, or none.
    """
    if len(pages) != 1:
        raise OptionsError(f"{name}: a page shows one text, and {len(pages)} are given")
    if name == "-":
        write(pages[0])
    else:
        Path(name).write_text(pages[0], encoding="utf-8")
