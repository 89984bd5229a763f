"""Registries: one for each kind of part (spanners, span encoders, loaders, catalog entries).

A name is looked up in three places, in this order:

1. the parts passed to ``register()`` in this process;
2. the modules of the registry's package: ``spanners/regex.py`` is the spanner ``regex``, and is imported on first
   use. To add a part, add one file;
3. the entry points of installed distributions (group ``wordsplit.spanners`` and so on), read when a
   name is not found in the first two, or when all names are listed.

A second registration of a name raises an error. A plug-in that cannot be imported causes a warning with its name and is
omitted; the others still work.
"""

from __future__ import annotations

import importlib
import pkgutil
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Generic, Protocol, TypeVar

from wordsplit.errors import DuplicateNameError, InputTypeError, PluginError, UnknownNameError

__all__ = ["InTree", "Modules", "Registry", "nearest", "quoted"]

T = TypeVar("T")

_MOST_SHOWN = 200


def nearest(name: str, known: Iterable[str], listed: Iterable[str] | None = None) -> str:
    """Return a sentence that suggests the known names closest to ``name``, or else lists these, or ``listed``."""
    import difflib  # noqa: PLC0415 - only for unknown names; it takes 5% of the import time

    names = sorted(known)
    close = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    if close:
        return "Did you mean " + " or ".join(repr(c) for c in close) + "?"
    names = names if listed is None else sorted(listed)
    shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    return f"Known names: {shown}."


def quoted(name: str) -> str:
    """Return a name for a message, cut if it is very long.

    Example:
        >>> quoted("qwen4"), len(quoted("a/" * 5000))
        ("'qwen4'", 203)
    """
    return repr(name if len(name) <= _MOST_SHOWN else f"{name[:_MOST_SHOWN]}…")


class InTree(Protocol):
    """The source of the parts that come with wordsplit."""

    def names(self) -> Collection[str]:
        """Return the names of the parts."""

    def load(self, name: str) -> object:
        """Return a part by name."""


class Modules:
    """The modules of a package, each of which holds one part under the same module-level name.

    Args:
        package: The package. Its module ``base``, and modules with a leading underscore, are not parts.
        but: Other modules that are not parts.
        attribute: The name of the part in its module.
    """

    def __init__(self, package: str, *, but: Collection[str] = (), attribute: str = "plugin") -> None:
        self._package, self._attribute = package, attribute
        self._but = frozenset({"base", *but})

    def names(self) -> frozenset[str]:
        """Return the names of the modules."""
        path = importlib.import_module(self._package).__path__
        found = (module.name for module in pkgutil.iter_modules(path))
        return frozenset(name for name in found if name not in self._but and not name.startswith("_"))

    def load(self, name: str) -> object:
        """Import a module and return its part."""
        part: object = getattr(importlib.import_module(f"{self._package}.{name}"), self._attribute)
        return part


class Registry(Generic[T]):
    """Names of one kind of part, found lazily.

    Args:
        kind: What an entry is, in messages: ``"spanner"``.
        group: The entry-point group for installed plug-ins.
        in_tree: The parts that come with wordsplit.
        check: Called with (name, part) before a part is added; raises ``PluginError`` if the part violates
            the contract.
        aliases: Other names of in-tree entries.
    """

    def __init__(
        self,
        kind: str,
        *,
        group: str,
        in_tree: InTree,
        check: Callable[[str, object], T],
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.kind = kind
        self.group = group
        self._source = in_tree
        self._check = check
        self._aliases = dict(aliases or {})
        self._parts: dict[str, T] = {}
        self._lock = threading.RLock()
        self._in_tree: frozenset[str] | None = None
        self._entry_points: dict[str, object] | None = None

    def register(self, name: str, part: T) -> T:
        """Add ``part`` under ``name`` for this process.

        Returns:
            ``part``, so that the call can be the last line of a module.

        Raises:
            DuplicateNameError: The name is taken by wordsplit, by a plug-in, or by an earlier call.
            PluginError: The part violates the contract of its kind.
            InputTypeError: The name is not a string, or is empty.
        """
        self._require_name(name)
        if not name:
            raise InputTypeError(f"the name of a {self.kind} is empty")
        with self._lock:
            if name in self._parts or name in self._aliases or name in self._in_tree_names():
                raise DuplicateNameError(f"{self.kind} {name!r} is already registered; choose another name")
            if name in self._installed():
                raise DuplicateNameError(f"{self.kind} {name!r} is already taken by an installed plug-in")
            self._parts[name] = self._check(name, part)
        return part

    def unregister(self, name: str) -> None:
        """Remove a part that ``register()`` added. In-tree or installed parts of the same name are found again."""
        with self._lock:
            if self._parts.pop(name, None) is None:
                raise UnknownNameError(f"{self.kind} {name!r} was not registered in this process")

    def get(self, name: str) -> T:
        """Return the part with this name. Import it if necessary.

        Raises:
            UnknownNameError: No part has this name; the message suggests the nearest names.
            PluginError: The part exists but cannot be loaded.
            InputTypeError: The name is not a string.
        """
        self._require_name(name)
        name = self.canonical(name)
        with self._lock:
            if name in self._parts:
                return self._parts[name]
            if name in self._in_tree_names():
                part = self._source.load(name)
            elif name in self._installed():
                part = self._load(name)
            else:
                raise UnknownNameError(f"no {self.kind} named {quoted(name)}. {nearest(name, self.names())}")
            self._parts[name] = self._check(name, part)
            return self._parts[name]

    def _require_name(self, name: object) -> None:
        if not isinstance(name, str):
            raise InputTypeError(f"the name of a {self.kind} is a str, not {type(name).__name__}")

    def canonical(self, name: str) -> str:
        """Return the name that an alias refers to, or the name itself if it is not an alias."""
        return self._aliases.get(name, name)

    def __contains__(self, name: str) -> bool:
        """Return whether the name is known. Installed plug-ins, which take 20 ms to list, are checked last."""
        with self._lock:
            return name in self._parts or name in self._in_tree_names() or name in self._installed()

    def names(self) -> list[str]:
        """Return all names in order, without aliases."""
        with self._lock:
            return sorted({*self._parts, *self._in_tree_names(), *self._installed()})

    def _in_tree_names(self) -> frozenset[str]:
        if self._in_tree is None:
            self._in_tree = frozenset(self._source.names())
        return self._in_tree

    def _installed(self) -> dict[str, object]:
        if self._entry_points is None:
            from importlib.metadata import entry_points  # noqa: PLC0415 - 8 ms that most programs never need

            found: dict[str, object] = {}
            for point in entry_points(group=self.group):
                taken = point.name in found or point.name in self._in_tree_names()
                if taken or point.name in self._aliases:
                    warnings.warn(
                        f"{self.kind} plug-in {point.name!r} ({point.value}) is left out: the name is taken",
                        RuntimeWarning,
                        stacklevel=3,
                    )
                    continue
                found[point.name] = point
            self._entry_points = found
        return self._entry_points

    def _load(self, name: str) -> object:
        point = self._installed()[name]
        try:
            return point.load()  # type: ignore[attr-defined]  # EntryPoint, typed object to keep the import lazy
        except Exception as error:
            value = getattr(point, "value", "?")
            raise PluginError(
                f"{self.kind} plug-in {name!r} ({value}) cannot be loaded: {type(error).__name__}: {error}"
            ) from error
