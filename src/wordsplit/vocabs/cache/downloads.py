"""The download cache: files stored under the sha256 of their content.

    <root>/blobs/<sha256>            the files, read-only
    <root>/sources/<sha256>.json     the resolution of a name: one `Record` each, under the name's own sha256
    <root>/bad/                      damaged files, set aside
    <root>/compiled/                 ready tables of vocabs; see `wordsplit.vocabs.cache.compiled`
    <root>/locks/                    avoid duplicate work; not needed for correctness

A name never becomes a path. Content is checked against its sha256 in the same buffer that is then parsed. A
file is written under a temporary name and renamed when complete, so a process killed at any moment leaves at worst a
``.part`` file. A cache that cannot be written is not an error: the download is used anyway, and a warning says why it
is not stored.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from wordsplit.arguments import absolute_path
from wordsplit.errors import CacheWarning, DownloadError, OptionsError, VocabFormatError
from wordsplit.vocabs.cache.compiled import CompiledStore
from wordsplit.vocabs.cache.draft import Draft
from wordsplit.vocabs.cache.record import Pin, Record
from wordsplit.vocabs.cache.root import default_root
from wordsplit.vocabs.cache.untrusted_files import delete, entries, existing, is_own, read_owned, read_regular
from wordsplit.vocabs.formats.base import MAX_FILE_BYTES

__all__ = ["Blob", "Cache", "WrongContentError"]

LOCK_SECONDS = 120.0
"""How long to wait for another process's download before starting one."""

