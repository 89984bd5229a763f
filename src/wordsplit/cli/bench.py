"""``wordsplit bench``: a short form of ``benches/`` for the user's own text."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wordsplit.cli._common import special_option, vocab_of, vocab_options
from wordsplit.cli._files import files_of
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._messages import one_line
from wordsplit.cli._output import flush, write_line
from wordsplit.cli._texts import Reading, files_as_sources, reading_options
from wordsplit.errors import OptionsError, UnsupportedVocabError
from wordsplit.status_line import StatusLine
from wordsplit.text import to_bytes

if TYPE_CHECKING:
    from wordsplit.tokenizer import Tokenizer
    from wordsplit.vocab import Vocab

__all__ = ["command"]

_SAMPLE_BYTES = 200_000


class _Choice(NamedTuple):
    """A row of the table: the names requested."""

    spanner: str
    encoder: str


@click.command("bench")
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|GLOB]...", type=click.Path())
@vocab_options
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    help="How long to repeat each row's warm passes; at least one pass is made.",
)
@reading_options
@special_option
@json_option
def command(
    paths: tuple[str, ...],
    vocab: str,
    seconds: float,
    kind: str | None,
    column: str,
    special: str,
    as_json: str | None,
    **how: str | None,
) -> None:
    """Time every spanner and every encoder that supports the vocab, on files or on a sample.

    The ids of all are compared before timing. "first" is a new tokenizer's first pass over the
    text, "warm" its best later pass. One thread, one file at a time, str to list.

    \b
    Examples:
      wordsplit bench
      wordsplit bench --vocab gpt-4o README.md docs/*.md
      cat corpus.txt | wordsplit bench --seconds 5 --json -
    """
    texts = _read([file for path in paths for file in files_of(path, hint="")], Reading(kind, column)) or _sample()
    size = sum(map(len, texts))
    if not size:
        raise OptionsError("nothing to time: the texts are empty")
    loaded = vocab_of(vocab, **how)
    click.echo(f"{loaded.name}: {size:,} bytes {'of your text' if paths else 'of sample text'}", err=True)
    if not as_json:
        write_line(f"{'spanner':<18}{'encoder':<18}{'first MB/s':>11}{'warm MB/s':>11}{'warm tokens/s':>15}")
    want: list[list[int]] | None = None
    line = StatusLine(seconds=0)
    for choice in _choices(loaded):
        flush()
        line.show(f"{choice.spanner} {choice.encoder}")
        try:
            tok = _build(loaded, choice)
        except UnsupportedVocabError as error:
            line.clear()
            click.echo(f"{choice.encoder}: left out: {one_line(error)}", err=True)
            continue
        ids = [tok.encode(text, special) for text in texts]
        want = ids if want is None else want
        same = ids == want
        first, warm = _time(_build(loaded, choice), texts, special, seconds)
        line.clear()
        _show(tok, choice, same, as_json, size=size, tokens=sum(map(len, ids)), first=first, warm=warm)


def _choices(vocab: Vocab) -> Iterator[_Choice]:
    """Yield the default choice, then each spanner that fits and each encoder."""
    from wordsplit import encoders, spanners  # noqa: PLC0415 - --help must not wait for it

    yield _Choice("auto", "auto")
    for name in spanners.names():
        try:
            spanners.get(name)(vocab)
        except UnsupportedVocabError:
            continue  # a scanner of another pattern; there are many
        yield _Choice(name, "auto")
    for name in encoders.names_for(vocab):
        yield _Choice("auto", name)


def _build(vocab: Vocab, choice: _Choice) -> Tokenizer:
    from wordsplit.api import load_tokenizer  # noqa: PLC0415 - as above

    return load_tokenizer(vocab, spanner=choice.spanner, encoder=choice.encoder)


def _time(tok: Tokenizer, texts: list[bytes], special: str, seconds: float) -> tuple[float, float]:
    """Return the seconds of the first pass and of the best later pass."""
    fresh = [text.decode("utf-8", "replace") for text in texts]  # a new str without cached data
    passes: list[float] = []
    began = time.perf_counter()
    while len(passes) < 2 or time.perf_counter() - began < seconds:
        start = time.perf_counter()
        for text in fresh:
            tok.encode(text, special)
        passes.append(time.perf_counter() - start)
    return passes[0], min(passes[1:])


def _show(
    tok: Tokenizer,
    choice: _Choice,
    same: bool,
    as_json: str | None,
    *,
    size: int,
    tokens: int,
    first: float,
    warm: float,
) -> None:
    if not same:
        click.echo(f"spanner {choice.spanner}, encoder {choice.encoder}: different ids than with 'auto'", err=True)
    if as_json:
        row: dict[str, Any] = {
            "vocab": tok.vocab.name,
            **choice._asdict(),
            "resolved_spanner": tok.options.spanner,
            "resolved_encoder": tok.options.encoder,
            "bytes": size,
            "tokens": tokens,
            "same_ids": same,
            "first_mb_per_s": size / first / 1e6,
            "warm_mb_per_s": size / warm / 1e6,
            "warm_tokens_per_s": tokens / warm,
        }
        emit_json(row)
        return
    speeds = f"{size / first / 1e6:>11.1f}{size / warm / 1e6:>11.1f}{tokens / warm:>15,.0f}"
    write_line(f"{choice.spanner:<18}{choice.encoder:<18}{speeds}{'' if same else '  different ids'}")


def _read(paths: list[str], reading: Reading) -> list[bytes]:
    return [
        to_bytes(text, "replace") if isinstance(text, (str, bytes)) else b"".join(text)
        for source in files_as_sources(paths, reading)
        for text in source.texts
    ]


def _sample() -> list[bytes]:
    """Return the sources of the package: English docstrings, and code."""
    folder = Path(__file__).resolve().parents[1]
    out, size = [], 0
    for path in sorted(folder.rglob("*.py")):
        if path.name == "data.py" and path.parent.name == "unicode":  # tables
            continue
        out.append(path.read_bytes())
        size += len(out[-1])
        if size > _SAMPLE_BYTES:
            break
    return out
