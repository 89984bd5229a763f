"""Span encoders, which turn the bytes of a span into ids, one file per strategy. See `wordsplit.encoders.base`."""

from __future__ import annotations

from collections.abc import Callable

from wordsplit.encoders.base import SpanEncoder
from wordsplit.errors import PluginError
from wordsplit.registry import Modules, Registry

__all__ = ["SpanEncoder", "canonical", "get", "names", "native_names", "register", "unregister"]


def _check(name: str, part: object) -> type[SpanEncoder]:
    if isinstance(part, type) and issubclass(part, SpanEncoder):
        return part
    raise PluginError(f"encoder {name!r} must be a subclass of wordsplit.encoders.SpanEncoder, not {part!r}")


_registry: Registry[type[SpanEncoder]] = Registry(
    "encoder",
    group="wordsplit.encoders",
    in_tree=Modules(__name__),
    check=_check,
    aliases={"reference": "buffer_sweep"},
)
register: Callable[[str, type[SpanEncoder]], type[SpanEncoder]] = _registry.register
unregister: Callable[[str], None] = _registry.unregister
get: Callable[[str], type[SpanEncoder]] = _registry.get
names: Callable[[], list[str]] = _registry.names
canonical: Callable[[str], str] = _registry.canonical


def native_names() -> frozenset[str]:
    """Return the names of the native encoders, which plug-ins cannot use; none without the native core."""
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return frozenset()
    return frozenset(_native.encoder_names())
