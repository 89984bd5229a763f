"""Whether the libraries that were timed found the tokens that they should."""

from __future__ import annotations

from training_peers import TRAINERS

CELL = ("corpus", "pattern", "vocab_size")


class Tokens:
    """The new tokens that each library found in each cell, in the order in which they came to be."""

    def __init__(self) -> None:
        self._found: dict[tuple, list[str]] = {}
        self._unsteady: set[tuple] = set()

    def add(self, task: dict, tokens: list[str]) -> None:
        """Take those of one training."""
        key = (task["peer"], *(task[name] for name in CELL))
        if self._found.setdefault(key, tokens) != tokens:
            self._unsteady.add(key)

    def compared(self) -> list[dict]:
        """For each library and cell: how many tokens are those of its reference, and how many of the first are so in
        the same order; and whether all of its trainings, on any number of threads, found the same."""
        out = []
        for (peer, *cell), tokens in self._found.items():
            theirs = self._found.get((TRAINERS[peer].reference, *cell))
            if theirs is None:
                continue
            both = min(len(tokens), len(theirs))
            out.append(
                {
                    "peer": peer,
                    **dict(zip(CELL, cell, strict=True)),
                    "shared": len(set(tokens) & set(theirs)),
                    "of": len(theirs),
                    "in_order": next((i for i in range(both) if tokens[i] != theirs[i]), both),
                    "steady": (peer, *cell) not in self._unsteady,
                }
            )
        return out
