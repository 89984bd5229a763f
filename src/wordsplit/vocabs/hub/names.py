"""The Hugging Face hub: names, URLs, and what its own tools left on this disk.

    hf:owner/repo                          the repository's tokenizer files, at revision ``main``
    hf:owner/repo@revision                 at a branch, a tag, or (pinned) a commit of 40 hex digits
    hf:owner/repo@revision:file.gguf       that file
    owner/repo, owner/repo@revision        the same, where no path and no catalog entry has the name

What the environment says is asked for with each use, so that a test or a notebook may change it.
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
    """A repository at a revision, and perhaps one file of it.

    Attributes:
        repo: The repository: ``owner/name``.
        revision: A branch, a tag or a commit.
        file: One file of it.
        hint: Ends a message about a name that was written without ``hf:``, and may have been meant for something else.

    Raises:
        OptionsError: A part is not as such names are; above all, no part may climb out of a folder.

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
            raise OptionsError(f"{self.source!r:.200} is no hub name: write {_FORM}")

    @property
    def source(self) -> str:
        """The name in full."""
        return f"hf:{self.repo}@{self.revision}" + (f":{self.file}" if self.file else "")

    @property
    def pinned(self) -> bool:
        """Whether the revision is a commit, which always means the same files."""
        return _COMMIT.fullmatch(self.revision) is not None


def parse(text: str) -> HubName:
    """The parts of a name that begins with ``hf:``.

    Raises:
        OptionsError: It goes on wrongly.
    """
    match = _NAME.fullmatch(text)
    if match is None:
        raise OptionsError(f"{text!r:.200} is no hub name: write {_FORM}")
    revision = match["revision"]
    return HubName(match["repo"], "main" if revision is None else revision, match["file"])


def endpoint() -> str:
    """The hub's address: ``HF_ENDPOINT``, or else huggingface.co."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def file_url(name: HubName, revision: str, file: str) -> str:
    """Where a file of the repository is."""
    return f"{endpoint()}/{name.repo}/resolve/{quote(revision, safe='')}/{quote(file)}"


def api_url(name: HubName) -> str:
    """Where the hub says which files there are."""
    return f"{endpoint()}/api/models/{name.repo}/revision/{quote(name.revision, safe='')}?blobs=true"


def page_url(name: HubName) -> str:
    """The repository's page, where a gated one's terms are."""
    return f"{endpoint()}/{name.repo}"


def offline() -> bool:
    """Whether ``WORDSPLIT_OFFLINE`` or ``HF_HUB_OFFLINE`` forbids every connection."""
    return any(os.environ.get(name, "").lower() in _YES for name in ("WORDSPLIT_OFFLINE", "HF_HUB_OFFLINE"))


def token() -> str | None:
    """The user's token: ``HF_TOKEN``, or else the file where the hub's tools keep it.

    Raises:
        DownloadError: It cannot be a token.
    """
    found = os.environ.get("HF_TOKEN", "").strip()
    if not found:
        path = Path(os.environ.get("HF_TOKEN_PATH") or _home() / "token")
        try:
            found = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
    if not re.fullmatch(r"[!-~]*", found):
        raise DownloadError("HF_TOKEN (or the hub's token file) holds blanks or control characters; it is no token")
    return found or None


def hub_cache() -> Path:
    """The folder in which the hub's tools keep snapshots: ``HF_HUB_CACHE``, or ``hub`` in ``HF_HOME``."""
    named = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    return Path(named) if named else _home() / "hub"


def snapshot(name: HubName) -> Path | None:
    """The folder with the files of a repository at a revision, if the hub's tools have left one."""
    folder = snapshot_place(name)
    try:
        commit = (folder.parents[1] / "refs" / name.revision).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        commit = ""
    if _COMMIT.fullmatch(commit):
        folder = folder.parent / commit
    return folder if folder.is_dir() else None


def snapshot_place(name: HubName) -> Path:
    """Where `snapshot` looks for files that were put there by hand."""
    folder = hub_cache() / "--".join(("models", *name.repo.split("/")))
    return folder / "snapshots" / name.revision.replace("/", "--")


def _home() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME")
    home = os.environ.get("HF_HOME")
    return Path(home) if home else (Path(cache) if cache else Path.home() / ".cache") / "huggingface"


def _sound(part: str, pattern: re.Pattern[str]) -> bool:
    return pattern.fullmatch(part) is not None and ".." not in part
