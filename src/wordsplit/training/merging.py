"""The second and third phase: the index of pairs, and the merges. The work is done by the native core."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wordsplit import _native
from wordsplit.errors import TrainingWarning
from wordsplit.training.counting import Counts
from wordsplit.training.progress import Merging, Progress, reporter
from wordsplit.training.result import Merge

if TYPE_CHECKING:
    from wordsplit.training.settings import Settings
    from wordsplit.vocab import Vocab

__all__ = ["make_merges"]

_SECONDS = 0.1  # between two events
_NEEDED = 32  # bytes of memory for a byte of a distinct span, at most
_UNBOUNDED = 2**32 - 1


def make_merges(
    counts: Counts,
    settings: Settings,
    tokens: Sequence[bytes],
    most: int,
    progress: Progress,
    extended: Vocab | None = None,
) -> tuple[list[tuple[int, int]], list[Merge]]:
    """The merges that counted spans ask for.

    Args:
        counts: The spans.
        settings: What to go by.
        tokens: The symbols that there are, in order.
        most: How many merges at most.
        progress: See `BpeTrainer.train`.
        extended: The vocab whose tokens, in order of ids, the symbols are, if they are more than single bytes.

    Returns:
        (left, right) symbols of each merge, which makes the next symbol; and the merges in bytes.
    """
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
    every = list(tokens)
    pairs: list[tuple[int, int]] = []
    made: list[Merge] = []
    began = time.monotonic()
    try:
        more = True
        while more and len(pairs) < most:
            more = merger.run(most - len(pairs), _SECONDS)
            for left, right, frequency in merger.merges(len(pairs)):
                pairs.append((left, right))
                made.append(Merge(every[left], every[right], frequency))
                every.append(every[left] + every[right])
            if made:
                done = len(made)
                left_to_do = (time.monotonic() - began) / done * (most - done)
                report(Merging(done, most, every[-1], made[-1].frequency, left_to_do))
    finally:
        end()
    return pairs, made
