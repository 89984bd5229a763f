"""Lines that are kept apart, to see how a vocab does on text that it was not trained on."""

from __future__ import annotations

from collections.abc import Iterable

from wordsplit.corpus.files import CorpusFile
from wordsplit.errors import OptionsError

__all__ = ["held_out"]


def held_out(
    files: Iterable[CorpusFile], share: float, column: str = "text"
) -> tuple[list[CorpusFile], list[CorpusFile]]:
    """The files without their last lines, and the last lines.

    Each file gives up its own last lines, so many that those of the files so far are a share of all. The files are read
    through, to count them.

    Args:
        files: The files.
        share: How much to keep apart, above 0 and below 1.
        column: Where the texts of JSON lines and Parquet are; each counts for a line.

    Raises:
        OptionsError: A share that is none.
        CorpusError: A file cannot be read.
    """
    if not 0 < share < 1:
        raise OptionsError(f"a share of the lines to keep apart is above 0 and below 1, not {share}")
    first, last = [], []
    n_lines, n_apart = 0, 0
    for file in files:
        lines = sum(1 for _ in file.lines(column))
        n_lines += lines
        apart = min(int(n_lines * share) - n_apart, lines)
        n_apart += apart
        cut = _bytes_of(file, lines - apart) if file.kind == "text" else lines - apart
        first.append(file.part(end=cut))
        last.append(file.part(begin=cut))
    return first, last


def _bytes_of(file: CorpusFile, n_lines: int) -> int:
    return sum(len(line) for line, _ in zip(file.lines(), range(n_lines), strict=False))
