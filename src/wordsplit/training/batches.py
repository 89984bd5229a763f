"""Parts of texts, counted in batches while the next ones are read.

A batch is counted, and what has been read of each file noted, in a thread of its own, which an interruption (Ctrl-C)
does not reach: whenever one comes, what is counted and what is noted agree.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from typing import NamedTuple

from wordsplit.training.counting import Counts
from wordsplit.training.saved import Mark

__all__ = ["Part", "count_parts"]

_CHARACTERS = 8 << 20
_PARTS = 1 << 16
_AHEAD = 2  # batches that wait to be counted


class Part(NamedTuple):
    """A part of a text.

    Attributes:
        text: The part.
        begins: Whether the text begins with it.
        file: The file that it is of, if it is of one.
        mark: How much of the file has been read with it.
    """

    text: str | bytes
    begins: bool
    file: str | None = None
    mark: int = 0


def count_parts(parts: Iterable[Part], counts: Counts, files: dict[str, Mark], memory_limit: int) -> Iterator[None]:
    """Count all parts; yields now and then.

    Args:
        parts: The parts.
        counts: What counts them.
        files: How far each file has been counted; kept up to date.
        memory_limit: Bytes of memory; the batches take a small part.
    """

    def count(batch: list[Part]) -> None:
        counts.add([part.text for part in batch], sum(part.begins for part in batch))
        files.update((part.file, Mark(part.mark)) for part in batch if part.file is not None)

    waiting: deque[Future[None]] = deque()
    with ThreadPoolExecutor(1, "wordsplit-counting") as thread:
        for batch in chain(_batches(parts, min(_CHARACTERS, memory_limit // 64)), [None] * _AHEAD):
            if batch is not None:
                waiting.append(thread.submit(count, batch))
            if waiting and (batch is None or len(waiting) > _AHEAD):
                waiting.popleft().result()
                yield


def _batches(parts: Iterable[Part], characters: int) -> Iterator[list[Part]]:
    batch: list[Part] = []
    size = 0
    for part in parts:
        batch.append(part)
        size += len(part.text)
        if size >= characters or len(batch) >= _PARTS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
