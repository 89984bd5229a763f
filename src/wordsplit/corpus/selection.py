"""Items of a corpus, documents or windows, by index: all of them or some, in order or shuffled."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, SupportsIndex, overload

from wordsplit import hints
from wordsplit.arguments import check_integers
from wordsplit.corpus.permutation import Permutation
from wordsplit.errors import OptionsError

__all__ = ["Selection"]


class Selection(ABC):
    """A sequence of arrays of ids: a map-style dataset for `torch.utils.data.DataLoader`.

    It takes constant memory, because the indexes of its items are computed. It can be pickled, and opens its files
    again when it is unpickled; it can be used after a fork.

    Args:
        picks: The items, as indexes into ``order`` or, without one, into all items.
        order: The order of all items.
    """

    def __init__(self, picks: range, order: Permutation | None = None) -> None:
        self._picks = picks
        self._order = order

    @abstractmethod
    def _item(self, index: int) -> hints.npt.NDArray[Any]:
        """Return an item of all items."""

    @abstractmethod
    def _selected(self, picks: range) -> hints.Self:
        """Return a selection of the same items in the same order with other picks."""

    def __len__(self) -> int:
        return len(self._picks)

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> hints.npt.NDArray[Any]: ...
    @overload
    def __getitem__(self, at: slice, /) -> hints.Self: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> hints.npt.NDArray[Any] | hints.Self:
        if isinstance(at, slice):
            return self._selected(self._picks[at])
        return self._item(self.index(at))

    def __iter__(self) -> Iterator[hints.npt.NDArray[Any]]:
        for at in range(len(self)):
            yield self._item(self.index(at))

    def index(self, at: SupportsIndex) -> int:
        """Return the index, among all items of the corpus, of an item of this selection.

        Raises:
            IndexError: There is no such item.
        """
        try:
            index = self._picks[at]
        except IndexError:
            raise IndexError(f"index {operator.index(at)} of {len(self):,} items") from None
        return index if self._order is None else self._order[index]

    def shard(self, rank: int, world: int, *, even: bool = False) -> hints.Self:
        """Return the items for one of several processes: ``rank``, ``rank + world`` and so on.

        Args:
            rank: The process, from 0 to below ``world``.
            world: The number of processes.
            even: Whether all processes get the same number of items, as training in step needs; up to ``world - 1``
                items at the end are left out then.

        Raises:
            OptionsError: There is no such rank.
        """
        check_integers(rank=rank, world=world)
        if world < 1 or not 0 <= rank < world:
            raise OptionsError(f"rank={rank}, world={world}: a rank is from 0 to below the number of processes")
        end = len(self) - len(self) % world if even else len(self)
        return self._selected(self._picks[rank:end:world])
