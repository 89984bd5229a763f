"""Download the files of a vocab that are not in the cache.

The mirror (``WORDSPLIT_MIRROR``) is a web server for the folder of a cache. It is asked for ``blobs/<sha256>``, so
only for pinned files, and need not be trusted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING
from warnings import warn

from wordsplit import log
from wordsplit.errors import DownloadError, UnpinnedWarning
from wordsplit.vocabs.cache.downloads import Cache, WrongContentError
from wordsplit.vocabs.cache.record import Pin, Record
from wordsplit.vocabs.hub import names as hub
from wordsplit.vocabs.hub.addresses import shown
from wordsplit.vocabs.hub.download import HttpFetcher, MissingFileError, part
from wordsplit.vocabs.hub.fetcher import Fetcher
from wordsplit.vocabs.hub.gguf_head import gguf_head
from wordsplit.vocabs.hub.listing import discover
from wordsplit.vocabs.hub.names import HubName
from wordsplit.vocabs.hub.progress import with_progress
from wordsplit.vocabs.hub.retry import with_retries

if TYPE_CHECKING:
    from wordsplit.vocabs.hub.access import Access

__all__ = ["fetch"]

MAX_VOCAB_BYTES = 256 << 20
"""The largest tokenizer.json known takes 40 MB, the metadata of the largest GGUF file 20 MB."""

MAX_SIDE_BYTES = 16 << 20
_HEAD = 64
_STAND_INS = (
    ((b"<!doctype html", b"<html"), "a web page, not the file; does the network need a log-in, or a proxy?"),
    ((b"version https://git-lfs.",), "a pointer of Git LFS, not the file; does HF_ENDPOINT name a hub?"),
)


def fetch(name: HubName, plan: Record | None, sha256: str | None, access: Access) -> tuple[Record, dict[str, bytes]]:
    """Fetch the files of a plan that are not in the cache, and record them."""
    fetcher = access.fetcher or HttpFetcher()
    plan = plan or discover(name, sha256, fetcher)
    files: dict[str, bytes] = {}
    pins: dict[str, Pin] = {}
    for file, pin in plan.files.items():
        data = access.cache.read(pin) if pin.sha256 else None
        if data is None:
            pins[file], files[file] = _fetch(name, plan, file, fetcher, access.cache)
        else:
            pins[file], files[file] = Pin(pin.sha256, len(data)), data
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    found = replace(plan, files=pins, recorded=plan.recorded or now)
    trusted = [file for file, pin in plan.files.items() if pin.sha256 is None]
    if trusted and not name.pinned:
        named = ", ".join(f"{file} (sha256 {pins[file].sha256})" for file in trusted)
        commit = f"@{plan.commit}" if plan.commit else "@<commit>"
        warn(
            f"{name.source} is not pinned: {named} is trusted as found now, and recorded in {access.cache.root}, "
            f"by which later loads go. To pin it, name a commit (hf:{name.repo}{commit}) or give sha256= "
            "(as `wordsplit prefetch` takes it)",
            UnpinnedWarning,
            stacklevel=5,  # past load_vocab
        )
    access.cache.put_record(found)
    return found, files


def _fetch(name: HubName, plan: Record, file: str, fetcher: Fetcher, cache: Cache) -> tuple[Pin, bytes]:
    """Fetch one file, from the mirror if it has it, else from the hub."""
    pin = plan.files[file]
    urls = [hub.file_url(name, plan.commit or name.revision, file)]
    mirror = os.environ.get("WORDSPLIT_MIRROR")
    if mirror and pin.sha256:
        urls.insert(0, f"{mirror.rstrip('/')}/blobs/{pin.sha256}")
    failure: DownloadError | None = None
    for url in urls:
        log.info("fetching %s", shown(url))
        try:
            return with_retries(_work(url, file, plan, fetcher, cache))
        except MissingFileError as error:
            failure = DownloadError(f"{error}. {name.source} has no such file any more; see {hub.page_url(name)}")
        except WrongContentError as error:
            failure = DownloadError(f"{error}{_hint(plan)}")
        except DownloadError as error:
            failure = error
    raise failure or DownloadError(f"{name.source}: {file}: no address to fetch it from")


def _hint(plan: Record) -> str:
    """Return a hint for unexpected content."""
    if not plan.recorded:
        return ""
    return (
        f". The cache recorded it on {plan.recorded}, and it has changed since; "
        f"`wordsplit prefetch --update {plan.source}` trusts what is there now"
    )


def _work(url: str, file: str, plan: Record, fetcher: Fetcher, cache: Cache) -> Callable[[], tuple[Pin, bytes]]:
    pin, max_bytes = plan.files[file], MAX_VOCAB_BYTES if file == plan.main else MAX_SIDE_BYTES

    def work() -> tuple[Pin, bytes]:
        chunks: Iterable[bytes]
        if not file.endswith(".gguf"):
            chunks = fetcher(url)
        elif pin.size:
            chunks = part(fetcher(url, size=pin.size), 0, pin.size)
        else:
            chunks = gguf_head(fetcher, url, max_bytes)
        if pin.sha256 is None:
            chunks = _not_a_stand_in(chunks, url)
        return cache.put(with_progress(chunks, file, pin.size), expected=pin, max_bytes=max_bytes, label=url)

    return work


def _not_a_stand_in(chunks: Iterable[bytes], url: str) -> Iterator[bytes]:
    """Yield a file in pieces. What stands in its place is an error, because it would be recorded as found."""
    head = b""
    for chunk in chunks:
        if len(head) < _HEAD:
            head += chunk[:_HEAD]
            for beginnings, what in _STAND_INS:
                if head.lstrip().lower().startswith(beginnings):
                    raise DownloadError(f"{shown(url)}: is {what}")
        yield chunk
