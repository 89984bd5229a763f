"""The Hugging Face hub: names, URLs, and the local files of its own tools.

    hf:owner/repo                          the repository's tokenizer files, at revision ``main``
    hf:owner/repo@revision                 at a branch, a tag, or (pinned) a commit of 40 hex digits
    hf:owner/repo@revision:file.gguf       that file
    owner/repo, owner/repo@revision        the same, if no path and no catalog entry has the name

Environment variables are read on each use, so that a test or a notebook may change them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from wordsplit.errors import DownloadError, OptionsError

__all__ = ["HubName", "api_url", "endpoint", "file_url", "hub_cache", "offline", "parse", "snapshot", "token"]

_FORM = "hf:owner/repo, hf:owner/repo@revision or hf:owner/repo@revision:file"
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,95}")
_FILE_PART = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9 ._+-]{0,199}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_NAME = re.compile(r"hf:(?P<repo>[^@:]*)(?:@(?P<revision>[^@:]*))?(?::(?P<file>[^@:]*))?")
_YES = ("1", "on", "yes", "true")


@dataclass(frozen=True)
class HubName:
    """A repository at a revision, and optionally one of its files.

    Attributes:
        repo: The repository: ``owner/name``.
        revision: A branch, a tag or a commit.
        file: A file of the repository.
        hint: The end of a message about a name without ``hf:``, which may have meant something else.

    Raises:
        OptionsError: A part is malformed. In particular, no part may lead out of a folder.

    Example:
        >>> parse("hf:Qwen/Qwen3-0.6B@main:tokenizer.json")
        HubName(repo='Qwen/Qwen3-0.6B', revision='main', file='tokenizer.json')
        >>> parse("hf:Qwen/Qwen3-0.6B").source
        'hf:Qwen/Qwen3-0.6B@main'
    """

    repo: str
    revision: str = "main"
    file: str | None = None
    hint: Callable[[], str] = field(default=str, repr=False, compare=False)

    def __post_init__(self) -> None:
        sound = (
            self.repo.count("/") == 1
            and all(_sound(part, _PART) for part in self.repo.split("/"))
            and all(_sound(part, _PART) for part in self.revision.split("/"))
            and (self.file is None or all(_sound(part, _FILE_PART) for part in self.file.split("/")))
        )
        if not sound:
            raise OptionsError(f"{self.source!r:.200} is not a hub name: write {_FORM}")

    @property
    def source(self) -> str:
        """The full name."""
        return f"hf:{self.repo}@{self.revision}" + ("" if self.file is None else f":{self.file}")

    @property
    def pinned(self) -> bool:
        """Whether the revision is a commit, which always means the same files."""
        return _COMMIT.fullmatch(self.revision) is not None


def parse(text: str) -> HubName:
    """Parse a name that begins with ``hf:``.

    Raises:
        OptionsError: The name is malformed.
    """
    match = _NAME.fullmatch(text)
    if match is None:
        raise OptionsError(f"{text!r:.200} is not a hub name: write {_FORM}")
    revision = match["revision"]
    return HubName(match["repo"], "main" if revision is None else revision, match["file"])


def endpoint() -> str:
    """Return the hub's address: ``HF_ENDPOINT``, or else huggingface.co."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def file_url(name: HubName, revision: str, file: str) -> str:
    """Return the URL of a file of the repository."""
    return f"{endpoint()}/{name.repo}/resolve/{quote(revision, safe='')}/{quote(file)}"


def api_url(name: HubName) -> str:
    """Return the URL of the hub's list of files."""
    return f"{endpoint()}/api/models/{name.repo}/revision/{quote(name.revision, safe='')}?blobs=true"


def page_url(name: HubName) -> str:
    """Return the URL of the repository's page, which has the terms of a gated repository."""
    return f"{endpoint()}/{name.repo}"


def offline() -> bool:
    """Return whether a variable forbids connections: ``WORDSPLIT_OFFLINE``, or the hub's tools' own two.

    As for these tools, ``TRANSFORMERS_OFFLINE`` counts where ``HF_HUB_OFFLINE`` is empty.
    """
    ours, theirs, older = map(os.environ.get, ("WORDSPLIT_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"))
    return any((value or "").lower() in _YES for value in (ours, theirs or older))


def token() -> str | None:
    """Return the user's token: ``HF_TOKEN``, or else the token file of the hub's tools.

    Raises:
        DownloadError: The value cannot be a token.
    """
    found = os.environ.get("HF_TOKEN", "").strip()
    if not found:
        named = os.environ.get("HF_TOKEN_PATH")
        path = _expanded(named) if named else _home() / "token"
        try:
            found = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
    if not re.fullmatch(r"[!-~]*", found):
        raise DownloadError("HF_TOKEN (or the hub's token file) holds blanks or control characters; it is not a token")
    return found or None


def hub_cache() -> Path:
    """Return the folder where the hub's tools store snapshots: ``HF_HUB_CACHE``, or ``hub`` in ``HF_HOME``."""
    named = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    return _expanded(named) if named else _home() / "hub"


def snapshot(name: HubName) -> Path | None:
    """Return the hub tools' folder with the files of a repository at a revision, if it exists."""
    folder = snapshot_place(name)
    try:
        commit = (folder.parents[1] / "refs" / name.revision).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        commit = ""
    if _COMMIT.fullmatch(commit):
        folder = folder.parent / commit
    return folder if folder.is_dir() else None


def snapshot_place(name: HubName) -> Path:
    """Return the folder where `snapshot` looks for files that were put there by hand."""
    folder = hub_cache() / "--".join(("models", *name.repo.split("/")))
    return folder / "snapshots" / name.revision.replace("/", "--")


def _home() -> Path:
    home = os.environ.get("HF_HOME")
    return _expanded(home) if home else _expanded(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"


def _expanded(path: str) -> Path:
    """Return a path of the environment as the hub's tools read it. Where there is no home folder, ``~`` remains."""
    return Path(os.path.expandvars(os.path.expanduser(path)))  # noqa: PTH111 - `Path.expanduser` raises an error there


def _sound(part: str, pattern: re.Pattern[str]) -> bool:
    return pattern.fullmatch(part) is not None and ".." not in part
