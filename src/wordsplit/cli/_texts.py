"""Texts of the command line, from arguments, files or standard input, with the same rules for all commands.

Files are read as in `wordsplit train` (`wordsplit.corpus`): ``.jsonl``, ``.parquet``, ``.arrow`` and similar files hold
many texts, any other file holds one; ``.gz`` and ``.zst`` are decompressed. Text that is not UTF-8 is refused, with the
file's name. ``--as`` overrides these rules.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import click

from wordsplit.cli._output import flush
from wordsplit.cli._progress import ReadingProgress
from wordsplit.cli._stream import BLOCK
from wordsplit.errors import CorpusError, OptionsError, WordsplitError
from wordsplit.registry import quoted

if TYPE_CHECKING:
    from wordsplit.corpus import CorpusFile
    from wordsplit.corpus.inputs import Kind

__all__ = [
    "Group",
    "Reading",
    "Source",
    "Text",
    "ask_for_input",
    "files_as_sources",
    "given_as_sources",
    "grouped",
    "like_a_file_name",
    "naming",
    "of_each",
    "opened",
    "reading_options",
    "refuse_file_names",
    "whole",
]

T = TypeVar("T")
Text: TypeAlias = "str | bytes | Iterator[bytes]"
"""A text: whole, or in blocks."""

_MOST_GROUPED = 4096

_UNDECODED = re.compile("[\udc80-\udcff]")
_FILE_NAME = re.compile(r"\S*[^\s.]\.[A-Za-z][A-Za-z0-9]{0,7}|\S*[\\/]\S*")


class Reading(NamedTuple):
    """Settings for reading files, from ``reading_options``.

    Attributes:
        kind: ``"text"``, ``"jsonl"``, ``"parquet"``, ``"arrow"`` or ``"bytes"``; ``None`` to decide by the name.
        column: The field of JSON Lines, or the column of Parquet and Arrow, that has the text.
        lines: Whether each line is a separate text.
    """

    kind: str | None = None
    column: str = "text"
    lines: bool = False


class Source(NamedTuple):
    """The texts of one source.

    Attributes:
        name: The file; ``-`` for standard input, the empty string for a text given as an argument.
        texts: Its texts.
    """

    name: str
    texts: Iterator[Text]


class Group(NamedTuple):
    """Texts of a source that are processed in one call.

    Attributes:
        texts: Several small texts, or one in blocks.
        first: The number of the first one in the source, from 1.
    """

    texts: list[str | bytes] | Iterator[bytes]
    first: int

    @property
    def many(self) -> bool:
        """Whether it has several texts."""
        return isinstance(self.texts, list) and len(self.texts) > 1


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options ``--column`` and ``--as``, passed as ``column`` and ``kind``."""
    column = click.option(
        "--column",
        default="text",
        show_default=True,
        help="The field or column of the text in .jsonl, .parquet and .arrow.",
    )
    kind = click.option(
        "--as",
        "kind",
        type=click.Choice(["text", "jsonl", "parquet", "arrow", "bytes"]),
        help="The format of files, whatever their names; 'bytes' reads any file unchecked.",
    )
    return column(kind(command))


