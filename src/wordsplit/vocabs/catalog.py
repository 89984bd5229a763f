"""The catalog: vocabs by name and alias.

In-tree entries are data: ``data/catalog.json`` has the vocabs that ship inside the package, ``data/remote.json`` those
that are downloaded on first use. Others come from ``register()`` or the entry-point group
``wordsplit.catalog``, whose entry points are `CatalogEntry` objects.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from wordsplit.errors import PluginError, UnknownNameError
from wordsplit.patterns.schemes import scheme_steps
from wordsplit.registry import Registry, nearest, quoted
from wordsplit.vocab import AddedToken, Split, Vocab
from wordsplit.vocabs.bundled import read_data, unpack

__all__ = [
    "BundledEntry",
    "CatalogEntry",
    "Entry",
    "RemoteEntry",
    "find",
    "find_bundled",
    "is_bundled",
    "is_name",
    "names",
    "register",
    "unregister",
]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry of the catalog.

    Attributes:
        name: The name.
        description: A short description.
        aliases: Other names; letter case does not matter.
    """

    name: str
    description: str = ""
    aliases: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class CatalogEntry(Entry):
    """A vocab made by Python code, such as a plug-in.

    Attributes:
        load: The function that builds the vocab.

    Example:
        >>> import wordsplit
        >>> from wordsplit.vocabs import catalog
        >>> def load():
        ...     return wordsplit.Vocab(name="bits", tokens={0: b"0", 1: b"1"})
        >>> catalog.register(catalog.CatalogEntry(name="bits", load=load))
        >>> wordsplit.load_tokenizer("bits").encode("0110")
        [0, 1, 1, 0]
        >>> catalog.unregister("bits")
    """

    load: Callable[[], Vocab]


@dataclass(frozen=True, kw_only=True)
class BundledEntry(CatalogEntry):
    """An entry whose vocab ships inside the package.

    Attributes:
        steps: The pre-tokenizer.
        added_tokens: The added tokens.
        prefixes: Prefixes of further aliases: ``gpt-4o-`` means every name with this prefix.
        sources: The official files it was made from: name, sha256, size in bytes, URL.
        scheme: The name of the scheme of ``steps``.
        licence: The licence of the source.
        n_vocab: `Vocab.n_vocab`, known without loading it.
    """

    steps: tuple[Split, ...]
    added_tokens: tuple[AddedToken, ...]
    prefixes: Sequence[str] = ()
    sources: Sequence[Mapping[str, Any]] = ()
    scheme: str = ""
    licence: str = ""
    n_vocab: int = 0


@dataclass(frozen=True, kw_only=True)
class RemoteEntry(Entry):
    """An entry whose vocab `wordsplit.load_vocab` downloads from the hub on first use.

    Attributes:
        repo: The repository: ``owner/name``.
        revision: A commit, or a branch; with a branch and no ``files`` the entry is unpinned.
        files: The sha256 and size of each file, the vocab file first, if they are known; else empty.
        scheme: The name of the scheme of its pattern; empty if it has none.
        gated: Whether the hub requires a token and consent to the owner's terms.

    Example:
        >>> from wordsplit.vocabs import catalog
        >>> entry = catalog.find("deepseek-v3")
        >>> entry.repo, entry.pinned
        ('deepseek-ai/DeepSeek-V3', False)
    """

    repo: str
    revision: str = "main"
    files: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    scheme: str = ""
    gated: bool = False

    @property
    def pinned(self) -> bool:
        """Whether the content is fixed in advance."""
        return bool(self.files)


class _InTree:
    """The in-tree entries, as the source of a registry."""

    def names(self) -> list[str]:
        return [*_table(), *_remote_table()]

    def load(self, name: str) -> BundledEntry | RemoteEntry:
        return _entry(name, _table()[name]) if name in _table() else _remote_entry(name, _remote_table()[name])


@cache
def _table() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = json.loads(read_data("catalog.json"))
    return table


@cache
def _remote_table() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = json.loads(read_data("remote.json"))
    return table


