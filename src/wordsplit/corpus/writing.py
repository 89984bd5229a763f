"""Create a corpus from existing ids."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from wordsplit import hints
from wordsplit.arguments import check_integers, whole_number
from wordsplit.arrays import numpy
from wordsplit.corpus import formats, manifest, token_corpus
from wordsplit.corpus.formats import Layout, ShardWriter
from wordsplit.corpus.place import placed
from wordsplit.corpus.token_corpus import TokenCorpus
from wordsplit.errors import InputTypeError, InvalidTokenIdError
from wordsplit.vocab import Vocab, require_vocab

__all__ = ["from_ids"]


def from_ids(
    path: str | os.PathLike[str],
    documents: Iterable[Sequence[int] | hints.npt.NDArray[Any]],
    *,
    keys: Iterable[str] | None = None,
    format: str = "raw",  # noqa: A002 - as in wordsplit.corpus
    vocab: Vocab | None = None,
    eos_token_id: int | None = None,
    bos_token_id: int | None = None,
    shard_tokens: int = 1 << 28,
) -> TokenCorpus:
    """Write documents of existing ids as a corpus, and open it.

    Args:
        path: The folder of the corpus; it must not exist, or must be empty. It appears when everything is written.
        documents: The ids of each document. Nothing is added to them.
        keys: A key for each document.
        format: The format: ``"raw"``, ``"megatron"``, ``"parquet"`` or that of a plug-in.
        vocab: The vocab of the ids. Its largest id determines the type of the ids; without one, all ids up to 2**31 - 1
            fit.
        eos_token_id: The id that ends every document, as a note to readers.
        bos_token_id: The id that begins every document, as a note to readers.
        shard_tokens: A shard ends with the document that brings it to this number of ids.

    Raises:
        CorpusError: The folder has files already.
        InvalidTokenIdError: An id is negative, or too large.
        InputTypeError: A document is not a sequence of integers, there are more documents than keys, or ``vocab`` is
            not a vocab.
        OptionsError: An option is not a whole number, or too small; or NumPy is not installed.
        OSError: The folder cannot be written.

    Example:
        >>> import pathlib, tempfile
        >>> from wordsplit.corpus import from_ids
        >>> path = pathlib.Path(tempfile.mkdtemp(), "corpus")
        >>> from_ids(path, [[5, 6, 7, 0], [8, 0]], keys=["a", "b"], eos_token_id=0)
        TokenCorpus(2 documents, 6 ids, raw, uint32)
    """
    plugin = formats.get(format)
    check_integers(1, shard_tokens=shard_tokens)
    if vocab is not None:
        require_vocab(vocab)
    layout = Layout(
        dtype=plugin.dtype_for(vocab.max_id if vocab else (1 << 31) - 1),
        has_keys=keys is not None,
        vocab=vocab.name if vocab else "",
        fingerprint=vocab.fingerprint if vocab else "",
        eos_token_id=None if eos_token_id is None else whole_number("eos_token_id", eos_token_id, 0),
        bos_token_id=None if bos_token_id is None else whole_number("bos_token_id", bos_token_id, 0),
    )
    shards: list[dict[str, Any]] = []
    source = _paired(documents, keys)
    with placed(Path(path)) as folder:
        (folder / "shards").mkdir()
        while (first := next(source, None)) or not shards:
            name = f"{len(shards):06d}"
            with plugin.create(folder / "shards" / name, layout) as shard:
                _fill(shard, chain([first], source) if first else (), shard_tokens)
            shards.append(manifest.entry(name, shard))
        manifest.write(folder, format, layout, vocab.n_vocab if vocab else 0, shards)
    return token_corpus.open(path)


def _paired(documents: Iterable[Any], keys: Iterable[str] | None) -> Iterator[tuple[Any, list[str] | None]]:
    if keys is None:
        yield from ((document, None) for document in documents)
        return
    missing = object()
    for document, key in zip_longest(documents, keys, fillvalue=missing):
        if document is missing or key is missing:
            raise InputTypeError(f"there are more {'keys' if document is missing else 'documents'} than the others")
        yield document, [str(key)]


def _fill(shard: ShardWriter, source: Iterable[tuple[Any, list[str] | None]], most: int) -> None:
    """Write documents until the shard is full."""
    np = numpy()
    for document, key in source:
        ids = np.asarray(document)
        if ids.ndim != 1 or (len(ids) and ids.dtype.kind not in "iu"):
            raise InputTypeError(f"a document is a sequence of ids, not {document!r:.200}")
        if len(ids) and (int(ids.min()) < 0 or int(ids.max()) >= 1 << 32):
            raise InvalidTokenIdError(f"ids are from 0 to 2**32 - 1, but a document has {ids.min()} to {ids.max()}")
        shard.write(ids.astype(np.uint32), np.array([len(ids)]), key)
        if shard.tokens >= most:
            return
