"""Documents of a shard in random order, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wordsplit.arrays import numpy

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from wordsplit.corpus.formats import Shard

__all__ = ["in_random_order", "permutation"]

_IDS = 1 << 20


def permutation(seed: int, unit: int, documents: int) -> npt.NDArray[np.int64]:
    """Return a permutation of the documents of a unit: by the SplitMix64 hash of seed, unit and index.

    NumPy's own generators may change between versions, and the output must not.

    Example:
        >>> permutation(7, 0, 8).tolist()
        [2, 4, 6, 1, 7, 5, 3, 0]
    """
    np = numpy()
    key = (seed * 0x9E3779B97F4A7C15 + unit * 0xD1B54A32D192ED03 + 1) & 0xFFFFFFFFFFFFFFFF
    x = np.arange(documents, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(key)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.argsort(x ^ (x >> np.uint64(31)), kind="stable")  # type: ignore[no-any-return]


def in_random_order(shard: Shard, seed: int, unit: int) -> Iterator[tuple[Any, Any, list[str | None] | None]]:
    """Yield the documents of a shard in random order, in batches: ids, ends and keys."""
    np = numpy()
    ends = np.asarray(shard.ends, np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    order = permutation(seed, unit, shard.documents)
    lengths = (ends - starts)[order]
    bounds = np.cumsum(lengths)
    at = 0
    while at < len(order):
        done = int(bounds[at - 1]) if at else 0
        stop = max(int(np.searchsorted(bounds, done + _IDS, side="right")), at + 1)
        chosen, sizes = order[at:stop], lengths[at:stop]
        stops = bounds[at:stop] - done
        source = np.repeat(starts[chosen] - (stops - sizes), sizes) + np.arange(stops[-1])
        keys = None if shard.key(0) is None else [shard.key(int(k)) for k in chosen]
        yield np.ascontiguousarray(shard.ids[source], np.uint32), stops, keys
        at = stop