def _remote_entry(name: str, row: Mapping[str, Any]) -> RemoteEntry:
    return RemoteEntry(
        name=name,
        description=row["description"],
        aliases=(row["repo"], *row.get("aliases", ())),
        repo=row["repo"],
        revision=row.get("revision", "main"),
        files={file: (pin["sha256"], pin["size"]) for file, pin in row.get("files", {}).items()},
        scheme=row.get("scheme", ""),
        gated=row.get("gated", False),
    )


def _entry(name: str, row: Mapping[str, Any]) -> BundledEntry:
    added = [AddedToken(content, i, special=special) for content, i, special in row["added_tokens"]]
    if reserved := row.get("reserved"):
        span = range(reserved["first"], reserved["last"] + 1)
        added += [AddedToken(reserved["content"].format(i), i) for i in span]
    steps = scheme_steps(row["scheme"])

    def load() -> Vocab:
        tokens, merges = unpack(read_data(row["file"]), row.get("holes", ()))
        return Vocab(
            name=name,
            tokens=tokens,
            merges=merges,
            pre_tokenizer=steps,
            added_tokens=added,
            source=f"bundled:{name}",
            merges_are_live=True,  # tools/build_bundled.py guarantees it, and a test checks it
            **row["vocab"],
        )

    return BundledEntry(
        name=name,
        load=load,
        description=row["description"],
        aliases=row["aliases"],
        prefixes=row.get("prefixes", ()),
        steps=steps,
        added_tokens=tuple(added),
        sources=row["sources"],
        scheme=row["scheme"],
        licence=row["licence"],
        n_vocab=row["n_vocab"],
    )


def _check(name: str, part: object) -> CatalogEntry | RemoteEntry:
    if isinstance(part, (CatalogEntry, RemoteEntry)):
        return part
    raise PluginError(f"catalog entry {name!r} must be a wordsplit.vocabs.catalog.CatalogEntry, not {part!r}")


_registry: Registry[CatalogEntry | RemoteEntry] = Registry(
    "vocab", group="wordsplit.catalog", in_tree=_InTree(), check=_check
)
names: Callable[[], list[str]] = _registry.names
unregister: Callable[[str], None] = _registry.unregister


def is_name(name: str) -> bool:
    """Return whether an entry has exactly this name."""
    return name in _registry


def register(entry: CatalogEntry) -> None:
    """Add an entry for this process.

    Raises:
        DuplicateNameError: The name is taken.
    """
    _registry.register(entry.name, entry)


def find(name: str) -> CatalogEntry | RemoteEntry:
    """Return the entry of a name or alias.

    Raises:
        UnknownNameError: There is no such entry; the message suggests the nearest names.
    """
    if is_name(name):
        return _registry.get(name)
    known = _registry.names()
    wanted = name.lower()
    entries = list(_entries(known))
    for entry in entries:
        if wanted == entry.name.lower() or wanted in (alias.lower() for alias in entry.aliases):
            return entry
    begun = [
        (prefix, entry)
        for entry in entries
        if isinstance(entry, BundledEntry)
        for prefix in entry.prefixes
        if wanted.startswith(prefix.lower())
    ]
    if begun:
        return max(begun, key=lambda item: len(item[0]))[1]
    raise UnknownNameError(f"no vocab named {quoted(name)}. {suggestion(name)}")


def suggestion(name: str) -> str:
    """Return a sentence that suggests the names and aliases closest to an unknown one, or lists the names."""
    return nearest(name, names_and_aliases(), listed=names())


def names_and_aliases() -> list[str]:
    """Return all names, then all aliases."""
    known = _registry.names()
    return [*known, *(alias for entry in _entries(known) for alias in entry.aliases)]


def find_bundled(name: str) -> BundledEntry | None:
    """Return the bundled entry with exactly this name, if there is one."""
    return _entry(name, _table()[name]) if name in _table() else None


def is_bundled(name: str) -> bool:
    """Return whether a vocab of this name ships inside the package."""
    return name in _table()


def _entries(known: Sequence[str]) -> Iterator[CatalogEntry | RemoteEntry]:
    for name in known:
        try:
            yield _registry.get(name)
        except PluginError:  # a broken plug-in must not hide the others; it raises when used by name
            continue
