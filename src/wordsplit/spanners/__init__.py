"""Spanners: where spans end. One file a spanner; see `wordsplit.spanners.base` for the contract."""

from __future__ import annotations

from collections.abc import Callable

from wordsplit.errors import PluginError
from wordsplit.registry import Modules, Registry
from wordsplit.spanners._scheme import SchemeSpanner, require_native, scheme_of
from wordsplit.spanners.base import Spanner, TextSpanner

__all__ = [
    "SchemeSpanner",
    "Spanner",
    "TextSpanner",
    "get",
    "names",
    "register",
    "require_native",
    "scheme_of",
    "unregister",
]


def _check(name: str, part: object) -> type[Spanner]:
    if isinstance(part, type) and issubclass(part, Spanner):
        return part
    raise PluginError(f"spanner {name!r} must be a subclass of wordsplit.spanners.Spanner, not {part!r}")


_registry: Registry[type[Spanner]] = Registry(
    "spanner", group="wordsplit.spanners", in_tree=Modules(__name__), check=_check
)
register: Callable[[str, type[Spanner]], type[Spanner]] = _registry.register
unregister: Callable[[str], None] = _registry.unregister
get: Callable[[str], type[Spanner]] = _registry.get
names: Callable[[], list[str]] = _registry.names
