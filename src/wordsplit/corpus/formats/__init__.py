"""Formats of the shards of a tokenized corpus. `wordsplit.corpus.formats.base` has the contract.

A format is a module of this package. To add one to a program, call `register`; to add one for every program, name its
`ShardFormat` object in the entry-point group ``wordsplit.corpus_formats`` of an installed package.

Example:
    >>> from wordsplit.corpus import formats
    >>> formats.names()
    ['megatron', 'parquet', 'raw']
    >>> formats.get("megatron").dtype_for(151_668)
    'int32'
"""

from __future__ import annotations

from collections.abc import Callable

from wordsplit.corpus.formats.base import Layout, Shard, ShardFormat, ShardWriter
from wordsplit.errors import PluginError
from wordsplit.registry import Modules, Registry

__all__ = ["Layout", "Shard", "ShardFormat", "ShardWriter", "get", "names", "register", "unregister"]


def _check(name: str, part: object) -> ShardFormat:
    if isinstance(part, ShardFormat):
        return part
    raise PluginError(
        f"corpus format {name!r} must be an instance of wordsplit.corpus.formats.ShardFormat, not {part!r}"
    )


_registry: Registry[ShardFormat] = Registry(
    "corpus format",
    group="wordsplit.corpus_formats",
    in_tree=Modules(__name__, but=["arrow", "ids", "keys", "output"]),
    check=_check,
)
register: Callable[[str, ShardFormat], ShardFormat] = _registry.register
unregister: Callable[[str], None] = _registry.unregister
get: Callable[[str], ShardFormat] = _registry.get
names: Callable[[], list[str]] = _registry.names
