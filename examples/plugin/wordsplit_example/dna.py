"""A vocab with a name: codons over the four bases."""

from __future__ import annotations

from itertools import product

from wordsplit import Vocab
from wordsplit.vocabs.catalog import CatalogEntry


def load() -> Vocab:
    """Four bases, their pairs, and 64 codons; every merge is implied by the ranks."""
    parts = ["".join(letters) for n in (1, 2, 3) for letters in product("ACGT", repeat=n)]
    return Vocab(
        name="dna",
        tokens={i: part.encode() for i, part in enumerate(parts)},
        source="wordsplit-example-plugin",
    )


entry = CatalogEntry(name="dna", load=load, description="Codons", aliases=["codons"])
