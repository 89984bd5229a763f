"""``wordsplit train``."""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wordsplit.arguments import absolute_path
from wordsplit.cli._common import complete_vocab
from wordsplit.cli._files import files_of as names_of
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._messages import one_line
from wordsplit.cli._output import write_line
from wordsplit.cli._texts import opened
from wordsplit.errors import CorpusError, OptionsError, UnsupportedVocabError

if TYPE_CHECKING:
    from wordsplit.corpus import CorpusFile
    from wordsplit.training import BpeTrainer
    from wordsplit.vocab import Vocab

__all__ = ["command"]

_SAVED_BY = {
    ".tiktoken": "save_tiktoken",
    ".json": "save_tokenizer_json",
    ".gguf": "save_gguf",
    "": "save_vocab_merges",
}
_FOLDER = ""
_COUNTED_BY = {"pattern", "normalizer"}  # the settings that determine the spans


@click.command("train")
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|GLOB]...", type=click.Path())
@click.option("--vocab-size", type=int, metavar="N", help="Number of tokens: 256 bytes, merges and special tokens.")
@click.option(
    "--out",
    "-o",
    "outs",
    multiple=True,
    required=True,
    metavar="FILE|FOLDER",
    type=click.Path(),
    help="Output: .tiktoken, .json, .gguf, or a folder for vocab.json and merges.txt. May be repeated.",
)
@click.option("--pattern", metavar="SCHEME|REGEX", help="The pattern that splits texts into spans.  [default: qwen2]")
@click.option("--special", "specials", multiple=True, metavar="LITERAL", help="A special token. May be repeated.")
@click.option("--min-frequency", type=int, metavar="N", help="Merge no pair that occurs less often.  [default: 1]")
@click.option("--max-token-bytes", type=int, metavar="N", help="Make no token longer than this.")
@click.option("--normalizer", type=click.Choice(["nfc"]), help="Normalize texts first.")
@click.option("--tie-break", type=click.Choice(["ids", "lexicographic"]), help="The order of equally frequent pairs.")
@click.option("--count", type=click.Choice(["occurrences", "spans"]), help="How to count the frequency of a pair.")
@click.option("--compat", type=click.Choice(["tokenizers"]), help="Make the same vocab as this library.")
@click.option("--threads", type=int, metavar="N", help="Number of threads.  [default: one per core]")
@click.option(
    "--memory-limit", type=click.IntRange(min=16), metavar="MIB", help="Memory for counts and merges.  [default: 4096]"
)
@click.option(
    "--column",
    default="text",
    show_default=True,
    help="The field or column of the text in .jsonl, .parquet and .arrow.",
)
@click.option(
    "--as",
    "kind",
    type=click.Choice(["text", "jsonl", "parquet", "arrow"]),
    help="The format of files, whatever their names.",
)
@click.option(
    "--held-out",
    "held_out",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="Files to evaluate the vocab on.",
)
@click.option(
    "--held-out-share",
    type=float,
    metavar="SHARE",
    help="Hold out this share of each file for evaluation: its last lines, such as 0.01.",
)
@click.option("--counts", metavar="FILE", type=click.Path(), help="Save the counts, for --resume or other sizes.")
@click.option("--resume", metavar="FILE", type=click.Path(), help="Continue with the counts in this file.")
@click.option(
    "--extend",
    metavar="NAME|FILE",
    shell_complete=complete_vocab,
    help="Add merges to this vocab, up to --vocab-size; its ids do not change.",
)
@click.option("--plot", metavar="FILE", type=click.Path(), help="Plot the frequency of the merges: .svg, .png, .pdf.")
@json_option
def command(
    paths: tuple[str, ...],
    outs: tuple[str, ...],
    column: str,
    kind: str | None,
    held_out: tuple[str, ...],
    held_out_share: float | None,
    counts: str | None,
    resume: str | None,
    extend: str | None,
    plot: str | None,
    as_json: str | None,
    **settings: Any,
) -> None:
    """Train a vocab on files: .txt, .jsonl, .parquet and .arrow, also .gz and .zst; '-' is standard input.

    A folder means all files in it except hidden ones, a glob (in quotes, with ** for any folders) its matches. A
    report is printed on standard output at the end. Ctrl-C saves the counts, and prints how to continue.

    \b
    Examples:
      wordsplit train --vocab-size 8000 --pattern cl100k -o my.tiktoken corpus/*.txt
      wordsplit train --vocab-size 32000 --special "<|endoftext|>" -o tokenizer.json -o my.gguf corpus/
      wordsplit train --vocab-size 8000 --held-out-share 0.01 --plot merges.svg -o my.json texts.jsonl.gz
      wordsplit train --vocab-size 8000 -o small.json --counts c.counts corpus/   (count once, and later:)
      wordsplit train --vocab-size 50000 -o large.json --resume c.counts
      zcat dump.gz | wordsplit train --vocab-size 8000 -o my.json -
      wordsplit train --vocab-size 160000 --extend qwen3 -o tokenizer.json corpus/
    """
    from wordsplit import corpus  # noqa: PLC0415 - --help must not wait for it

    given = _given(settings)
    if "vocab_size" not in given and not resume:
        raise click.UsageError("Missing option '--vocab-size'.")
    if not paths and not resume:
        raise click.UsageError("Missing argument '[FILE|FOLDER|GLOB]...'.")
    trainer = _trainer(resume, extend, given)
    _check_outputs(outs, counts, plot, trainer)
    names = [name for path in paths for name in names_of(path, hint="")]
    if "-" in names and held_out_share is not None:
        raise OptionsError("--held-out-share reads files twice, and standard input can be read only once")
    files = [opened(name, kind) for name in names]
    apart = corpus.files_of(held_out)
    if held_out_share is not None:
        files, last = corpus.held_out(files, held_out_share, column)
        apart += last
    with _kept_counts(trainer, resume or counts or f"{outs[0].rstrip('/')}.counts", resumed=bool(resume)):
        trainer.update_files(files, column, progress=True, resume=bool(resume))
        is_saved = not counts or _tried(counts, trainer.save_counts)
        vocab = trainer.train(progress=True)
    written = [out for out in outs if _written(vocab, out)]
    _report(trainer, vocab, apart, column, plot, as_json)
    if vocab.n_vocab < (wanted := trainer.settings.vocab_size):
        fewer = f"{vocab.n_vocab} tokens, not {wanted}: there are no more pairs that are frequent enough"
        click.echo(f"wordsplit: {fewer}", err=True)
    for out in written:
        click.echo(f"wordsplit: wrote {out}{_lacks(vocab, out)}", err=True)
    if len(written) < len(outs) or not is_saved:
        raise click.exceptions.Exit(1)


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `BpeTrainer` that were given on the command line."""
    settings["special_tokens"] = settings.pop("specials") or None
    if settings["memory_limit"]:
        settings["memory_limit"] <<= 20
    return {name: value for name, value in settings.items() if value is not None}


def _trainer(resume: str | None, extend: str | None, given: dict[str, Any]) -> BpeTrainer:
    from wordsplit.training import BpeTrainer  # noqa: PLC0415 - as above
    from wordsplit.training.settings import steps_of  # noqa: PLC0415 - as above
    from wordsplit.vocabs.resolve import load_vocab  # noqa: PLC0415 - as above

    extended = None if extend is None else load_vocab(extend)
    if extended is not None and (fixed := sorted({*_COUNTED_BY, "special_tokens", "compat"} & given.keys())):
        raise OptionsError(f"--extend {extend} has its own {fixed[0].replace('_', ' ')}; leave it out")
    if resume:
        trainer = BpeTrainer.from_counts(
            resume, extended=extended, **{name: given[name] for name in given.keys() - _COUNTED_BY}
        )
    elif extended is not None:
        trainer = BpeTrainer.extending(extended, **given)
    else:
        return BpeTrainer(**given)
    settings = trainer.settings
    counted = {"pattern": settings.steps, "normalizer": settings.normalizer}
    for name in _COUNTED_BY & given.keys():  # cannot be changed, but may be repeated
        if counted[name] != (steps_of(given[name]) if name == "pattern" else given[name]):
            raise OptionsError(f"{resume}: the counts were made with a different {name} than {given[name]!r}")
    return trainer


def _check_outputs(outs: tuple[str, ...], counts: str | None, plot: str | None, trainer: BpeTrainer) -> None:
    """Write a vocab without merges in each format, to find errors early that would otherwise appear after hours."""
    from wordsplit.training.plot import check_plot  # noqa: PLC0415 - as above

    if plot:
        check_plot(plot)
    for out in outs:
        if _suffix(out) not in _SAVED_BY:
            known = ", ".join(filter(None, _SAVED_BY))
            raise OptionsError(f"{out}: a vocab is written as {known}, or into a folder")
    if counts and Path(counts).is_dir():
        raise OptionsError(f"{counts}: counts are written to a file, and this is a folder")
    for path in filter(None, (*outs, counts, plot)):
        if not (folder := Path(absolute_path(path)).parent).is_dir():
            raise OptionsError(f"{path}: there is no folder {folder}")
    vocab = trainer.base_vocab
    with tempfile.TemporaryDirectory() as scratch:
        for out in outs:
            try:
                _save(vocab, out, str(Path(scratch) / Path(out).name))
            except UnsupportedVocabError as error:
                raise UnsupportedVocabError(error.found, file=out, field=error.field) from None


def _suffix(out: str) -> str:
    return _FOLDER if out.endswith("/") or Path(out).is_dir() else Path(out).suffix.lower()


def _save(vocab: Vocab, out: str, path: str) -> None:
    """Write a vocab to a path, in the format of an output."""
    getattr(vocab, _SAVED_BY[_suffix(out)])(path)


def _tried(path: str, write: Callable[[str], object]) -> bool:
    """Write a file. If that fails, say so and go on, because training may take hours."""
    try:
        write(path)
    except OSError as error:
        click.echo(f"wordsplit: {path}: cannot be written: {error.strerror or error}", err=True)
        return False
    return True


def _written(vocab: Vocab, out: str) -> bool:
    """Write a vocab. Return whether it is in its place, not in a temporary folder."""
    if _tried(out, partial(_save, vocab, out)):
        return True
    kept = str(Path(tempfile.mkdtemp(prefix="wordsplit-vocab-")) / Path(out).name)
    _save(vocab, out, kept)
    click.echo(f"wordsplit: the vocab is in {kept} instead", err=True)
    return False


@contextmanager
def _kept_counts(trainer: BpeTrainer, path: str, *, resumed: bool) -> Iterator[None]:
    """Save the counts if training is interrupted or a file is damaged, and print how to continue."""
    try:
        yield
    except (KeyboardInterrupt, CorpusError) as error:
        if not trainer.n_texts:
            raise
        trainer.save_counts(path)
        arguments = sys.argv[1:] if resumed else [*sys.argv[1:], "--resume", path]
        stopped = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        click.echo(f"wordsplit: {one_line(stopped)}", err=True)
        click.echo(f"wordsplit: {trainer.n_bytes:,} bytes of text are counted in {path}; continue with:", err=True)
        click.echo(f"  {shlex.join(['wordsplit', *arguments])}", err=True)
        raise click.exceptions.Exit(130 if isinstance(error, KeyboardInterrupt) else 1) from None


def _report(
    trainer: BpeTrainer, vocab: Vocab, apart: list[CorpusFile], column: str, plot: str | None, as_json: str | None
) -> None:
    from wordsplit.training.plot import plot_merges  # noqa: PLC0415 - as above
    from wordsplit.training.report import report_of  # noqa: PLC0415 - as above

    lines = chain.from_iterable(file.lines(column) for file in apart)
    report = report_of(trainer, vocab, lines if apart else None)
    if as_json:
        emit_json(report.to_dict())
    else:
        write_line(report)
    if plot and report.merges:
        plot_merges(report.merges, plot, f"{vocab.n_vocab:,} tokens of {trainer.n_bytes:,} bytes of text")


def _lacks(vocab: Vocab, out: str) -> str:
    """Describe the rules that the file does not hold, which must be given when it is loaded."""
    from wordsplit.patterns.schemes import scheme_name  # noqa: PLC0415 - as above

    if _suffix(out) != ".tiktoken":
        return ""
    lacks = {"pattern": True, "normalizer": vocab.normalizer, "special tokens": vocab.special_tokens}
    pattern = scheme_name(vocab.pre_tokenizer) or vocab.pattern
    return f"; it holds no {', no '.join(filter(lacks.get, lacks))}: load it with --pattern {shlex.quote(pattern)}"
