"""Read files of mergeable ranks, with the cache and the functions of `tiktoken.load`.

The files that OpenAI publishes come from the package, byte for byte; nothing is downloaded for them.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from wordsplit.atomic_file import write_atomically
from wordsplit.byte_level import from_byte_level, to_byte_level
from wordsplit.compat.errors import MissingLibraryError
from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tiktoken._openai import published_file, ranks_file
from wordsplit.errors import OfflineError, VocabFormatError
from wordsplit.vocabs.cache.untrusted_files import is_own, read_owned
from wordsplit.vocabs.download import HttpFetcher
from wordsplit.vocabs.formats.base import MAX_FILE_BYTES
from wordsplit.vocabs.formats.tiktoken import sorted_ranks
from wordsplit.vocabs.hub.names import offline
from wordsplit.vocabs.hub.retry import with_retries

__all__ = [
    "check_hash",
    "data_gym_to_mergeable_bpe_ranks",
    "dump_tiktoken_bpe",
    "load_tiktoken_bpe",
    "read_file",
    "read_file_cached",
]

explain_missing_names(__name__)

_CACHE_VARIABLES = ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")


def read_file(blobpath: str) -> bytes:
    """Read a file, without the cache.

    Args:
        blobpath: A path, or a URL. ``https://`` is downloaded, as is ``http://`` from this machine; other schemes need
            the package ``blobfile``.

    Raises:
        OSError: The file cannot be read; a `DownloadError` if it cannot be downloaded.
        OfflineError: It would have to be downloaded, and offline mode forbids it.
        MissingLibraryError: ``blobfile`` is needed and not installed. (An `ImportError`.)
    """
    if "://" not in blobpath:
        return Path(blobpath).read_bytes()
    found = published_file(blobpath)
    if found is not None:
        return found
    if not blobpath.startswith(("http://", "https://")):
        return bytes(_blobfile(blobpath).read_bytes(blobpath))
    if offline():
        raise OfflineError(f"{blobpath}: offline mode forbids the download. Load the file from a path")
    return with_retries(lambda: b"".join(HttpFetcher()(blobpath)))


def check_hash(data: bytes, expected_hash: str) -> bool:
    """Return whether data has a sha256, in lower-case hex."""
    return hashlib.sha256(data).hexdigest() == expected_hash


def read_file_cached(blobpath: str, expected_hash: str | None = None) -> bytes:
    """Read a file, from the cache if it has it.

    The cache is the folder that ``TIKTOKEN_CACHE_DIR`` or else ``DATA_GYM_CACHE_DIR`` names, by default
    ``data-gym-cache`` in the folder for temporary files. A file's name there is the sha1 of its path or URL. If the
    variable is empty there is no cache, and then, as in tiktoken, the hash is not checked.

    Other users may write to the folder for temporary files. Links and files of theirs are not read there, unless a hash
    says what is in the file.

    Args:
        blobpath: A path or URL, as for `read_file`.
        expected_hash: The sha256 of the content. A cached file that has another is replaced.

    Raises:
        VocabFormatError: The file has another hash. (A `ValueError`.)
        OSError: As for `read_file`; or the cache that the environment names cannot be written.
    """
    folder, is_chosen = _cache_folder()
    if not folder:
        return read_file(blobpath)
    cached = Path(folder, hashlib.sha1(blobpath.encode(), usedforsecurity=False).hexdigest())
    if cached.exists():
        found = cached.read_bytes() if is_chosen else _read_in_temporary(cached, expected_hash)
        if found is not None and (expected_hash is None or check_hash(found, expected_hash)):
            return found
        with suppress(OSError):
            cached.unlink()
    data = read_file(blobpath)
    if expected_hash and not check_hash(data, expected_hash):
        raise VocabFormatError(
            f"has the sha256 {hashlib.sha256(data).hexdigest()}, expected {expected_hash}; the file has changed, or "
            "the download was damaged",
            file=blobpath,
        )
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(cached, data, replaces_links=True)
    except OSError:
        if is_chosen:
            raise
    return data


def load_tiktoken_bpe(tiktoken_bpe_file: str, expected_hash: str | None = None) -> dict[bytes, int]:
    """Read a .tiktoken file.

    Args:
        tiktoken_bpe_file: A path or URL, as for `read_file`.
        expected_hash: As for `read_file_cached`.

    Raises:
        VocabFormatError: A line is not base64 and a rank, or the file has another hash. (A `ValueError`.)
        OSError: As for `read_file_cached`.

    Example:
        >>> from wordsplit.compat.tiktoken.load import load_tiktoken_bpe
        >>> url = "https://openaipublic.blob.core.windows.net/encodings/r50k_base.tiktoken"  # not downloaded
        >>> load_tiktoken_bpe(url)[b" world"]
        995
    """
    data = read_file_cached(tiktoken_bpe_file, expected_hash)
    table = sorted_ranks(data)
    if table is not None:
        return table.ids_by_bytes()
    ranks = {}
    for number, line in enumerate(data.splitlines(), 1):
        if not line:
            continue
        try:
            token, rank = line.split()
            ranks[base64.b64decode(token)] = int(rank)
        except ValueError:
            raise VocabFormatError(
                f"not 'base64 rank': {line[:60]!r}", file=tiktoken_bpe_file, field=f"line {number}"
            ) from None
    return ranks


def dump_tiktoken_bpe(bpe_ranks: Mapping[bytes, int], tiktoken_bpe_file: str) -> None:
    """Write a .tiktoken file.

    Args:
        bpe_ranks: The ranks of the tokens.
        tiktoken_bpe_file: A path, or a URL that ``blobfile`` can write.

    Raises:
        MissingLibraryError: ``blobfile`` is needed and not installed. (An `ImportError`.)
    """
    data = ranks_file(bpe_ranks)
    if "://" not in tiktoken_bpe_file:
        Path(tiktoken_bpe_file).write_bytes(data)
        return
    with _blobfile(tiktoken_bpe_file).BlobFile(tiktoken_bpe_file, "wb") as file:
        file.write(data)


def data_gym_to_mergeable_bpe_ranks(
    vocab_bpe_file: str,
    encoder_json_file: str,
    vocab_bpe_hash: str | None = None,
    encoder_json_hash: str | None = None,
    clobber_one_byte_tokens: bool = False,
) -> dict[bytes, int]:
    """Read GPT-2's files: merges in order, and a JSON object of tokens and ids, which must agree.

    Args:
        vocab_bpe_file: The path or URL of the merges. The first line is not read.
        encoder_json_file: The path or URL of the tokens.
        vocab_bpe_hash: The sha256 of the merges.
        encoder_json_hash: The sha256 of the tokens.
        clobber_one_byte_tokens: Whether single bytes have the ids of the second file, instead of 0 to 255.

    Raises:
        VocabFormatError: A file has another hash, or they do not agree. (A `ValueError`.)

    Example:
        >>> from wordsplit.compat.tiktoken.load import data_gym_to_mergeable_bpe_ranks
        >>> folder = "https://openaipublic.blob.core.windows.net/gpt-2/encodings/main"  # not downloaded
        >>> len(data_gym_to_mergeable_bpe_ranks(f"{folder}/vocab.bpe", f"{folder}/encoder.json"))
        50256
    """
    lines = read_file_cached(vocab_bpe_file, vocab_bpe_hash).decode().split("\n")[1:-1]
    tokens = [bytes([byte]) for byte in sorted(range(256), key=lambda byte: ord(to_byte_level(bytes([byte]))))]
    for number, line in enumerate(lines, 2):
        parts = [_unspelled(part, vocab_bpe_file, f"line {number}") for part in line.split()]
        if len(parts) != 2:
            raise VocabFormatError(f"not two tokens: {line[:60]!r}", file=vocab_bpe_file, field=f"line {number}")
        tokens.append(b"".join(parts))
    ranks = {token: rank for rank, token in enumerate(tokens)}
    ids: dict[str, Any] = json.loads(read_file_cached(encoder_json_file, encoder_json_hash))
    expected = {_unspelled(token, encoder_json_file, repr(token)): i for token, i in ids.items()}
    for special in (b"<|endoftext|>", b"<|startoftext|>"):
        expected.pop(special, None)
    if clobber_one_byte_tokens:
        ranks.update({token: i for token, i in expected.items() if len(token) == 1})
    if ranks != expected:
        first = next(token for token in (ranks | expected) if ranks.get(token) != expected.get(token))
        raise VocabFormatError(
            f"the merges of {vocab_bpe_file} give {first!r} the rank {ranks.get(first)}, not {expected.get(first)}",
            file=encoder_json_file,
        )
    return ranks


def _unspelled(token: str, file: str, field: str) -> bytes:
    found = from_byte_level(token)
    if found is None:
        raise VocabFormatError(f"not in the byte-level alphabet: {token[:60]!r}", file=file, field=field)
    return found


def _cache_folder() -> tuple[str, bool]:
    """Return the folder of the cache, empty for none, and whether the environment names it."""
    for variable in _CACHE_VARIABLES:
        if variable in os.environ:
            return os.environ[variable], True
    return str(Path(tempfile.gettempdir(), "data-gym-cache")), False


def _read_in_temporary(path: Path, expected_hash: str | None) -> bytes | None:
    """Return the content of a file in the folder for temporary files; ``None`` if it is not to be used."""
    try:
        data, status = read_owned(path, MAX_FILE_BYTES)
    except OSError:
        return None
    return data if expected_hash is not None or is_own(status) else None


def _blobfile(path: str) -> Any:
    try:
        return importlib.import_module("blobfile")
    except ImportError:
        raise MissingLibraryError(f"{path}: the package blobfile is needed for it: pip install blobfile") from None
