"""Vocabs of the Hugging Face hub: from the cache, from a snapshot on this disk, or downloaded, in that order.

What is downloaded is checked against its sha256 where that is known: from the catalog, from the caller, or from
the cache's record of the first time. The first time, what an unpinned name gives is trusted, recorded and said so
(`UnpinnedWarning`; turned into an error, it forbids such names). A name with a commit for a revision is pinned.

The mirror (``WORDSPLIT_MIRROR``) is a web server over the folder of a cache: it is asked for ``blobs/<sha256>``, hence
only for what is pinned, and need not be trusted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import NamedTuple
from warnings import warn

from wordsplit.errors import DownloadError, OfflineError, UnpinnedWarning
from wordsplit.vocabs import hub
from wordsplit.vocabs._gguf_head import gguf_head
from wordsplit.vocabs._listing import discover, what_it_was_taken_for
from wordsplit.vocabs._progress import with_progress
from wordsplit.vocabs._record import Pin, Record
from wordsplit.vocabs._snapshot import from_snapshot
from wordsplit.vocabs._tries import with_tries
from wordsplit.vocabs.base import Source
from wordsplit.vocabs.cache import Cache, WrongContentError
from wordsplit.vocabs.download import Fetcher, HttpFetcher, MissingFileError, part
from wordsplit.vocabs.hub import HubName

__all__ = ["Access", "Found", "obtain"]

MAX_VOCAB_BYTES = 256 << 20
"""The largest tokenizer.json known takes 40 MB, the metadata of the largest GGUF file 20 MB."""

MAX_SIDE_BYTES = 16 << 20


@dataclass(frozen=True)
class Access:
    """How to get at files.

    Attributes:
        cache: Where they are kept.
        fetcher: What fetches them; `HttpFetcher` if none is given.
        offline: Whether nothing may be fetched.
        update: Whether to look anew what the name means, whatever is on this disk.
    """

    cache: Cache
    fetcher: Fetcher | None = None
    offline: bool = False
    update: bool = False


class Found(NamedTuple):
    """A vocab's files, and where they were found: ``"cache"``, ``"hub snapshot"`` or ``"download"``."""

    source: Source
    where: str


def obtain(
    name: HubName, access: Access, *, pins: Mapping[str, tuple[str, int]] | None = None, sha256: str | None = None
) -> Found:
    """The files of a name.

    Args:
        name: The repository, revision and perhaps file.
        access: How to get at it.
        pins: All files, the vocab file first, if they are known beforehand.
        sha256: Of the vocab file, if that alone is known.

    Raises:
        DownloadError: They cannot be had, or are not what they should be.
        OfflineError: They are not on this disk, and nothing may be fetched.
    """
    cache = access.cache

    def known() -> Record | None:
        if pins:
            return Record(name.source, next(iter(pins)), {file: Pin(*pin) for file, pin in pins.items()})
        record = None if access.update else cache.record(name.source)
        return record if record and sha256 in (None, record.files[record.main].sha256) else None

    plan = known()
    if plan and (source := _from_cache(plan, cache)):
        return Found(source, "cache")
    if not access.update and (source := from_snapshot(name, plan.files if plan else {}, sha256)):
        return Found(source, "hub snapshot")
    if access.offline or hub.offline():
        raise OfflineError(_offline_message(name, plan, cache))
    with cache.lock(name.source):
        plan = known()  # another process may have been quicker
        if plan and (source := _from_cache(plan, cache)):
            return Found(source, "cache")
        return Found(_download(name, plan, sha256, access), "download")


def _from_cache(plan: Record, cache: Cache) -> Source | None:
    files: dict[str, bytes] = {}
    for file, pin in plan.files.items():
        data = cache.read(pin)
        if data is None:
            return None
        files[file] = data
    return _source(plan, files)


def _source(plan: Record, files: Mapping[str, bytes]) -> Source:
    siblings = {file.rpartition("/")[2]: data for file, data in files.items()}
    origin = ":".join(plan.source.split(":")[:2]) + f"/{plan.main}"
    digests = {file: pin.sha256 or "" for file, pin in plan.files.items()}
    return Source(data=files[plan.main], origin=origin, siblings=siblings, digests=digests)


def _download(name: HubName, plan: Record | None, sha256: str | None, access: Access) -> Source:
    """Fetch what the cache lacks of a plan's files, and record what they are."""
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
        shown = ", ".join(f"{file} (sha256 {pins[file].sha256})" for file in trusted)
        commit = f"@{plan.commit}" if plan.commit else "@<commit>"
        warn(
            f"{name.source} is not pinned: {shown} is trusted as found now, and recorded in {access.cache.root}, "
            f"by which later loads go. To pin it, name a commit (hf:{name.repo}{commit}) or give sha256=",
            UnpinnedWarning,
            stacklevel=5,  # past load_vocab,
        )
    access.cache.put_record(found)
    return _source(found, files)


def _fetch(name: HubName, plan: Record, file: str, fetcher: Fetcher, cache: Cache) -> tuple[Pin, bytes]:
    """Fetch one file, from the mirror if it has it, else from the hub."""
    pin = plan.files[file]
    urls = [hub.file_url(name, plan.commit or name.revision, file)]
    mirror = os.environ.get("WORDSPLIT_MIRROR")
    if mirror and pin.sha256:
        urls.insert(0, f"{mirror.rstrip('/')}/blobs/{pin.sha256}")
    failure: DownloadError | None = None
    for url in urls:
        try:
            return with_tries(_work(url, file, plan, fetcher, cache))
        except MissingFileError as error:
            failure = DownloadError(f"{error}. {name.source} has no such file any more; see {hub.page_url(name)}")
        except WrongContentError as error:
            failure = DownloadError(f"{error}{_hint(plan)}")
        except DownloadError as error:
            failure = error
    raise failure or DownloadError(f"{name.source}: {file}: no address to fetch it from")


def _hint(plan: Record) -> str:
    """What to do about content that is not what was expected."""
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
        return cache.put(with_progress(chunks, file, pin.size), expected=pin, max_bytes=max_bytes, label=url)

    return work


def _offline_message(name: HubName, plan: Record | None, cache: Cache) -> str:
    file = plan.main if plan else name.file or "tokenizer.json"
    sha256 = plan.files[file].sha256 if plan else None
    place = cache.blob_path(sha256) if sha256 else hub.snapshot_place(name) / file
    return (
        f"{name.source}: {file} is not on this disk, and offline mode forbids to fetch it. Where there is a network: "
        f"`wordsplit prefetch {name.source}`; or put {hub.file_url(name, name.revision, file)} at {place}"
        + what_it_was_taken_for(name)
    )
