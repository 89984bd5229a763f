"""The registry of vocab loaders. Each module or package here is one format, with a loader and a writer.

`wordsplit.vocabs.formats.base` has the contract.
"""

from __future__ import annotations

from collections.abc import Callable

from wordsplit.errors import PluginError
from wordsplit.registry import Modules, Registry
from wordsplit.vocabs.formats.base import Loader

__all__ = ["get", "is_in_tree", "names", "register", "unregister"]


def _check(name: str, part: object) -> type[Loader]:
    if isinstance(part, type) and issubclass(part, Loader):
        return part
    raise PluginError(f"loader {name!r} must be a subclass of wordsplit.vocabs.Loader, not {part!r}")


_in_tree = Modules(__name__)
_registry: Registry[type[Loader]] = Registry("loader", group="wordsplit.loaders", in_tree=_in_tree, check=_check)
register: Callable[[str, type[Loader]], type[Loader]] = _registry.register
unregister: Callable[[str], None] = _registry.unregister
get: Callable[[str], type[Loader]] = _registry.get
names: Callable[[], list[str]] = _registry.names


def is_in_tree(name: str) -> bool:
    """Return whether the loader of this name comes with wordsplit."""
    return name in _in_tree.names()
