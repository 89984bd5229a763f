"""The compiled cache: ready tables of vocabs in files that are memory-mapped and shared by processes.

    <cache root>/compiled/<key>-<build>.vocab

The first load of a vocab writes a file; later loads map it instead of parsing: Qwen3's tables take 2 ms.
A file records its key (`wordsplit.vocabs.cache.key`), the state of the files that it was made from
(`wordsplit.vocabs.cache.freshness`), and a checksum of everything. A file that is damaged, written by another build,
or older than its sources is silently replaced. A folder that cannot be written is silently skipped.

Files are written under a temporary name, renamed, and never changed in place, so that a process that has mapped the
previous one can still read it. They are not synced to disk: after a power failure the checksum detects damage.
``WORDSPLIT_COMPILED_CACHE=0`` turns the cache off.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from wordsplit import log
from wordsplit.errors import OptionsError, UnsupportedVocabError
from wordsplit.vocab import Vocab
from wordsplit.vocabs.cache.freshness import SourceStates, unchanged_since
from wordsplit.vocabs.cache.key import CacheKey, build_id
from wordsplit.vocabs.cache.root import default_root
from wordsplit.vocabs.cache.untrusted_files import FLAGS, delete, entries, existing, is_own

__all__ = ["CacheKey", "CompiledFile", "CompiledStore"]

_NAME = re.compile(r"[0-9a-f]{16}-[0-9a-f]{16}\.vocab")

OTHER_BUILD_SECONDS = 3600.0
"""Age at which a file of the same vocab by another build is deleted."""

UNUSED_SECONDS = 30 * 86400.0
"""A file that was not read for this long is deleted when the next one is written."""

MOST_BYTES = 1 << 30
"""The most that the others keep when a file is written; those that were not read for the longest time are deleted."""


class CompiledFile(NamedTuple):
    """A file of the store.

    Attributes:
        path: The file.
        size: Its size in bytes.
        source: Its source, if that can be read.
        problem: The damage; empty if there is none.
        stale: Why a valid file will not be used; empty if it will.
    """

    path: Path
    size: int
    source: str = ""
    problem: str = ""
    stale: str = ""


class CompiledStore:
    """A folder of compiled vocabs.

    Args:
        root: The cache folder; the files are in its folder ``compiled``.

    Example:
        >>> import tempfile, wordsplit
        >>> folder = tempfile.TemporaryDirectory()
        >>> store = CompiledStore(folder.name)
        >>> key = CacheKey("gpt2", {})
        >>> store.load(key) is None
        True
        >>> vocab = wordsplit.load_vocab("gpt2")
        >>> store.save(key, vocab, [], time.time_ns())
        >>> store.load(key) == vocab
        True
        >>> folder.cleanup()
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root: Path = Path(root) / "compiled"

    @classmethod
    def of(cls, root: str | os.PathLike[str] | None) -> CompiledStore | None:
        """Return the store in a cache folder, by default the user's.

        ``None`` if the cache is turned off, if there is no place for it, or if this wordsplit has no native module or
        is in an archive.
        """
        if os.environ.get("WORDSPLIT_COMPILED_CACHE", "1").lower() in ("0", "false", "no", "off") or not build_id():
            return None
        if root is not None:
            return cls(root)
        try:
            return cls(default_root())
        except (OptionsError, FileNotFoundError):  # no home or working folder; downloads will report this
            return None

    def get_or_make(self, key: CacheKey, make: Callable[[], tuple[Vocab, SourceStates | None]]) -> Vocab:
        """Load a vocab from its file, or make it and store it.

        Args:
            key: The cache key.
            make: Makes the vocab and returns the files it was read from; ``None`` for the files: it is not stored.
        """
        if not key.is_plain():
            return make()[0]
        found = self.load(key)
        if found is not None:
            log.debug("%s: from the compiled cache, %s", key.source, key.file_name)
            return found
        began = time.time_ns()
        vocab, states = make()
        if states is not None:
            self.save(key, vocab, states, began)
        return vocab

    def load(self, key: CacheKey) -> Vocab | None:
        """Return the vocab of a key; ``None`` if it has no valid file, or the sources have changed."""
        try:
            fd = os.open(self.root / key.file_name, FLAGS)
            try:
                return _read(fd, key)
            finally:
                os.close(fd)
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None  # if anything is wrong, the vocab is made again

    def save(self, key: CacheKey, vocab: Vocab, states: SourceStates, began: int) -> None:
        """Store a vocab, if the folder can be written."""
        from wordsplit.vocabs.cache.draft import Draft  # noqa: PLC0415 - a load from the cache does not need it
        from wordsplit.vocabs.compiled_content import compiled  # noqa: PLC0415 - see of()

        try:
            data = compiled(vocab, {"key": key.to_json(), "states": states})
        except (ValueError, UnsupportedVocabError):
            return  # building a tokenizer from it will report the reason, or run it in Python
        for folder in (self.root.parent, self.root):
            with suppress(OSError):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._tidy(key)
        with closing(Draft(self.root)) as draft:
            draft.write(data)
            draft.place(self.root / key.file_name, synced=False, changed_at=began)

    # Maintenance.

    def files(self) -> Iterator[CompiledFile]:
        """Read and check every file. Nothing is changed."""
        for path, status in existing(self._paths()):
            with suppress(FileNotFoundError):  # deleted meanwhile
                yield _examined(path, status)

    def prune(self, *, everything: bool = False) -> tuple[int, int]:
        """Delete damaged, stale and unfinished files.

        Args:
            everything: Whether to delete valid files as well.

        Returns:
            The number of deleted files, and their size in bytes.
        """
        doomed = [file.path for file in self.files() if everything or file.problem or file.stale]
        old = time.time() - OTHER_BUILD_SECONDS
        parts = (path for path in entries(self.root) if path.name.endswith(".part"))
        return delete([*doomed, *(path for path, status in existing(parts) if status.st_mtime < old)])

    def _paths(self) -> list[Path]:
        return [path for path in entries(self.root) if _NAME.fullmatch(path.name)]

    def _tidy(self, key: CacheKey) -> None:
        own, now = key.file_name, time.time()
        room = MOST_BYTES
        known = [(max(status.st_mtime, status.st_atime), path, status) for path, status in existing(self._paths())]
        for used, path, status in sorted(known, key=itemgetter(0), reverse=True):
            kin = path.name != own and path.name.split("-")[0] == own.split("-")[0]
            room -= status.st_size
            if room < 0 or used < now - UNUSED_SECONDS or (kin and status.st_mtime < now - OTHER_BUILD_SECONDS):
                with suppress(OSError):
                    path.unlink()


