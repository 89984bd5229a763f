"""Files as parts of texts, in the order of the files, with a mark of how far each has been read."""

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
        mark: What has been read of the file up to the end of this part: texts, or bytes of the one text that it is.
    """

    text: str | bytes
    begins: bool
    mark: int


def read(file: CorpusFile, column: str, counts: Counts, after: int) -> Iterator[Read]:
    """The parts of a file's texts, cut where ``counts`` can count them apart.

    Args:
        file: The file.
        column: Where the texts of a table are.
        counts: Knows the cuts.
        after: The mark up to which it has been read before; those parts are left out.
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
                raise OptionsError(f"{file.path}: 1 GiB of text without a place to cut it at; give it in parts")
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
