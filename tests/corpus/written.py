"""Texts written as files of every kind, and what a corpus encoded from them must hold."""

import gzip
import json
import pathlib

import pyarrow as pa
import zstandard
from pyarrow import parquet

from wordsplit.corpus.formats import Layout
from wordsplit.corpus.formats import get as format_of

KINDS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet", "arrow", "arrows", "lines.txt", "lines.txt.gz")
# A corpus of a dozen units, for runs that are interrupted.
TEXTS = [f"document {k} " + "word " * (k % 50) for k in range(300)]
SETTINGS = {"unit_bytes": 4000, "eos": "vocab", "id_field": "id"}


def write_inputs(folder):
    """Write TEXTS as three files; returns their paths."""
    return [str(write(folder / name, TEXTS)) for name in ("a.jsonl", "b.jsonl.zst", "c.parquet")]


def packed(name, data):
    if name.endswith(".gz"):
        return gzip.compress(data, mtime=0)
    return zstandard.compress(data) if name.endswith(".zst") else data


def write(path, texts, *, groups=3, ids=None):
    """Write texts to a file whose name tells the kind; returns the path."""
    name = path.name
    ids = ids or [f"id-{k}" for k in range(len(texts))]
    if ".jsonl" in name:
        rows = ({"id": key, "n": 1, "text": text} for key, text in zip(ids, texts, strict=True))
        path.write_bytes(packed(name, b"".join(json.dumps(row).encode() + b"\n" for row in rows)))
    elif ".txt" in name:
        path.write_bytes(packed(name, b"".join((text or "").encode() + b"\n" for text in texts)))
    else:
        table = pa.table({"id": ids, "text": pa.array(texts, pa.string())})
        rows = -(-len(texts) // groups) or 1
        if name.endswith(".parquet"):
            parquet.write_table(table, path, row_group_size=rows)
        else:
            make = pa.ipc.new_stream if name.endswith("arrows.arrow") else pa.ipc.new_file
            with make(path, table.schema) as writer:
                writer.write_table(table, max_chunksize=rows)
    return path


def named(folder, kind):
    return folder / {"arrow": "file.arrow", "arrows": "arrows.arrow"}.get(kind, f"a.{kind}")


def read(out):
    """The documents of a corpus as lists of ids, and their keys."""
    manifest = json.loads((out / "manifest.json").read_bytes())
    layout = Layout(dtype=manifest["dtype"], has_keys=manifest["has_keys"])
    documents, keys = [], []
    for shard in manifest["shards"]:
        opened = format_of(manifest["format"]).open(out / "shards" / shard["name"], layout)
        documents += [opened.document(k).tolist() for k in range(opened.documents)]
        keys += [opened.key(k) for k in range(opened.documents)]
    return documents, keys


def tree(out):
    """The content of every file that must be the same for every run."""
    out = pathlib.Path(out)
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name not in ("report.json", "report.html", ".lock")
    }
