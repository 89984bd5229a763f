"""Documents of random ids, written as shards, for the tests of formats and of what reads them."""

import itertools

import numpy as np
from hypothesis import strategies as st

from wordsplit.corpus import formats

FORMATS = ("megatron", "parquet", "raw")


def documents(largest=70_000, most=12):
    """Lists of ids with their keys."""
    ids = st.lists(st.integers(0, largest), max_size=40)
    return st.lists(st.tuples(ids, st.text(max_size=5)), max_size=most)


def layout(name, largest=70_000, **more):
    return formats.Layout(dtype=formats.get(name).dtype_for(largest), **more)


def batch(documents):
    """The arguments of `ShardWriter.write` for lists of ids."""
    ids = np.array([i for document in documents for i in document], np.uint32)
    return ids, np.cumsum([len(document) for document in documents], dtype=np.int64)


def written(writer, documents, keys=None):
    """Write documents in one batch."""
    with writer:
        writer.write(*batch(documents), keys)
    return writer.digests


def pieces(draw, documents, keys):
    """Cut documents into batches anywhere; yields the arguments of `ShardWriter.write` for each."""
    atoms = [atom for document in documents for atom in [*document, None]]  # None: a document ends
    cuts = sorted(draw(st.lists(st.integers(0, len(atoms)), max_size=6)))
    complete, is_open = 0, False
    for begin, end in itertools.pairwise([0, *cuts, len(atoms)]):
        ids, ends = [], []
        for atom in atoms[begin:end]:
            if atom is None:
                ends.append(len(ids))
            else:
                ids.append(atom)
        inside = len(ids) > (ends[-1] if ends else 0) or (is_open and not ends)
        opens = inside or (complete + len(ends) < len(documents) and draw(st.booleans()))
        ends += [len(ids)] * opens
        names = list(keys[complete : complete + len(ends)])
        if is_open:
            names[0] = "of a further piece"
        yield ids, ends, names, opens
        complete, is_open = complete + len(ends) - opens, opens
