"""Exports of a finished corpus to the layouts of other libraries. `wordsplit.corpus.exports.base` has the contract.

| export | writes | for |
|---|---|---|
| `raw` | a corpus in the format ``raw`` | `wordsplit.corpus.open`, `numpy.memmap` |
| `npy` | `ids.npy` and `ends.npy` | `numpy.load` |
| `megatron` | one `.bin` and `.idx` | Megatron-LM, NeMo, GPT-NeoX |
| `parquet` | `train-00000-of-00012.parquet` | `datasets`, `pyarrow`, Spark |
| `litdata` | `chunk-0-0.bin` and `index.json` | `litdata.StreamingDataset` with a `TokensLoader` |
| `mds` | `shard.00000.mds` and `index.json` | MosaicML's `streaming` |
| `lance` | a Lance dataset | `lance`, `pylance` |
| `datatrove` | `.ds` files with their indexes | `datatrove`, nanotron |
| `dolma` | `.npy` files with `.csv.gz` metadata | OLMo |
| `llm.c` | `.bin` files with a header | llm.c |

An export is a module of this package. To add one to a program, call `register`; to add one for every program, name its
`Exporter` object in the entry-point group ``wordsplit.corpus_exports`` of an installed package.

Example:
    >>> import pathlib, tempfile
    >>> from wordsplit import corpus
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> made = corpus.from_ids(folder / "corpus", [[5, 6, 0], [7, 0]])
    >>> [path.name for path in corpus.export(made, folder / "arrays", "npy")]
    ['ends.npy', 'ids.npy']
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from wordsplit.corpus.exports.base import Exporter, Options
from wordsplit.corpus.token_corpus import TokenCorpus
from wordsplit.corpus.token_corpus import open as open_corpus
from wordsplit.errors import InputTypeError, PluginError
from wordsplit.registry import Modules, Registry

__all__ = ["Exporter", "Options", "export", "get", "names", "register", "unregister"]


def _check(name: str, part: object) -> Exporter:
    if isinstance(part, Exporter):
        return part
    raise PluginError(f"corpus export {name!r} must be an instance of wordsplit.corpus.exports.Exporter, not {part!r}")


class _InTree(Modules):
    """The modules; `llm.c` has a name that no module can have."""

    def names(self) -> frozenset[str]:
        return frozenset("llm.c" if name == "llm_c" else name for name in super().names())

    def load(self, name: str) -> object:
        return super().load("llm_c" if name == "llm.c" else name)


_registry: Registry[Exporter] = Registry(
    "corpus export", group="wordsplit.corpus_exports", in_tree=_InTree(__name__, but=["batches"]), check=_check
)
register: Callable[[str, Exporter], Exporter] = _registry.register
unregister: Callable[[str], None] = _registry.unregister
get: Callable[[str], Exporter] = _registry.get
names: Callable[[], list[str]] = _registry.names


def export(
    corpus: TokenCorpus | str | os.PathLike[str],
    out: str | os.PathLike[str],
    format: str,  # noqa: A002 - as in wordsplit.corpus.encode
    *,
    shard_tokens: int | None = None,
    length: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[Path]:
    """Write a corpus in the layout of another library.

    The files are written to a temporary folder next to ``out``, which is renamed at the end, so an incomplete export
    cannot be mistaken for a complete one; the next run replaces it. Memory is bounded.

    Args:
        corpus: The corpus, or its folder.
        out: The folder to write; it must not exist, or must be empty. For ``"megatron"``, the prefix of the names of
            the files: ``"data/train"`` gives `data/train.bin` and `data/train.idx`.
        format: The name of the export, such as ``"litdata"``; see `wordsplit.corpus.exports`.
        shard_tokens: The approximate number of ids per file; by default, the usual number for the layout.
        length: The number of ids of a sample. For ``"mds"``, samples are then windows of this length, not documents;
            for ``"litdata"``, a file has a multiple of them, so that no ids are lost at its end.
        progress: Called from time to time with the number of ids written and the total number.

    Returns:
        The files, sorted.

    Raises:
        UnknownNameError: There is no such export.
        CorpusError: The corpus cannot be read, or ``out`` cannot be written or has files already.
        OptionsError: The export does not have an option, or needs a package that is not installed.
        InvalidTokenIdError: The layout cannot hold an id.

    Example:
        >>> import pathlib, tempfile
        >>> import numpy as np
        >>> from wordsplit import corpus
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> made = corpus.from_ids(folder / "corpus", [[5, 6, 0], [7, 0]])
        >>> files = corpus.export(made, folder / "llm", "llm.c")
        >>> [path.name for path in files], np.fromfile(files[0], "<u4")[256:].tolist()
        (['train_000000.bin'], [5, 6, 0, 7, 0])
    """
    exporter = get(format)
    if not isinstance(out, (str, os.PathLike)):
        raise InputTypeError(f"an export is written to a str or a PathLike, not {type(out).__name__}")
    opened = corpus if isinstance(corpus, TokenCorpus) else open_corpus(corpus)
    return exporter.export(opened, Path(out), Options(shard_tokens, length), progress)