PART_SECONDS = 3600.0
"""A ``.part`` file that was not written to for this long is abandoned."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_RECORD = re.compile(r"[0-9a-f]{64}\.json")
_MAX_RECORD_BYTES = 1 << 20
_NO_FOLDER = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
"""Errors of a folder that is not there; something else or a circle of links may have its name."""


class WrongContentError(DownloadError):
    """A file whose size or sha256 is not the expected one."""


class Blob(NamedTuple):
    """A file of the cache: its sha256, its size in bytes, and its damage (empty if there is none)."""

    sha256: str
    size: int
    problem: str = ""


class Cache:
    """A folder of downloaded files.

    Args:
        root: The folder; made (with mode 0700) when something is first written.
        locking: Whether processes wait for each other's downloads.

    Example:
        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> cache = Cache(folder.name)
        >>> pin, data = cache.put([b"hello ", b"world"])
        >>> pin.size, data, cache.read(pin)
        (11, b'hello world', b'hello world')
        >>> cache.blob_path(pin.sha256).name == pin.sha256
        True
        >>> [blob.problem for blob in cache.verify()]
        ['']
        >>> folder.cleanup()
    """

    def __init__(self, root: str | os.PathLike[str], *, locking: bool = True) -> None:
        self.root: Path = Path(absolute_path(os.fspath(root)))
        self.locking = locking

    @classmethod
    def default(cls) -> Cache:
        """Return the user's cache: ``WORDSPLIT_CACHE_DIR``, or else the platform's folder for caches."""
        return cls(default_root())

    def __repr__(self) -> str:
        return f"Cache({str(self.root)!r}{'' if self.locking else ', locking=False'})"

    def blob_path(self, sha256: str) -> Path:
        """Return the path of the file with this sha256, whether it exists or not.

        Raises:
            OptionsError: It is not a sha256.
        """
        if not _SHA256.fullmatch(sha256):
            raise OptionsError(f"{sha256!r:.80} is not a sha256, which has 64 digits out of 0123456789abcdef")
        return self.root / "blobs" / sha256

    def read(self, pin: Pin) -> bytes | None:
        """Return the content of a file; ``None`` if it is missing, or was damaged and is set aside.

        Raises:
            VocabFormatError: It cannot be read now, for a reason that may pass, such as too many open files.
        """
        path = self.blob_path(pin.sha256 or "")
        try:
            data = read_regular(path, MAX_FILE_BYTES)
        except FileNotFoundError:
            return None
        except OSError:  # a symbolic link, a folder, no permission, a bad disk
            self._set_aside(path)
            return None
        if hashlib.sha256(data).hexdigest() != pin.sha256:
            self._set_aside(path)
            return None
        return data

    def put(
        self,
        chunks: Iterable[bytes],
        *,
        expected: Pin | None = None,
        max_bytes: int = MAX_FILE_BYTES,
        label: str = "<bytes>",
    ) -> tuple[Pin, bytes]:
        """Store a file.

        Args:
            chunks: Its content.
            expected: Its expected sha256 and size, if known.
            max_bytes: The size limit.
            label: Its name in messages.

        Returns:
            Its sha256 and size, and its content.

        Raises:
            WrongContentError: The content is too large or unexpected. Nothing is stored.
        """
        data, digest, expected = bytearray(), hashlib.sha256(), expected or Pin()
        limit = max_bytes if expected.size is None else expected.size
        with closing(Draft(self._folder("blobs"))) as draft:
            for chunk in chunks:
                data += chunk
                if len(data) > limit:
                    raise WrongContentError(f"{label}: is larger than {limit} bytes, at which it was stopped")
                digest.update(chunk)
                draft.write(chunk)
            found = Pin(digest.hexdigest(), len(data))
            for what, got, wanted in zip(("sha256", "size"), found, expected, strict=True):
                if wanted not in (None, got):
                    raise WrongContentError(f"{label}: its {what} is {got}, but should be {wanted}")
            draft.place(self.blob_path(found.sha256 or ""), self._set_aside)
        self._warn_unless_kept(draft)
        return found, bytes(data)

    # Resolved names.

    def record(self, source: str) -> Record | None:
        """Return the record of a source; ``None`` if there is none. A damaged record is set aside.

        A record that neither this user, nor root, nor the owner of the cache folder has written is not used: whoever
        may write to a shared folder could otherwise decide for all others what a name refers to.

        Raises:
            VocabFormatError: It cannot be read now; see `read`.
        """
        found = self._read_record(self._record_path(source), source)
        if found is None:
            return None
        record, status = found
        if is_own(status) or status.st_uid == self.root.stat().st_uid:
            return record
        warnings.warn(
            f"the record of {source} in {self.root} is of another user (uid {status.st_uid}), and is not used",
            CacheWarning,
            stacklevel=6,  # past load_vocab
        )
        return None

    def put_record(self, record: Record) -> None:
        """Store the record of a source, and replace an earlier one."""
        with closing(Draft(self._folder("sources"))) as draft:
            draft.write(record.to_bytes())
            draft.place(self._record_path(record.source), self._set_aside)
        self._warn_unless_kept(draft)

    def records(self) -> list[Record]:
        """Return all records, whoever wrote them, sorted by source.

        Raises:
            VocabFormatError: They cannot be read.
        """
        folder = self.root / "sources"
        try:
            paths = [path for path in folder.iterdir() if _RECORD.fullmatch(path.name)]
        except OSError as error:
            if error.errno in _NO_FOLDER:
                return []
            # `prune` would take every file for one that no record names.
            raise VocabFormatError(f"cannot be read: {error.strerror}", file=folder, field="file") from None
        found = filter(None, map(self._read_record, paths))
        return sorted((record for record, _ in found), key=lambda record: record.source)

    def _record_path(self, source: str) -> Path:
        return self.root / "sources" / f"{hashlib.sha256(source.encode()).hexdigest()}.json"

    def _read_record(self, path: Path, source: str | None = None) -> tuple[Record, os.stat_result] | None:
        try:
            data, status = read_owned(path, _MAX_RECORD_BYTES)
        except FileNotFoundError:
            return None
        except OSError:
            self._set_aside(path)
            return None
        try:
            record = Record.from_bytes(data, str(path))
        except VocabFormatError:
            self._set_aside(path)
            return None
        if path != self._record_path(record.source) or source not in (None, record.source):
            self._set_aside(path)
            return None
        return record, status

    # Maintenance.

    def blobs(self) -> list[Blob]:
        """Return every file, unchecked."""
        return [Blob(path.name, status.st_size) for path, status in existing(self._blob_paths())]

    def verify(self) -> Iterator[Blob]:
        """Read and check every file. Nothing is changed: `read` sets damaged files aside, `prune` deletes them."""
        for path, status in existing(self._blob_paths()):
            try:
                found = hashlib.sha256(read_regular(path, MAX_FILE_BYTES)).hexdigest()
            except FileNotFoundError:  # deleted meanwhile
                continue
            except OSError as error:
                yield Blob(path.name, status.st_size, f"cannot be read: {error.strerror or error}")
            else:
                yield Blob(path.name, status.st_size, "" if found == path.name else f"its sha256 is {found}")

    def prune(self, *, everything: bool = False) -> tuple[int, int]:
        """Delete damaged files, abandoned ``.part`` files, files that no record names, and stale tables.

        Only files with names of the cache are deleted, so a folder named by mistake keeps its own files.

        Args:
            everything: Whether to delete valid files and tables and the records as well.

        Returns:
            The number of deleted files, and their size in bytes.
        """
        wanted = set() if everything else {pin.sha256 for record in self.records() for pin in record.files.values()}
        doomed = [path for path in entries(self.root / "bad") if _SHA256.match(path.name)]
        doomed += [self.blob_path(blob.sha256) for blob in self.verify() if blob.problem or blob.sha256 not in wanted]
        for folder in ("blobs", "sources"):
            old = time.time() - PART_SECONDS
            parts = (path for path in entries(self.root / folder) if path.name.endswith(Draft.SUFFIX))
            doomed += [path for path, status in existing(parts) if status.st_mtime < old]
        if everything:
            doomed += [path for path in entries(self.root / "sources") if _RECORD.fullmatch(path.name)]
            doomed += [path for path in entries(self.root / "locks") if path.suffix == ".lock"]
        count, size = delete(doomed)
        compiled = self.compiled().prune(everything=everything)
        return count + compiled[0], size + compiled[1]

    def compiled(self) -> CompiledStore:
        """Return the store of compiled vocabs in the same folder."""
        return CompiledStore(self.root)

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Wait for other processes that do the work of this name.

        If the lock cannot be had, continue without it; at worst a file is downloaded twice.
        """
        if not self.locking:
            yield
            return
        from filelock import FileLock  # noqa: PLC0415 - as for platformdirs

        folder = self._folder("locks")
        lock = FileLock(folder / f"{hashlib.sha256(name.encode()).hexdigest()}.lock", timeout=LOCK_SECONDS)
        with suppress(OSError, NotImplementedError):
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def _blob_paths(self) -> list[Path]:
        return [path for path in entries(self.root / "blobs") if _SHA256.fullmatch(path.name)]

    def _folder(self, name: str) -> Path:
        for folder in (self.root, self.root / name):
            with suppress(OSError):  # the next write will report the problem
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.root / name

    def _set_aside(self, path: Path) -> None:
        with suppress(OSError):  # in a read-only cache the file stays, unused
            path.rename(self._folder("bad") / f"{path.name}.{time.time_ns()}")

    def _warn_unless_kept(self, draft: Draft) -> None:
        if draft.error is not None:
            reason = draft.error.strerror or draft.error
            warnings.warn(
                f"the cache folder {self.root} cannot be written ({reason}), so downloads are not kept; "
                "WORDSPLIT_CACHE_DIR names another one",
                CacheWarning,
                stacklevel=4,
            )
