"""The manifest of a finished corpus, `manifest.json`, and the empty file `_SUCCESS` that is written after it."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from wordsplit.corpus import checksum, formats
from wordsplit.corpus.formats import Layout, ShardFormat, ShardWriter
from wordsplit.errors import CorpusError, UnknownNameError

__all__ = ["SUCCESS", "DescribedShard", "Manifest", "content_of", "entry", "read", "state", "write"]

SUCCESS = "_SUCCESS"
_FILE = "manifest.json"
_LAYOUT = 1


class DescribedShard(NamedTuple):
    """A shard as a manifest describes it.

    Attributes:
        name: The name of its files, without a suffix.
        documents: The number of documents.
        tokens: The number of ids.
        sizes: The size in bytes of each file, in the order of the suffixes of the format.
    """

    name: str
    documents: int
    tokens: int
    sizes: tuple[int, ...]


class Manifest(NamedTuple):
    """The description of a finished corpus.

    Attributes:
        format: The name of the format.
        layout: The properties that all shards share.
        n_vocab: The number of ids of the vocab.
        shards: The shards, in order.
        sha256: The SHA-256 of the file, in hexadecimal.
    """

    format: str
    layout: Layout
    n_vocab: int
    shards: list[DescribedShard]
    sha256: str


def entry(name: str, shard: ShardWriter) -> dict[str, Any]:
    """Return the entry of a written shard in a manifest."""
    digests = shard.digests.items()
    files = {f"shards/{name}{suffix}": {"bytes": size, checksum.NAME: value} for suffix, (size, value) in digests}
    return {"name": name, "documents": shard.documents, "tokens": shard.tokens, "files": files}


def content_of(format_: str, layout: Layout, n_vocab: int, shards: list[dict[str, Any]]) -> bytes:
    """Return the content of a manifest.

    Args:
        format_: The name of the format.
        layout: The properties that all shards share.
        n_vocab: The number of ids of the vocab.
        shards: The `entry` of each shard, in order.
    """
    from wordsplit import __version__  # noqa: PLC0415 - the package imports this module

    found = {
        "wordsplit": __version__,
        "layout": _LAYOUT,
        "format": format_,
        "dtype": layout.dtype,
        "has_keys": layout.has_keys,
        "vocab": {"name": layout.vocab, "fingerprint": layout.fingerprint, "n_vocab": n_vocab},
        "eos_token_id": layout.eos_token_id,
        "bos_token_id": layout.bos_token_id,
        "documents": sum(shard["documents"] for shard in shards),
        "tokens": sum(shard["tokens"] for shard in shards),
        "shards": shards,
    }
    return json.dumps(found, indent=1).encode() + b"\n"


def write(folder: Path, format_: str, layout: Layout, n_vocab: int, shards: list[dict[str, Any]]) -> None:
    """Write a manifest, and after it the mark that the corpus is complete; for the arguments see `content_of`."""
    _put(folder / _FILE, content_of(format_, layout, n_vocab, shards))
    _put(folder / SUCCESS, b"")


def _put(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def state(folder: Path) -> tuple[int, ...]:
    """Return what changes if a corpus is rewritten: of its manifest, the size, the times of change and the inode."""
    try:
        status = (folder / _FILE).stat()
    except OSError:
        return ()
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def read(folder: Path) -> Manifest:
    """Read the manifest of a finished corpus.

    Raises:
        CorpusError: The folder is not a corpus, the corpus is not complete, or its manifest is damaged or newer.
    """
    content = _content(folder)
    path = folder / _FILE
    try:
        return _parsed(json.loads(content), path, hashlib.sha256(content).hexdigest())
    except (KeyError, IndexError) as error:
        raise CorpusError(f"damaged: no field {error}", file=path) from error
    except CorpusError:
        raise
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise CorpusError(f"damaged: {error}", file=path) from error


def _content(folder: Path) -> bytes:
    if not folder.is_dir():
        raise CorpusError("no such folder" if not folder.exists() else "a file; a corpus is a folder", file=folder)
    if not (folder / SUCCESS).exists():
        if not (folder / "plan.json").exists():
            raise CorpusError(f"not a tokenized corpus: it has neither {SUCCESS} nor plan.json", file=folder)
        raise CorpusError(_incomplete(folder), file=folder)
    try:
        return (folder / _FILE).read_bytes()
    except OSError as error:
        raise CorpusError(f"cannot be read: {error.strerror}", file=folder / _FILE) from error


def _incomplete(folder: Path) -> str:
    from wordsplit.corpus.output_folder import OutputFolder  # noqa: PLC0415 - for this message alone

    out = OutputFolder(folder)
    units = len(out.plan().units)
    return (
        f"the corpus is not complete: {units - len(out.done()):,} of its {units:,} units are missing; run the same "
        f"`wordsplit corpus encode` command again to continue"
    )


def _parsed(content: dict[str, Any], path: Path, sha256: str) -> Manifest:
    if content["layout"] != _LAYOUT:
        raise CorpusError(
            f"layout {content['layout']!r}, written by wordsplit {content.get('wordsplit')}; this version reads "
            f"layout {_LAYOUT}: upgrade wordsplit",
            file=path,
        )
    vocab = content["vocab"]
    layout = Layout(
        dtype=content["dtype"],
        has_keys=bool(content["has_keys"]),
        vocab=vocab["name"],
        fingerprint=vocab["fingerprint"],
        eos_token_id=content["eos_token_id"],
        bos_token_id=content["bos_token_id"],
    )
    suffixes = _format(content["format"], path).suffixes(layout)
    shards = [_parsed_shard(shard, suffixes) for shard in content["shards"]]
    for field, total in (("documents", sum(s.documents for s in shards)), ("tokens", sum(s.tokens for s in shards))):
        if content[field] != total:
            raise CorpusError(f"{content[field]:,} in all, but {total:,} in the shards", file=path, field=field)
    return Manifest(content["format"], layout, int(vocab["n_vocab"]), shards, sha256)


def _format(name: str, path: Path) -> ShardFormat:
    try:
        return formats.get(name)
    except UnknownNameError as error:
        raise CorpusError(str(error), file=path, field="format") from error


def _parsed_shard(content: dict[str, Any], suffixes: tuple[str, ...]) -> DescribedShard:
    name = content["name"]
    if "/" in name or "\\" in name or name in {"", ".", ".."}:
        raise ValueError(f"{name!r} is not the name of a shard")
    files = content["files"]
    sizes = tuple([int(files[f"shards/{name}{suffix}"]["bytes"]) for suffix in suffixes])
    return DescribedShard(name, int(content["documents"]), int(content["tokens"]), sizes)
