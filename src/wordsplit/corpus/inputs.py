"""Find the files of a corpus, and detect that one has changed."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn, get_args

from wordsplit.arguments import absolute_path, check_strings, path_text
from wordsplit.corpus.streams import compression_of, fsspec_of, is_url
from wordsplit.errors import CorpusError, OptionsError, UnknownNameError
from wordsplit.registry import quoted
from wordsplit.text import each

__all__ = ["ChangedInputError", "FatalError", "Input", "Kind", "expanded", "find_inputs", "input_of", "kind_of"]

Kind = Literal["text", "jsonl", "parquet", "arrow"]
_KINDS: dict[str, Kind] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
}
_HIDDEN = (".", "_")
_STAMPS = ("ETag", "etag", "md5", "content_hash", "sha256", "LastModified", "last_modified", "mtime", "created")


class FatalError(CorpusError):
    """An error that always ends a run, because skipping it would make the output depend on more than the inputs."""


class ChangedInputError(FatalError):
    """An input is missing, or has changed since the plan was made."""


class Input(NamedTuple):
    """A file of texts.

    Attributes:
        path: The file's absolute path, or a URL for `fsspec`.
        kind: ``"text"``, ``"jsonl"``, ``"parquet"`` or ``"arrow"``.
        compression: ``"gz"``, ``"zst"`` or ``""``.
        size: Its size in bytes, as stored.
        stamp: The time of its last change in nanoseconds, or the etag of a remote object.
    """

    path: str
    kind: Kind
    compression: str
    size: int
    stamp: str

    def check_unchanged(self) -> None:
        """Check that the file has not changed since this object was created.

        Raises:
            ChangedInputError: It is missing, or has changed.
        """
        try:
            size, stamp = _state(self.path)
        except CorpusError as error:
            raise ChangedInputError(f"{error.found}; it was readable when the plan was made", file=self.path) from error
        if (size, stamp) != (self.size, self.stamp):
            what = f"{self.size:,} bytes then, {size:,} now" if size != self.size else "its time or etag differs"
            raise ChangedInputError(
                f"it has changed since the plan was made ({what}); put it back, or start over with --fresh",
                file=self.path,
            )


def kind_of(path: str, kind: Kind | None = None) -> tuple[Kind, str]:
    """Return the kind and the compression of a file, from its name.

    Args:
        path: The file.
        kind: Its kind, if the name does not indicate it.

    Raises:
        CorpusError: No installed package can decompress it, or it is a compressed file of a kind that has its own
            compression.

    Example:
        >>> kind_of("a/b.JSONL.gz"), kind_of("README")
        (('jsonl', 'gz'), ('text', ''))
    """
    compression = compression_of(path)
    name = path[: -len(compression) - 1] if compression else path
    kind = kind or _KINDS.get(Path(name).suffix.lower(), "text")
    if compression and kind in ("parquet", "arrow"):
        raise CorpusError(f"{kind} has its own compression; it is not read from .{compression}", file=path)
    return kind, compression


def input_of(path: str, kind: Kind | None = None) -> Input:
    """Return a file or URL as an input.

    Raises:
        CorpusError: It cannot be read, or `kind_of` refuses it.
    """
    return Input(path if is_url(path) else os.path.normpath(absolute_path(path)), *kind_of(path, kind), *_state(path))


def find_inputs(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    kind: Kind | None = None,
    *,
    but: str | os.PathLike[str] | None = None,
) -> list[Input]:
    """Return the files that paths refer to, in order, each once.

    Args:
        paths: Files, folders (all files in them, except those whose names begin with ``.`` or ``_``), globs, and
            URLs for `fsspec`, also with globs.
        kind: The kind of all files, whatever their names.
        but: A folder whose files are left out: the output folder, if that is within an input folder.

    Raises:
        OptionsError: There is no such kind.
        InputTypeError: They are not paths.
        UnknownNameError: A path refers to no files.
        CorpusError: A file cannot be read.
    """
    check_strings(kind=kind)
    if kind is not None and kind not in get_args(Kind):
        raise OptionsError(f"kind={kind!r}: use one of {', '.join(map(repr, get_args(Kind)))}")
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    names = [path_text(path, "an input") for path in each(paths, "paths")]
    if not names:
        raise OptionsError("no inputs: name files, folders, globs or URLs")
    left_out = None if but is None else os.path.realpath(os.fsdecode(but))
    found: dict[str, Input] = {}
    for name in names:
        for path in _remote(name, _HIDDEN) if is_url(name) else expanded(name, _HIDDEN):
            if path == "-" or not _is_file(path):
                raise CorpusError(
                    "not a regular file: to resume, an input must be readable again; save it in a file first",
                    file=path,
                )
            if left_out and not is_url(path) and os.path.realpath(path).startswith(left_out + os.sep):
                continue
            file = input_of(path, kind)
            found.setdefault(file.path, file)
    if not found:
        beside = " outside the output folder" if left_out else ""
        raise UnknownNameError(f"no files in {', '.join(map(quoted, names))}{beside}")
    return list(found.values())


def expanded(name: str, hidden: tuple[str, ...] = (".",), hint: str = "") -> Iterator[str]:
    """Yield the files that a name refers to, in order: the file, the files in the folder, or the glob's matches.

    Args:
        name: The name.
        hidden: Prefixes of the names of files and folders that are left out within a folder.
        hint: Added to the message if there are none.

    Raises:
        UnknownNameError: There are no such files.
        CorpusError: A folder cannot be read.
    """
    if os.path.isdir(name):  # noqa: PTH112 - unlike Path, these return False for invalid names
        found = list(_within(name, hidden))
        if not found:
            raise UnknownNameError(f"no files in the folder {name!r}")
        yield from found
        return
    if name == "-" or os.path.exists(name):  # noqa: PTH110 - may be a pipe
        yield name
        return
    try:
        matches = sorted(filter(os.path.isfile, glob.glob(name, recursive=True)))  # noqa: PTH207 - matches as spelled
    except (OSError, ValueError, RecursionError):  # the name is too long, or has a NUL
        matches = []
    if not matches:
        raise UnknownNameError(f"no file, folder or match for {quoted(name)}{hint}")
    yield from matches


def _within(folder: str, hidden: tuple[str, ...]) -> Iterator[str]:
    for root, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith(hidden))
        yield from (os.path.join(root, name) for name in sorted(files) if not name.startswith(hidden))  # noqa: PTH118


def _refuse(error: OSError) -> NoReturn:
    raise CorpusError(f"cannot be read: {error.strerror or error}", file=error.filename) from error


def _remote(url: str, hidden: tuple[str, ...]) -> list[str]:
    fsspec = fsspec_of(url)
    try:
        filesystem, name = fsspec.core.url_to_fs(url)
        if any(sign in name for sign in "*?[") and not filesystem.isfile(name):
            names = sorted(path for path in filesystem.glob(name) if filesystem.isfile(path))
        elif filesystem.isdir(name):
            below = ((path, path.removeprefix(name).split("/")) for path in filesystem.find(name))
            names = sorted(path for path, parts in below if not any(part.startswith(hidden) for part in parts))
        else:
            names = [name]
    except (OSError, ValueError, ImportError) as error:
        raise CorpusError(f"cannot be listed: {error}", file=url) from error
    if not names:
        raise UnknownNameError(f"no match for {quoted(url)}")
    return [filesystem.unstrip_protocol(name) for name in names]


def _is_file(path: str) -> bool:
    return is_url(path) or os.path.isfile(path)  # noqa: PTH113 - False for invalid names


def _state(path: str) -> tuple[int, str]:
    """Return the size and the stamp of a file or URL."""
    try:
        if not is_url(path):
            found = os.stat(path)  # noqa: PTH116 - the path as given
            return found.st_size, str(found.st_mtime_ns)
        filesystem, name = fsspec_of(path).core.url_to_fs(path)
        info = filesystem.info(name)
    except (OSError, ValueError) as error:
        strerror = getattr(error, "strerror", None)
        raise CorpusError(f"cannot be read: {strerror or error}", file=path) from error
    if info.get("size") is None:
        raise CorpusError("its size is not known, so changes could not be detected; copy it to a file first", file=path)
    stamp = next((str(info[key]) for key in _STAMPS if info.get(key) is not None), "")
    return int(info["size"]), stamp
