"""Read files as parts of texts, in order, each with its position in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wordsplit.corpus import CorpusFile
from wordsplit.errors import OptionsError
from wordsplit.training.counting import Counts

__all__ = ["Read", "read"]

_LONGEST = 1 << 30


class Read(NamedTuple):
    """A part of a text in a file.

    Attributes:
        text: The part.
        begins: Whether a text begins with it.
        mark: The position after this part: a number of texts, or of bytes if the file is one text.
    """

    text: str | bytes
    begins: bool
    mark: int


def read(file: CorpusFile, column: str, counts: Counts, after: int) -> Iterator[Read]:
    """Yield the parts of a file's texts, cut so that ``counts`` can count them separately.

    Args:
        file: The file.
        column: The column with the texts.
        counts: Has the cuts.
        after: The mark up to which the file was read before; these parts are left out.
    """
    parts = _of_text(file, counts) if file.kind == "text" else _of_rows(file, column, counts)
    return (part for part in parts if part.mark > after)


def _of_rows(file: CorpusFile, column: str, counts: Counts) -> Iterator[Read]:
    mark = 0
    for text in file.texts(column):
        begins = True
        for part in counts.parts(text):
            mark += 1
            yield Read(part, begins, mark)
            begins = False


def _of_text(file: CorpusFile, counts: Counts) -> Iterator[Read]:
    kept, mark = b"", 0
    for block in file.blocks():
        looked_at = max(len(kept) - 1, 0)
        kept += block
        cut = counts.cuts.last(kept, looked_at)
        if cut is None:
            if len(kept) > _LONGEST:
                raise OptionsError(
                    f"{file.path}: 1 GiB of text without a position where it can be cut; pass it in parts"
                )
            continue
        for part in counts.parts(kept[:cut]):
            begins = mark == 0
            mark += len(part)
            yield Read(part, begins, mark)
        kept = kept[cut:]
    for part in counts.parts(kept) if kept else ():
        begins = mark == 0
        mark += len(part)
        yield Read(part, begins, mark)
