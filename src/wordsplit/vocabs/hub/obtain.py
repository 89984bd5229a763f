"""Find vocabs of the Hugging Face hub in the cache, in a snapshot on this disk, or by download, in that order.

A download is checked against its sha256 if that is known: from the catalog, from the caller, or from
the cache's record of the first download. On the first download, the content of an unpinned name is trusted and
recorded, with an `UnpinnedWarning` (as an error, it forbids such names). A name with a commit as revision is pinned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wordsplit import log
from wordsplit.errors import OfflineError
from wordsplit.vocabs.cache.downloads import Cache
from wordsplit.vocabs.cache.record import Pin, Record
from wordsplit.vocabs.formats.base import Source
from wordsplit.vocabs.hub import names as hub
from wordsplit.vocabs.hub.access import Access
from wordsplit.vocabs.hub.names import HubName
from wordsplit.vocabs.hub.snapshot import from_snapshot

__all__ = ["Found", "obtain"]


class Found(NamedTuple):
    """A vocab's files, and where they were found: ``"cache"``, ``"hub snapshot"`` or ``"download"``."""

    source: Source
    where: str


def obtain(
    name: HubName, access: Access, *, pins: Mapping[str, tuple[str, int]] | None = None, sha256: str | None = None
) -> Found:
    """Return the files of a name.

    Args:
        name: The repository, the revision and optionally the file.
        access: The access to files.
        pins: All files, the vocab file first, if they are known in advance.
        sha256: The sha256 of the vocab file, if only that is known.

    Raises:
        DownloadError: They cannot be downloaded, or differ from what was expected.
        OfflineError: They are not on this disk, and downloads are forbidden.
    """
    cache = access.cache

    def known() -> Record | None:
        if pins:
            return Record(name.source, next(iter(pins)), {file: Pin(*pin) for file, pin in pins.items()})
        record = None if access.update else cache.record(name.source)
        return record if record and sha256 in (None, record.files[record.main].sha256) else None

    plan = known()
    if plan and (source := _from_cache(plan, cache)):
        log.debug("%s: in the cache %s", name.source, cache.root)
        return Found(source, "cache")
    if not access.update and (source := from_snapshot(name, plan.files if plan else {}, sha256)):
        log.debug("%s: in a snapshot of the hub's tools, %s", name.source, source.label)
        return Found(source, "hub snapshot")
    if access.offline or hub.offline():
        raise OfflineError(_offline_message(name, plan, cache))
    with cache.lock(name.source):
        plan = known()  # another process may have downloaded it
        if plan and (source := _from_cache(plan, cache)):
            return Found(source, "cache")
        from wordsplit.vocabs.hub.fetch import fetch  # noqa: PLC0415 - 15 ms of imports that only downloads need

        log.info("%s: downloading to %s", name.source, cache.root)
        record, files = fetch(name, plan, sha256, access)
        return Found(_source(record, files), "download")


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


def _offline_message(name: HubName, plan: Record | None, cache: Cache) -> str:
    file = plan.main if plan else name.file or "tokenizer.json"
    sha256 = plan.files[file].sha256 if plan else None
    place = cache.blob_path(sha256) if sha256 else hub.snapshot_place(name) / file
    return (
        f"{name.source}: {file} is not on this disk, and offline mode forbids the download. With a network: "
        f"`wordsplit prefetch {name.source}`; or put {hub.file_url(name, name.revision, file)} at {place}" + name.hint()
    )
