"""Read texts in batches, and count each batch while the next one is read.

A batch is counted, and the progress in its file recorded, in a separate thread, which an interruption (Ctrl-C) does
not stop: at any interruption, the counts and the recorded progress agree.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import NamedTuple

from wordsplit.corpus import CorpusFile
from wordsplit.training.counting import Counts
from wordsplit.training.reading import read
from wordsplit.training.saved import Mark

__all__ = ["Batch", "batches_of_file", "batches_of_texts", "count_batches"]

_CHARACTERS = 8 << 20
_TEXTS = 256  # the largest number taken from an iterable at a time
_AHEAD = 2  # batches that may wait to be counted


class Batch(NamedTuple):
    """Parts of texts that are counted together.

    Attributes:
        parts: The parts.
        n_texts: The number of texts that begin in them.
        file: The file that they come from, if any.
        mark: The position in the file after them.
    """

    parts: list[str | bytes]
    n_texts: int
    file: str | None = None
    mark: int = 0


def batches_of_texts(texts: Iterable[str | bytes], counts: Counts) -> Iterator[Batch]:
    """Yield an iterable's texts in batches, long texts in parts, so that Python handles lists instead of texts."""
    rest = iter(texts)
    most = _most_characters(counts)
    batch: list[str | bytes] = []
    n_texts = size = 0
    take = 1  # the number of texts for a full batch, estimated from the last ones
    while taken := list(islice(rest, take)):
        batch += counts.in_parts(taken)
        length = sum(map(len, taken))
        take = min(_TEXTS, most * len(taken) // (length + 1) + 1)
        n_texts += len(taken)
        size += length
        if size >= most:
            yield Batch(batch, n_texts)
            batch, n_texts, size = [], 0, 0
    if batch:
        yield Batch(batch, n_texts)


def batches_of_file(file: CorpusFile, name: str, column: str, counts: Counts, after: int) -> Iterator[Batch]:
    """Yield a file's texts in batches, starting after a mark up to which it has been counted."""
    most = _most_characters(counts)
    batch: list[str | bytes] = []
    n_texts = size = mark = 0
    for part in read(file, column, counts, after):
        batch.append(part.text)
        n_texts += part.begins
        size += len(part.text)
        mark = part.mark
        if size >= most:
            yield Batch(batch, n_texts, name, mark)
            batch, n_texts, size = [], 0, 0
    if batch:
        yield Batch(batch, n_texts, name, mark)


def count_batches(batches: Iterable[Batch], counts: Counts, files: dict[str, Mark]) -> Iterator[None]:
    """Count all batches; yields from time to time.

    Args:
        batches: The batches.
        counts: Counts the batches.
        files: The position up to which each file was counted; updated.
    """

    def count(batch: Batch) -> None:
        counts.add(batch.parts, batch.n_texts)
        if batch.file is not None:
            files[batch.file] = Mark(batch.mark)

    waiting: deque[Future[None]] = deque()
    with ThreadPoolExecutor(1, "wordsplit-counting") as thread:
        for batch in chain(batches, [None] * _AHEAD):
            if batch is not None:
                waiting.append(thread.submit(count, batch))
            if waiting and (batch is None or len(waiting) > _AHEAD):
                waiting.popleft().result()
                yield


def _most_characters(counts: Counts) -> int:
    return min(_CHARACTERS, counts.memory_limit // 64)
