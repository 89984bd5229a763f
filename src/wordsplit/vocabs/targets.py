"""Decide whether a user's name is a path, a name of the catalog, or a repository of the hub."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wordsplit.arguments import path_text
from wordsplit.errors import OptionsError, UnknownNameError
from wordsplit.registry import quoted
from wordsplit.vocabs import catalog
from wordsplit.vocabs.catalog import CatalogEntry, RemoteEntry

if TYPE_CHECKING:
    from wordsplit.vocabs.hub.names import HubName

__all__ = ["find"]

# Names with these endings are paths even if the file does not exist.
_ENDINGS = (".json", ".tiktoken", ".gguf", ".txt", ".ws", ".model")


def find(
    name: str | os.PathLike[str], *, by_file: bool, revision: str | None
) -> Path | CatalogEntry | RemoteEntry | HubName:
    """Find the target of a name. The kinds are tried in turn; the first that knows the name is used.

    Args:
        name: The name.
        by_file: Whether there are arguments that apply only to files.
        revision: The requested revision, if any.

    Raises:
        UnknownNameError: No kind knows the name.
        OptionsError: The name cannot have a revision, or is malformed.
        InputTypeError: It is neither a name nor a path.
    """
    text = path_text(name, "a vocab")
    is_path = isinstance(name, os.PathLike)
    if not is_path and text.startswith("hf:"):
        return _hub_name(text, revision)
    like_a_path = "/" in text or os.sep in text or text.endswith(_ENDINGS)
    if not is_path and not by_file and not like_a_path and catalog.is_name(text):
        return _in_catalog(text, revision)
    if text and _exists(text):
        if revision is not None:
            raise OptionsError(f"revision applies to hub names; {text!r} is a path")
        return Path(text)
    if is_path or text.endswith(_ENDINGS):
        raise UnknownNameError(f"no file or folder {quoted(text)}")
    return _in_catalog_or_hub(text, revision, by_file=by_file)


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # the name is too long, or has a NUL
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
    raise UnknownNameError(f"no file or folder {quoted(text)} (pattern, pre, format and special_tokens apply to files)")


def _in_catalog(text: str, revision: str | None) -> CatalogEntry | RemoteEntry:
    entry = catalog.find(text)
    if revision is not None and not isinstance(entry, RemoteEntry):
        raise OptionsError(f"revision applies to hub names; {text!r} is {entry.name!r} of the catalog")
    return entry


def _hub_name(text: str, revision: str | None) -> HubName:
    from wordsplit.vocabs.hub.names import parse  # noqa: PLC0415 - most names are of the catalog

    found = parse(text)
    if revision is None:
        return found
    if "@" in text and found.revision != revision:
        raise OptionsError(f"{text!r:.200} names a revision, but revision={revision!r:.100} is another")
    return replace(found, revision=revision)


def _guessed_hub_name(text: str, revision: str | None) -> HubName:
    found = _hub_name(f"hf:{text}", revision)

    def hint() -> str:
        repo, known = found.repo, catalog.suggestion(found.repo)
        return f". ({repo!r} was treated as a name of the hub, because no path or vocab has this name. {known})"

    return replace(found, hint=hint)
