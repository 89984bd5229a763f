"""The folder that a corpus is written to.

    plan.json            the plan, written once
    shards/000000.*      the files of unit 0
    records/000000.json  the record of unit 0: its files with their checksums, its documents and tokens
    quarantine/          documents and files that could not be read, with ``on_error="quarantine"``
    manifest.json        all shards; written when all units are recorded
    _SUCCESS             empty; written last
    report.json, report.html

**A unit is done if and only if it has a record.** Its files are written under temporary names, synced to the disk
and renamed; then its record is written in the same way. Files without a record are removed and written again. Two
attempts at one unit write the same bytes under the same names, so it does no harm if both succeed.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from wordsplit.arguments import absolute_path, path_text
from wordsplit.corpus.plan import Plan
from wordsplit.errors import CorpusError

__all__ = ["OutputFolder", "cannot_be_written", "shard_name", "sync_folder", "writing_to"]

_TEMPORARY = ".tmp-"
_UNSUPPORTED = frozenset({errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP})
"""Errors of a filesystem that has no locks or cannot sync folders, such as a folder shared with a virtual machine."""
_RECORD = re.compile(r"([0-9]{6}|[1-9][0-9]{6,9})\.json")


def shard_name(unit: int) -> str:
    """Return the name of a unit's shard.

    Example:
        >>> shard_name(12)
        '000012'
    """
    return f"{unit:06d}"


class OutputFolder:
    """The folder of a corpus.

    Args:
        path: The folder; it need not exist.

    Raises:
        InputTypeError: It is not a path.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Path = Path(os.path.normpath(absolute_path(path_text(path, "the folder of a corpus"))))
        self.shards: Path = self.path / "shards"
        self.records: Path = self.path / "records"
        self.quarantine: Path = self.path / "quarantine"
        self.plan_file: Path = self.path / "plan.json"
        self.manifest_file: Path = self.path / "manifest.json"
        self.success_file: Path = self.path / "_SUCCESS"

    def create(self) -> None:
        """Create the folder.

        Raises:
            CorpusError: It cannot be created, or has unrelated files.
        """
        with writing_to(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            mine = (".lock", f"{self.plan_file.name}{_TEMPORARY}")
            others = sorted(path.name for path in self.path.iterdir() if not path.name.startswith(mine))
            if others and not self.plan_file.exists():
                raise CorpusError(
                    f"the folder is not empty ({', '.join(others[:3])}) and has no plan.json; name another folder",
                    file=self.path,
                )

    def begin(self, plan: Plan) -> None:
        """Write the plan first, then create the folders within.

        Raises:
            CorpusError: They cannot be written.
        """
        with writing_to(self.path):
            if not self.plan_file.exists():
                self.write(self.plan_file, plan.to_json())
            for folder in (self.shards, self.records):
                folder.mkdir(exist_ok=True)
            sync_folder(self.path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the folder.

        Raises:
            CorpusError: Another process is writing to it, or this one may not.
        """
        from filelock import FileLock, Timeout  # noqa: PLC0415 - slow to import

        lock = FileLock(self.path / ".lock", timeout=0)
        try:
            lock.acquire()
        except Timeout:
            found = "another process is writing to this folder; wait for it, or stop it"
            raise CorpusError(found, file=self.path) from None
        except (OSError, NotImplementedError) as error:
            if isinstance(error, OSError) and error.errno not in _UNSUPPORTED:
                raise cannot_be_written(self.path, error) from error
            yield  # a filesystem without locks: two concurrent runs only do the same work twice
            return
        try:
            yield
        finally:
            lock.release()

    def clear(self) -> None:
        """Remove all output of a run.

        Raises:
            CorpusError: Something cannot be removed.
        """
        with writing_to(self.path):
            for name in ("_SUCCESS", "manifest.json", "report.json", "report.html"):
                (self.path / name).unlink(missing_ok=True)
            for folder in (self.records, self.shards, self.quarantine):
                if folder.exists():
                    shutil.rmtree(folder)
            self.plan_file.unlink(missing_ok=True)  # last, because it marks the rest as a corpus

    def plan(self) -> Plan:
        """Return the plan.

        Raises:
            CorpusError: There is none, or it is damaged or cannot be read.
        """
        try:
            data = self.plan_file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise CorpusError(
                "not a folder that `wordsplit corpus encode` writes: it has no plan.json", file=self.path
            ) from None
        except OSError as error:
            raise CorpusError(f"cannot be read: {error.strerror or error}", file=self.plan_file) from error
        return Plan.from_json(data, str(self.plan_file))

    def done(self) -> set[int]:
        """Return the units that have a record."""
        return {int(name[:-5]) for name in _names(self.records) if _RECORD.fullmatch(name)}

    def __contains__(self, unit: object) -> bool:
        """Return whether a unit has a record."""
        return isinstance(unit, int) and (self.records / f"{shard_name(unit)}.json").exists()

    def missing(self, plan: Plan) -> str:
        """Describe the units that have no record; the empty string if all have one."""
        done = self.done()
        missing = [unit for unit in range(len(plan.units)) if unit not in done]
        if not missing:
            return ""
        count = f"{len(missing):,} of {len(plan.units):,}"
        return f"{count} units have no record, the first of them {shard_name(missing[0])}"

    def record(self, unit: int) -> dict[str, Any]:
        """Return the record of a unit.

        Raises:
            CorpusError: It is damaged, or cannot be read.
        """
        path = self.records / f"{shard_name(unit)}.json"
        try:
            record: dict[str, Any] = json.loads(path.read_bytes())
            _check_record(record, unit)
        except OSError as error:
            raise CorpusError(f"cannot be read: {error.strerror or error}", file=path) from error
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise CorpusError(
                f"a damaged record ({error}); remove it, and its unit is encoded again", file=path
            ) from error
        return record

    def remove_unrecorded(self) -> None:
        """Remove temporary files, and files of units without a record."""
        done = {shard_name(unit) for unit in self.done()}
        for folder in (self.shards, self.quarantine, self.records):
            for name in _names(folder):
                if _TEMPORARY in name or (folder != self.records and name.partition(".")[0] not in done):
                    with suppress(FileNotFoundError):
                        (folder / name).unlink()
        for name in _names(self.path):
            if _TEMPORARY in name:
                (self.path / name).unlink(missing_ok=True)

    def damaged_units(self, plan: Plan) -> list[int]:
        """Return the recorded units that are not in the plan, or whose files are missing or have another size."""
        found = []
        for unit in sorted(self.done()):
            if unit >= len(plan.units):
                found.append(unit)
                continue
            for name, file in self.record(unit)["files"].items():
                try:
                    size = (self.path / name).stat().st_size
                except OSError:
                    size = -1
                if size != file["bytes"]:
                    found.append(unit)
                    break
        return found

    def forget(self, unit: int) -> None:
        """Remove the record of a unit, so that it is encoded again."""
        (self.records / f"{shard_name(unit)}.json").unlink(missing_ok=True)

    def temporary(self, path: Path) -> Path:
        """Return a name next to ``path`` that no other attempt uses, as a prefix of temporary files."""
        return path.with_name(f"{path.name}{_TEMPORARY}{secrets.token_hex(6)}")

    def commit(self, files: list[tuple[Path, Path]]) -> None:
        """Give complete, synced temporary files their names: (temporary, final)."""
        for temporary, final in files:
            os.replace(temporary, final)  # noqa: PTH105 - the two are the same
        for folder in {final.parent for _, final in files}:
            sync_folder(folder)

    def write(self, path: Path, data: bytes) -> None:
        """Write a small file atomically."""
        temporary = self.temporary(path)
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            self.commit([(temporary, path)])
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def cannot_be_written(path: Path, error: OSError) -> CorpusError:
    """Return the error for a failure to write to a folder."""
    return CorpusError(f"cannot be written: {error.strerror or error}", file=path)


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Raise a `CorpusError` for an `OSError` of the block, which writes to a folder."""
    try:
        yield
    except OSError as error:
        raise cannot_be_written(path, error) from error


def sync_folder(folder: Path) -> None:
    """Write a folder's entries to the disk, where the system supports it."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
    finally:
        os.close(descriptor)


def _check_record(record: dict[str, Any], unit: int) -> None:
    """Check the fields of a record that are used, so that no other file is taken for it.

    Raises:
        ValueError: A field has another value than a record of this unit has.
        LookupError: There is no such field.
        TypeError: A field is of another type. Also an `AttributeError`.
    """
    if record["unit"] != unit:
        raise ValueError(f"of unit {record['unit']!r:.40}")
    documents, files = record["documents"], record["files"]
    numbers = [documents[name] for name in ("in", "written", "empty", "skipped")]
    numbers += [record["tokens"], record["bytes"], record["invalid_utf8"], *record["lengths"]]
    numbers += [file["bytes"] for file in files.values()]
    for number in numbers:
        if type(number) is not int or number < 0:
            raise ValueError(f"{number!r:.40} is not a count")
    if not files or not all(name.startswith(f"shards/{shard_name(unit)}") for name in files):
        raise ValueError(f"of the files {list(files)!r:.100}")


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except FileNotFoundError:
        return []
