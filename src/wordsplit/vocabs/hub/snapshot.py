"""Read vocabs in the local cache of the hub's own tools. Nothing is written there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from wordsplit.errors import VocabFormatError
from wordsplit.vocabs.cache.record import Pin
from wordsplit.vocabs.formats.base import Source
from wordsplit.vocabs.hub import names as hub
from wordsplit.vocabs.main_files import companions, main_files

__all__ = ["from_snapshot"]


def from_snapshot(name: hub.HubName, pins: Mapping[str, Pin], sha256: str | None) -> Source | None:
    """Return the vocab in a snapshot if there is one and it matches the pins.

    Args:
        name: The repository, the revision and optionally the file.
        pins: The known files, if any.
        sha256: The sha256 of the vocab file, if only that is known.
    """
    folder = hub.snapshot(name)
    if folder is None:
        return None
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    if pins:
        return _pinned(folder, next(iter(pins)), pins, names)
    mains = [name.file] if name.file else main_files(names)
    if len(mains) != 1 or mains[0] not in names:
        return None  # the hub's tools download only requested files, perhaps not the vocab
    main = mains[0]
    if main in ("vocab.json", "merges.txt") and not companions(main, names):
        return None
    if sha256:
        return _pinned(folder, main, {main: Pin(sha256), **dict.fromkeys(companions(main, names), Pin())}, names)
    return Source(path=folder / main)


def _pinned(folder: Path, main: str, pins: Mapping[str, Pin], names: set[str]) -> Source | None:
    """Read the files into memory and check them; ``None`` unless all match."""
    files: dict[str, bytes] = {}
    for file, pin in pins.items():
        if file not in names:
            return None
        source = Source(path=folder / file)
        try:
            # The pin of a GGUF file is that of its beginning.
            data = source.head(pin.size) if pin.size and file.endswith(".gguf") else source.read()
        except VocabFormatError:
            return None
        if pin.sha256 not in (None, hashlib.sha256(data).hexdigest()):
            return None
        files[file.rpartition("/")[2]] = data
    return Source(data=files[main.rpartition("/")[2]], origin=str(folder / main), siblings=files)
