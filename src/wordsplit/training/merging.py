"""The second and third phase of training: the index of pairs and the merges, both in the native core."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wordsplit.errors import TrainingWarning
from wordsplit.training.counting import Counts
from wordsplit.training.progress import Merging, Progress, reporter

if TYPE_CHECKING:
    from wordsplit.training.settings import Settings
    from wordsplit.vocab import Vocab

__all__ = ["make_merges"]

_SECONDS = 0.1  # between two events
_NEEDED = 32  # the maximum number of bytes of memory per byte of a distinct span
_UNBOUNDED = 2**32 - 1


def make_merges(
    counts: Counts,
    settings: Settings,
    tokens: Sequence[bytes],
    most: int,
    progress: Progress,
    extended: Vocab | None = None,
) -> list[tuple[int, int, int]]:
    """Find the merges for counted spans.

    Args:
        counts: The spans.
        settings: The settings of the training.
        tokens: The initial symbols, in order.
        most: The largest number of merges.
        progress: See `BpeTrainer.train`.
        extended: The vocab whose tokens, in order of ids, are the initial symbols, if these are not only single bytes.

    Returns:
        (left symbol, right symbol, frequency) of each merge, which produces the next symbol.
    """
    from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it; counting reports that

    own = None if extended is None else extended.native_tables
    merger = _native.Merger(
        list(tokens),
        [literal.encode() for literal in settings.special_tokens],
        settings.min_frequency,
        min(settings.max_token_bytes or _UNBOUNDED, _UNBOUNDED),
        settings.tie_break == "lexicographic",
        settings.count == "spans",
        settings.threads,
        own,
        extended is not None and extended.ignore_merges,
        [] if extended is None else list(extended.tokens.ids),
    )
    left_out, count = counts.feed(merger, settings.memory_limit // _NEEDED)
    if left_out:
        warnings.warn(
            f"{left_out:,} rare spans, with counts of {count} and less, do not fit into memory_limit="
            f"{settings.memory_limit:,} and were left out; the vocab may differ from one with a higher limit",
            TrainingWarning,
            stacklevel=4,
        )
    report, end = reporter(progress)
    began, more = time.monotonic(), True
    try:
        while more and len(merger) < most:
            more = merger.run(most - len(merger), _SECONDS)
            if done := len(merger):
                seconds_left = (time.monotonic() - began) / done * (most - done)
                report(Merging(done, most, *merger.last(), seconds_left))
    finally:
        end()
    return merger.merges()
