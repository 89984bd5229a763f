"""Hold out lines of files, to evaluate a vocab on text that it was not trained on."""

from __future__ import annotations

from collections.abc import Iterable

from wordsplit.corpus.files import CorpusFile
from wordsplit.errors import OptionsError

__all__ = ["held_out"]


def held_out(
    files: Iterable[CorpusFile], share: float, column: str = "text"
) -> tuple[list[CorpusFile], list[CorpusFile]]:
    """Return the files without their last lines, and these last lines.

    Each file contributes its last lines, so many that the held-out lines of all files so far are the requested share.
    The files are read once to count lines.

    Args:
        files: The files.
        share: The share of lines to hold out, above 0 and below 1.
        column: The field of JSON Lines or the column of Parquet with the texts; each text counts as a line.

    Raises:
        OptionsError: The share is invalid.
        CorpusError: A file cannot be read.
    """
    if not 0 < share < 1:
        raise OptionsError(f"the share of lines to hold out must be above 0 and below 1, not {share}")
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
