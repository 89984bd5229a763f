"""Spanners: where spans end. One file a spanner; see `wordsplit.spanners.base` for the contract."""

from __future__ import annotations

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
register, unregister, get, names = _registry.register, _registry.unregister, _registry.get, _registry.names