def given_as_sources(texts: Iterable[str], reading: Reading) -> Iterator[Source]:
    """Yield each text of the command line as a source."""
    for text in texts:
        yield Source("", map(_as_given, _lines(text) if reading.lines else [text]))


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text, as `wordsplit.corpus.lines` does for files."""
    return (line.removesuffix("\r") for line in text.removesuffix("\n").split("\n"))


def _as_given(text: str) -> str | bytes:
    """Return the bytes of an argument that is not text in the encoding of the locale, as for a file."""
    return os.fsencode(text) if _UNDECODED.search(text) else text


def files_as_sources(names: Sequence[str], reading: Reading, *, streaming: bool = False) -> Iterator[Source]:
    """Yield files as sources, ``-`` for standard input. Each is opened when reached, and must be read before the next.

    Args:
        names: Their names.
        reading: How to read them.
        streaming: Whether output is written while files are read.
    """
    progress = ReadingProgress(sum(map(_size, names)), streaming=streaming)
    for name in names:
        yield Source(name, _texts_of(name, reading, progress))


def grouped(texts: Iterator[Text]) -> Iterator[Group]:
    """Group texts, in order, so that a call for each group is efficient."""
    group: list[str | bytes] = []
    first, size = 1, 0
    for text in texts:
        if isinstance(text, (str, bytes)):
            group.append(text)
            size += len(text)
            if size < BLOCK and len(group) < _MOST_GROUPED:
                continue
        if group:
            yield Group(group, first)
            first += len(group)
            group, size = [], 0
        if not isinstance(text, (str, bytes)):
            yield Group(text, first)
            first += 1
    if group:
        yield Group(group, first)


@contextmanager
def naming(name: str, first: int = 1, *, many: bool = False) -> Iterator[None]:
    """Name the file in errors about its texts, and the number of the text if that is not the first and only one.

    Args:
        name: The file; see `Source`.
        first: The number of the first text in the block, from 1.
        many: Whether the block has several texts, as a batch.
    """
    try:
        yield
    except CorpusError:  # names its file
        raise
    except WordsplitError as error:
        row = error.row or 0
        found = str(error).removeprefix(f"text {row} of the batch: ")
        number = [f"text {first + row:,}"] if many or first > 1 else []
        place = ", ".join([*([name] if name else []), *number])
        error.args = (f"{place}: {found}" if place else found,)
        raise


def of_each(sources: Iterable[Source], use: Callable[[Text], T]) -> Iterator[T]:
    """Yield what a function returns for each text. Errors name the text; see `naming`."""
    for name, texts in sources:
        for number, text in enumerate(texts, 1):
            with naming(name, number):
                found = use(text)
            yield found


def whole(text: Text, command: str, most: int) -> str | bytes:
    """Return a whole text, for a command that needs much more memory than the text.

    Args:
        text: The text.
        command: The command's name.
        most: The largest number of bytes.

    Raises:
        OptionsError: The text has more.
    """
    found: str | bytes
    if isinstance(text, str):
        size, found = len(text.encode("utf-8", "replace")), text
    elif isinstance(text, bytes):
        size, found = len(text), text
    else:
        blocks, size = [], 0
        for block in text:
            blocks.append(block)
            size += len(block)
            if size > most:
                break
        found = b"".join(blocks)
    if size > most:
        raise OptionsError(
            f"{command} takes texts of up to {most:,} bytes, but this one is longer: pass a part of it, or use "
            "'wordsplit spans' or 'wordsplit encode', which take texts of any size"
        )
    return found


def refuse_file_names(texts: Iterable[str]) -> None:
    """Refuse arguments that are files where a text is expected, and note those that look like a missing one.

    Raises:
        OptionsError: An argument is the name of a file.
    """
    for text in texts:
        if _is_file(text):
            shown = shlex.quote(text)
            raise OptionsError(
                f"{text!r} is a file: read it with --file {shown}, or give its name as text with --text {shown}"
            )
        if like_a_file_name(text):
            note = f"{quoted(text)} is used as text because there is no such file; --text avoids this note"
            click.echo(f"wordsplit: {note}", err=True)


def like_a_file_name(text: str) -> bool:
    """Return whether text looks like the name of a file: no white space, and a slash or an extension in it.

    Example:
        >>> [like_a_file_name(text) for text in ("README.md", "docs/a", "Hello.", "in 3.5 s", "https://a.org/b")]
        [True, True, False, False, False]
    """
    return "://" not in text and _FILE_NAME.fullmatch(text) is not None


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # the name is too long, or has a NUL
        return False


def _texts_of(name: str, reading: Reading, progress: ReadingProgress) -> Iterator[Text]:
    from wordsplit.corpus.lines import lines_of  # noqa: PLC0415 - --help must not wait for it

    file = opened(name, reading.kind)
    if file.kind == "text" or reading.kind == "bytes":
        blocks = file.raw_blocks(BLOCK) if reading.kind == "bytes" else file.blocks(BLOCK, keep_mark=True)
        blocks = progress.watch(file, blocks)
        if reading.lines:
            yield from (line.removesuffix(b"\n").removesuffix(b"\r") for line in lines_of(blocks))
        else:
            yield blocks
        return
    texts = progress.watch(file, _with_hint(file.texts(reading.column)))
    yield from chain.from_iterable(map(_lines, texts)) if reading.lines else texts


def opened(name: str, kind: str | None) -> CorpusFile:
    """Open a file, ``-`` for standard input; see `Reading`."""
    from wordsplit.corpus import CorpusFile, StandardInput  # noqa: PLC0415 - as above

    as_file: Kind | None = "text" if kind == "bytes" else kind  # type: ignore[assignment]
    if name == "-":
        ask_for_input()
        return StandardInput(as_file or "text")
    return CorpusFile(name, as_file)


def _with_hint(texts: Iterator[str]) -> Iterator[str]:
    from wordsplit.corpus.columns import MissingColumnError  # noqa: PLC0415 - as above

    try:
        yield from texts
    except MissingColumnError as error:
        hint = "name it with --column, or read the file as plain text with --as text"
        raise MissingColumnError(f"{error.found}; {hint}", file=error.file, field=error.field) from None


def ask_for_input() -> None:
    """Say that standard input is read, if that is a terminal."""
    flush()
    if sys.stdin.isatty():
        click.echo("wordsplit: reading from the terminal; end with Ctrl-D", err=True)


def _size(name: str) -> int:
    try:
        return 0 if name == "-" else Path(name).stat().st_size
    except (OSError, ValueError):
        return 0
