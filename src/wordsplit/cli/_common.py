"""Options that several commands share, and the sources of text."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem as Completion

from wordsplit.atomic_file import write_atomically
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
    "pattern_options",
    "refuse_both",
    "sources",
    "special_option",
    "text_options",
    "tokenizer_of",
    "tokenizer_options",
    "vocab_of",
    "vocab_option",
    "vocab_options",
    "write_page",
]

Command = Callable[..., None]


def _complete(names: Callable[[], Iterable[str]]) -> Callable[[click.Context, click.Parameter, str], list[Completion]]:
    """Complete names, or files as shells do."""

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


pattern_options = _options(
    click.option("--pattern", metavar="SCHEME|REGEX", help="For files: the pre-tokenization pattern to use."),
    click.option("--pre", metavar="NAME", help="For GGUF files: the name of the pre-tokenizer to use."),
)

file_options = _options(
    pattern_options,
    click.option(
        "--format", metavar="NAME", shell_complete=_complete(_loader_names), help="For files: the format to read."
    ),
)

vocab_option = click.option(
    "--vocab",
    "-v",
    default="qwen3",
    show_default=True,
    metavar="NAME|FILE",
    shell_complete=complete_vocab,
    help="A vocab's name, alias or file, or hf:owner/repo.",
)

vocab_options = _options(vocab_option, file_options)

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
    help="Special tokens in the text: parse, keep as text, or refuse them; no_added: all added tokens are text.",
)

text_options = _options(
    click.argument("text", nargs=-1),
    click.option(
        "--text", "-t", "given", multiple=True, metavar="TEXT", help="Use this text, even if it looks like a file name."
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
    click.option("--lines", is_flag=True, help="Treat each line as a separate text."),
    reading_options,
)

csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a header line.")

html_option = click.option("--html", metavar="FILE", help="Write an HTML page to this file; '-' is standard output.")


def refuse_both(*, as_csv: bool, as_json: str | None) -> None:
    """Refuse --csv together with --json."""
    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other; give one", click.get_current_context())


def vocab_of(vocab: str, pattern: str | None = None, pre: str | None = None, format: str | None = None) -> Vocab:  # noqa: A002 - the option's name
    """Load the vocab that `vocab_options` name."""
    from wordsplit.vocabs.resolve import load_vocab  # noqa: PLC0415 - --help must not wait for it

    return load_vocab(vocab, pattern=pattern, pre=pre, format=format)


def tokenizer_of(*, encoder: str, spanner: str, engine: str | None, **named: Any) -> Tokenizer:
    """Build the tokenizer that `tokenizer_options` name."""
    from wordsplit.api import load_tokenizer  # noqa: PLC0415 - as above

    chosen = {} if engine is None else {"engine": engine}
    return load_tokenizer(vocab_of(**named), encoder=encoder, spanner=spanner, **chosen)


def sources(options: dict[str, Any], *, streaming: bool = False) -> Iterator[Source]:
    """Return the texts that `text_options` name, in order; standard input if they name none.

    Args:
        options: The options of a command, from which `text_options` are removed.
        streaming: Whether output is written while files are read.

    Raises:
        OptionsError: An argument is the name of a file.
    """
    text, given, files = options.pop("text"), options.pop("given"), options.pop("files")
    reading = Reading(options.pop("kind"), options.pop("column"), options.pop("lines"))
    refuse_file_names(text)
    names = files or (() if text or given else ("-",))
    return chain(given_as_sources((*text, *given), reading), files_as_sources(names, reading, streaming=streaming))


def write_page(name: str, pages: list[str]) -> None:
    """Write the page of a single text to a file or to standard output.

    Raises:
        OptionsError: There are several texts, or none.
    """
    if len(pages) != 1:
        raise OptionsError(f"{name}: a page shows one text, but {len(pages)} are given")
    if name == "-":
        write(pages[0])
    else:
        write_atomically(Path(name), pages[0].encode())
