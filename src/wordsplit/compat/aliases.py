"""Import the stand-ins under the names of the originals, here and in child processes.

A finder at the head of ``sys.meta_path`` answers for the names. Child processes learn of them from two environment
variables: ``WORDSPLIT_COMPAT`` lists them, and ``PYTHONPATH`` leads to a ``sitecustomize`` module, which Python imports
when it starts. Nothing is written to disk.
"""

from __future__ import annotations

import importlib.util
import os
import pkgutil
import sys
from collections.abc import Iterable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from wordsplit.compat.errors import AlreadyImportedError
from wordsplit.errors import UnknownNameError
from wordsplit.registry import nearest, quoted

if TYPE_CHECKING:
    from importlib.metadata import Distribution, DistributionFinder

__all__ = ["chosen", "install", "install_in_child", "installed", "pass_to_children", "summary", "uninstall"]

_PACKAGE = __name__.rpartition(".")[0]
_HERE = Path(__file__).parent
_STARTUP = str(_HERE / "startup")
_NAMES, _PATH = "WORDSPLIT_COMPAT", "PYTHONPATH"


class _Loader(Loader):
    """A loader that returns the module of a stand-in instead of a new one."""

    def __init__(self, module: str) -> None:
        self._module = module

    def exec_module(self, module: ModuleType) -> None:
        """Put the stand-in where the import system looks for the loaded module."""
        sys.modules[module.__name__] = importlib.import_module(self._module)


class _Finder(MetaPathFinder):
    """A finder of the modules of stand-ins, and their versions, under the names of the originals."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module; see `importlib.abc.MetaPathFinder`."""
        del path, target
        if fullname.partition(".")[0] not in self.names:
            return None
        found = importlib.util.find_spec(f"{_PACKAGE}.{fullname}")
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        spec = ModuleSpec(fullname, _Loader(found.name), origin=found.origin, is_package=is_package)
        if is_package:
            spec.submodule_search_locations = found.submodule_search_locations
        return spec

    def find_distributions(self, context: DistributionFinder.Context | None = None) -> Iterable[Distribution]:
        """Return the metadata of the stand-ins for `importlib.metadata`: the release that each implements."""
        from wordsplit.compat.distribution import StandIn  # noqa: PLC0415 - importlib.metadata takes 20 ms

        wanted = None if context is None else context.name
        return [
            StandIn(name, importlib.import_module(f"{_PACKAGE}.{name}").__version__, _HERE)
            for name in self.names
            if wanted is None or wanted.lower() == name
        ]


_finder = _Finder()


def install(*names: str, children: bool = True) -> None:
    """Let ``import tiktoken`` and ``import tokenizers`` return the stand-ins, also within other libraries.

    For libraries that import them themselves. Call it before anything imports the originals. They need not be
    installed. `importlib.metadata.version` returns the releases that the stand-ins implement. A line is printed on
    stderr.

    Args:
        *names: ``"tiktoken"``, ``"tokenizers"``; without any, both.
        children: Whether to do the same in Python processes that this one starts.

    Raises:
        AlreadyImportedError: An original has already been imported, and its importers would keep it.
        UnknownNameError: There is no such stand-in.

    Example:
        >>> import wordsplit.compat
        >>> wordsplit.compat.install("tiktoken")  # doctest: +SKIP
        wordsplit.compat: imports of tiktoken give wordsplit.compat.tiktoken, also in child processes
    """
    found = chosen(names)
    _install(found)
    if children:
        pass_to_children(installed())
    print(summary(found, children=children), file=sys.stderr)  # noqa: T201 - says that it happens


def uninstall() -> None:
    """Undo `install`: later imports return the originals again. Modules that have imported a stand-in keep it."""
    for name in list(sys.modules):
        if name.partition(".")[0] in _finder.names:
            del sys.modules[name]
    _finder.names = ()
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
    os.environ.pop(_NAMES, None)
    entries = os.environ.get(_PATH, "").split(os.pathsep)
    if _STARTUP in entries:
        entries.remove(_STARTUP)
        os.environ[_PATH] = os.pathsep.join(entries)
        if not entries:
            del os.environ[_PATH]


def installed() -> tuple[str, ...]:
    """Return the names under which stand-ins are installed.

    Example:
        >>> import wordsplit.compat
        >>> wordsplit.compat.installed()
        ()
    """
    return _finder.names


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of stand-ins, checked; all of them if none is given.

    Raises:
        UnknownNameError: There is no such stand-in.
    """
    known = [module.name for module in pkgutil.iter_modules([str(_HERE)]) if module.ispkg]
    for name in names:
        if name not in known:
            raise UnknownNameError(f"no stand-in for {quoted(str(name))}. {nearest(str(name), known)}")
    return tuple(dict.fromkeys(names)) or tuple(known)


def pass_to_children(names: Iterable[str]) -> None:
    """Set the environment variables by which child processes install stand-ins."""
    os.environ[_NAMES] = ",".join(names)
    path = os.environ.get(_PATH)
    if not path:
        os.environ[_PATH] = _STARTUP
    elif _STARTUP not in path.split(os.pathsep):
        os.environ[_PATH] = _STARTUP + os.pathsep + path


def install_in_child() -> None:
    """Install what the environment of a child process names. Only ``startup/sitecustomize.py`` calls it."""
    names = os.environ.get(_NAMES)
    if names:
        _install(chosen(names.split(",")))


def summary(names: Sequence[str], *, children: bool) -> str:
    """Return the line that says what happens."""
    modules = " and ".join(f"{_PACKAGE}.{name}" for name in names)
    also = ", also in child processes" if children else ""
    return f"{_PACKAGE}: imports of {' and '.join(names)} give {modules}{also}"


def _install(names: Sequence[str]) -> None:
    for name in names:
        if name not in _finder.names and name in sys.modules:
            raise AlreadyImportedError(
                f"{name} is imported already ({getattr(sys.modules[name], '__file__', None)}), and what has imported "
                f"it would keep it: call {_PACKAGE}.install({name!r}) before, or run the program by "
                f"python -m {_PACKAGE}"
            )
    _finder.names = tuple(dict.fromkeys((*_finder.names, *names)))
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
