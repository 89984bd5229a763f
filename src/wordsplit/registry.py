"""One registry for each kind of part: spanners, span encoders, loaders, catalog entries.

A name is looked for in three places, in this order:

1. what was passed to ``register()`` in this process;
2. the modules of the package that the registry belongs to: ``spanners/regex.py`` is the spanner
   ``regex``, and is imported when that name is first asked for. A new part is one new file;
3. the entry points of installed distributions (group ``wordsplit.spanners`` and so on), read when a
   name is not found in the first two, or when all names are listed.

A name has one owner: a second registration raises. A plug-in that fails to import is named in a
warning and left out; it never takes the others down with it.
"""

from __future__ import annotations

import importlib
import pkgutil
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Generic, Protocol, TypeVar

from wordsplit.errors import DuplicateNameError, PluginError, UnknownNameError

__all__ = ["InTree", "Modules", "Registry", "nearest", "quoted"]

T = TypeVar("T")

_MOST_SHOWN = 200


def nearest(name: str, known: Iterable[str]) -> str:
    """A sentence that offers the known names closest to ``name``, or lists them all."""
    import difflib  # noqa: PLC0415 - for a wrong name alone; it takes a twentieth of the import

    names = sorted(known)
    close = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    if close:
        return "Did you mean " + " or ".join(repr(c) for c in close) + "?"
    shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    return f"Known names: {shown}."


def quoted(name: str) -> str:
    """A name for a message, cut if it is too long to be one.

    Example:
        >>> quoted("qwen4"), len(quoted("a/" * 5000))
        ("'qwen4'", 203)
    """
    return repr(name if len(name) <= _MOST_SHOWN else f"{name[:_MOST_SHOWN]}…")


class InTree(Protocol):
    """Where a registry finds the parts that come with wordsplit."""

    def names(self) -> Collection[str]:
        """Their names."""

    def load(self, name: str) -> object:
        """One of them."""


class Modules:
    """The modules of a package, each holding one part under one module-level name.

    Args:
        package: The package. Its module ``base``, and those with a leading underscore, hold no part.
        but: Other modules that hold none.
        attribute: The name of the part in its module.
    """

    def __init__(self, package: str, *, but: Collection[str] = (), attribute: str = "plugin") -> None:
        self._package, self._attribute = package, attribute
        self._but = frozenset({"base", *but})

    def names(self) -> frozenset[str]:
        """The names of the modules."""
        path = importlib.import_module(self._package).__path__
        found = (module.name for module in pkgutil.iter_modules(path))
        return frozenset(name for name in found if name not in self._but and not name.startswith("_"))

    def load(self, name: str) -> object:
        """Import a module and give its part."""
        part: object = getattr(importlib.import_module(f"{self._package}.{name}"), self._attribute)
        return part


class Registry(Generic[T]):
    """Names of one kind of part, found lazily.

    Args:
        kind: What an entry is, in messages: ``"spanner"``.
        group: The entry-point group for installed plug-ins.
        in_tree: Where the parts that come with wordsplit are.
        check: Called with (name, part) before an entry is taken in; raises ``PluginError`` if the
            part does not keep the contract.
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
            ``part``, so that the call can stand as the last line of a module.

        Raises:
            DuplicateNameError: The name is taken, in the tree, by a plug-in, or by an earlier call.
            PluginError: The part does not keep the contract of its kind.
        """
        with self._lock:
            if name in self._parts or name in self._aliases or name in self._in_tree_names():
                raise DuplicateNameError(f"{self.kind} {name!r} is already registered; choose another name")
            if name in self._installed():
                raise DuplicateNameError(f"{self.kind} {name!r} is already taken by an installed plug-in")
            self._parts[name] = self._check(name, part)
        return part

    def unregister(self, name: str) -> None:
        """Take back what ``register()`` added. In-tree and installed names come back when asked for."""
        with self._lock:
            if self._parts.pop(name, None) is None:
                raise UnknownNameError(f"{self.kind} {name!r} was not registered in this process")

    def get(self, name: str) -> T:
        """The part of that name, imported if need be.

        Raises:
            UnknownNameError: No such name; the message offers the nearest ones.
            PluginError: The part exists and cannot be loaded.
        """
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

    def canonical(self, name: str) -> str:
        """The name that an alias stands for; any other name as it is."""
        return self._aliases.get(name, name)

    def __contains__(self, name: str) -> bool:
        """Whether `names` has it. Installed plug-ins, which take 20 ms to list, are asked last."""
        with self._lock:
            return name in self._parts or name in self._in_tree_names() or name in self._installed()

    def names(self) -> list[str]:
        """Every name that ``get`` answers to, sorted, aliases left out."""
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
