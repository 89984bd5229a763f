"""The catalog: what a vocab's name or alias means.

In-tree entries are data: ``data/catalog.json``. Others come from ``register()`` or the entry-point group
``wordsplit.catalog``, whose entry points name a `CatalogEntry`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from wordsplit.errors import PluginError, UnknownNameError
from wordsplit.registry import Registry, nearest
from wordsplit.vocab import AddedToken, Split, Vocab
from wordsplit.vocabs.bundled import read_data, unpack
from wordsplit.vocabs.schemes import scheme_steps

__all__ = ["BundledEntry", "CatalogEntry", "find", "find_bundled", "names", "register", "unregister"]


@dataclass(frozen=True, kw_only=True)
class CatalogEntry:
    """A vocab that can be had by name.

    Attributes:
        name: Its name.
        description: What it is, in a few words.
        aliases: Other names; letter case does not matter.
        load: Makes the vocab.

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

    name: str
    load: Callable[[], Vocab]
    description: str = ""
    aliases: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class BundledEntry(CatalogEntry):
    """An entry whose vocab ships inside the package.

    Attributes:
        steps: The pre-tokenizer.
        added_tokens: The added tokens.
        prefixes: Beginnings of further aliases: ``gpt-4o-`` stands for every name that begins so.
        sources: The official files it was made from: name, sha256, size in bytes, where it is published.
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


class _Bundled:
    """The in-tree entries, as a registry asks for them."""

    def names(self) -> list[str]:
        return list(_table())

    def load(self, name: str) -> BundledEntry:
        return _entry(name, _table()[name])


@cache
def _table() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = json.loads(read_data("catalog.json"))
    return table


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
            merges_are_live=True,  # tools/build_bundled.py makes them so, and a test holds them to it
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


def _check(name: str, part: object) -> CatalogEntry:
    if isinstance(part, CatalogEntry):
        return part
    raise PluginError(f"catalog entry {name!r} must be a wordsplit.vocabs.catalog.CatalogEntry, not {part!r}")


_registry: Registry[CatalogEntry] = Registry("vocab", group="wordsplit.catalog", in_tree=_Bundled(), check=_check)
names, unregister = _registry.names, _registry.unregister


def register(entry: CatalogEntry) -> None:
    """Add an entry for this process.

    Raises:
        DuplicateNameError: The name is taken.
    """
    _registry.register(entry.name, entry)


def find(name: str) -> CatalogEntry:
    """The entry of a name or alias.

    Raises:
        UnknownNameError: There is none; the message offers the nearest names.
    """
    known = _registry.names()
    if name in known:
        return _registry.get(name)
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
    every = [*known, *(alias for entry in entries for alias in entry.aliases)]
    raise UnknownNameError(f"no vocab named {name!r}. {nearest(name, every)}")


def find_bundled(name: str) -> BundledEntry | None:
    """The bundled entry of exactly this name, if there is one."""
    return _entry(name, _table()[name]) if name in _table() else None


def _entries(known: Sequence[str]) -> Iterator[CatalogEntry]:
    for name in known:
        try:
            yield _registry.get(name)
        except PluginError:  # a broken plug-in must not hide the others; asked for by name, it raises
            continue
