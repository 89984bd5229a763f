"""Which kind of name a user has written: a path, a name of the catalog, or a repository of the hub."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wordsplit.errors import OptionsError, UnknownNameError
from wordsplit.registry import quoted
from wordsplit.vocabs import catalog
from wordsplit.vocabs.catalog import CatalogEntry, RemoteEntry

if TYPE_CHECKING:
    from wordsplit.vocabs.hub.names import HubName

__all__ = ["find"]

# Files of these endings are meant as paths even where they do not exist.
_ENDINGS = (".json", ".tiktoken", ".gguf", ".txt")


def find(
    name: str | os.PathLike[str], *, by_file: bool, revision: str | None
) -> Path | CatalogEntry | RemoteEntry | HubName:
    """What a name stands for; the kinds are tried in turn, and the first that knows it has it.

    Args:
        name: The name.
        by_file: Whether it comes with arguments that only files can take.
        revision: The revision, if one is wanted.

    Raises:
        UnknownNameError: No kind knows it.
        OptionsError: It cannot have a revision, or is malformed.
    """
    text = os.fspath(name)
    is_path = isinstance(name, os.PathLike)
    if not is_path and text.startswith("hf:"):
        return _hub_name(text, revision)
    like_a_path = "/" in text or os.sep in text or text.endswith(_ENDINGS)
    if not is_path and not by_file and not like_a_path and catalog.is_name(text):
        return _in_catalog(text, revision)
    if text and _exists(text):
        if revision is not None:
            raise OptionsError(f"revision goes with hub names; {text!r} is a path")
        return Path(text)
    if is_path or text.endswith(_ENDINGS):
        raise UnknownNameError(f"no file or folder {quoted(text)}")
    return _in_catalog_or_hub(text, revision, by_file=by_file)


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False


def _in_catalog_or_hub(text: str, revision: str | None, *, by_file: bool) -> CatalogEntry | RemoteEntry | HubName:
    like_a_repository = text.count("/") == 1 and not text.startswith((".", "/", "~"))
    try:
        entry = _in_catalog(text, revision)
    except (UnknownNameError, OptionsError):
        if like_a_repository:
            return _guessed_hub_name(text, revision)
        raise
    if not by_file or isinstance(entry, RemoteEntry):
        return entry
    if like_a_repository:
        return _guessed_hub_name(text, revision)
    raise UnknownNameError(f"no file or folder {quoted(text)} (pattern, pre, format and special_tokens go with files)")


def _in_catalog(text: str, revision: str | None) -> CatalogEntry | RemoteEntry:
    entry = catalog.find(text)
    if revision is not None and not isinstance(entry, RemoteEntry):
        raise OptionsError(f"revision goes with hub names; {text!r} is {entry.name!r} of the catalog")
    return entry


def _hub_name(text: str, revision: str | None) -> HubName:
    from wordsplit.vocabs.hub.names import parse  # noqa: PLC0415 - most names are of the catalog

    found = parse(text)
    if revision is None:
        return found
    if "@" in text and found.revision != revision:
        raise OptionsError(f"{text!r:.200} names a revision, and revision={revision!r:.100} another")
    return replace(found, revision=revision)


def _guessed_hub_name(text: str, revision: str | None) -> HubName:
    found = _hub_name(f"hf:{text}", revision)

    def hint() -> str:
        repo, known = found.repo, catalog.suggestion(found.repo)
        return f". ({repo!r} was taken for a name of the hub, since no path and no vocab is called so. {known})"

    return replace(found, hint=hint)
