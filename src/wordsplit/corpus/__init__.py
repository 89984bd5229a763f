"""Files of texts: read for training, and encoded to shards of ids.

`encode` turns files, folders, globs and URLs into a folder of shards, on one machine or on a cluster, and continues
where an interrupted run has stopped. `count` only counts; `status` and `verify` check a folder; `open` reads it for
training, and `export` writes it in the layouts of other libraries. `RayBatches`, `spark_batches`, `datasets_batch` and
others add a column of ids to data in another library; see `wordsplit.corpus.rows`.

The name of a file determines how it is read:

| name | kind | what it holds |
|---|---|---|
| `.jsonl`, `.ndjson` | ``"jsonl"`` | one text per line: a JSON string, or an object with the text in a field |
| `.parquet` | ``"parquet"`` | one text per row, in a column; needs `pyarrow` |
| `.arrow`, `.ipc`, `.feather` | ``"arrow"`` | the same; needs `pyarrow` |
| `.txt` and all others | ``"text"`` | one text, or one per line (`encode` and `count`) |

``kind=`` overrides the name. Text and JSON Lines may also end in `.gz` or `.zst`; `.zst` needs Python 3.14 or
`backports.zstd`. All packages come with ``pip install 'wordsplit[corpus]'``.

Text must be UTF-8. A file in UTF-16 or UTF-32, compressed data under another name, or other binary data is refused
with a `CorpusError` that says so.

Example:
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "texts.jsonl"
    >>> _ = path.write_text('{"id": 1, "text": "hello"}\\n"world"\\n', encoding="utf-8")
    >>> file = CorpusFile(path)
    >>> file.kind, list(file.texts()), file.position == file.size
    ('jsonl', ['hello', 'world'], True)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from wordsplit.corpus.files import CorpusFile, files_of
from wordsplit.corpus.held_out import held_out
from wordsplit.corpus.standard_input import StandardInput

if TYPE_CHECKING:
    from wordsplit.corpus.check import Status, status, verify
    from wordsplit.corpus.encoding import count, encode
    from wordsplit.corpus.exports import export
    from wordsplit.corpus.progress import Progress
    from wordsplit.corpus.report import Report
    from wordsplit.corpus.rows import (
        RayBatches,
        arrow_batches,
        daft_ids,
        datasets_batch,
        duckdb_function,
        polars_ids,
        spark_batches,
        spark_schema,
    )
    from wordsplit.corpus.settings import Settings
    from wordsplit.corpus.token_corpus import TokenCorpus, open  # noqa: A004 - wordsplit.corpus.open
    from wordsplit.corpus.writing import from_ids

__all__ = [
    "CorpusFile",
    "Progress",
    "RayBatches",
    "Report",
    "Settings",
    "StandardInput",
    "Status",
    "TokenCorpus",
    "arrow_batches",
    "count",
    "daft_ids",
    "datasets_batch",
    "duckdb_function",
    "encode",
    "export",
    "files_of",
    "from_ids",
    "held_out",
    "open",
    "polars_ids",
    "spark_batches",
    "spark_schema",
    "status",
    "verify",
]

# Imported on first use: the trainer needs none of them.
_MODULES = {
    "Progress": "progress",
    "RayBatches": "rows",
    "Report": "report",
    "Settings": "settings",
    "Status": "check",
    "TokenCorpus": "token_corpus",
    "arrow_batches": "rows",
    "count": "encoding",
    "daft_ids": "rows",
    "datasets_batch": "rows",
    "duckdb_function": "rows",
    "encode": "encoding",
    "export": "exports",
    "from_ids": "writing",
    "open": "token_corpus",
    "polars_ids": "rows",
    "spark_batches": "rows",
    "spark_schema": "rows",
    "status": "check",
    "verify": "check",
}


_PACKAGES = ("engines", "exports", "formats")  # each with a registry


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_PACKAGES})