def _read(fd: int, key: CacheKey) -> Vocab | None:
    from wordsplit.vocabs.compiled_content import CompiledContent  # noqa: PLC0415 - see of()

    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode) or not is_own(status):
        return None
    view = memoryview(mmap.mmap(fd, 0, access=mmap.ACCESS_READ))
    content = CompiledContent(view)
    description = json.loads(content.description)
    if description["key"] != key.to_json():
        return None
    now = time.time_ns()
    unchanged = unchanged_since(description["states"], status.st_mtime_ns)
    if unchanged is False:
        return None
    if unchanged is None and os.utime in os.supports_fd:
        with suppress(OSError):  # next time the clock will prove it unchanged
            os.utime(fd, ns=(now, now))
    return content.vocab(description)


def _examined(path: Path, status: os.stat_result) -> CompiledFile:
    file = CompiledFile(path, status.st_size)
    if path.stem.split("-")[1] != build_id():
        return file._replace(stale="of another build of wordsplit")
    if not stat.S_ISREG(status.st_mode):
        return file._replace(problem="is not a regular file")
    from wordsplit.vocabs.compiled_content import CompiledContent  # noqa: PLC0415 - see of()

    try:
        with open(os.open(path, FLAGS), "rb") as opened:  # noqa: PTH123 - O_NOFOLLOW
            view = memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
        description = json.loads(CompiledContent(view).description)
        source = str(json.loads(description["key"])[0])
        unchanged = unchanged_since(description["states"], status.st_mtime_ns) is not False
    except FileNotFoundError:
        raise
    except OSError as error:
        return file._replace(problem=f"cannot be read: {error.strerror or error}")
    except (ValueError, LookupError, TypeError) as error:
        return file._replace(problem=str(error))
    return file._replace(source=source, stale="" if unchanged else "its source has changed")
