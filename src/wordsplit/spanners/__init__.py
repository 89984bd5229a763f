"""Spanners, which find the ends of spans. `wordsplit.spanners.base` has the contract.

A spanner is a module of this package, or a row of the table of scanners (`wordsplit.spanners.scanners`).
"""

from __future__ import annotations

from collections.abc import Callable

from wordsplit.errors import PluginError
from wordsplit.patterns.components import splits_by_character
from wordsplit.registry import Modules, Registry
from wordsplit.spanners.base import Spanner, TextSpanner
from wordsplit.spanners.scanners import SCANNERS, SchemeSpanner, require_native, scanner_of
from wordsplit.vocab import Vocab

__all__ = [
    "OF_PATTERN",
    "SchemeSpanner",
    "Spanner",
    "TextSpanner",
    "fastest_for",
    "get",
    "names",
    "register",
    "require_native",
    "scanner_of",
    "unregister",
]


OF_PATTERN = ("regex", "compiled")
"""The spanners for any pattern, which give the same spans."""


def fastest_for(vocab: Vocab) -> str:
    """Return the fastest spanner for a vocab: its scanner, else its compiled patterns, if there are any."""
    if scanner := scanner_of(vocab):
        return scanner
    if splits_by_character(vocab.pre_tokenizer):  # whose automata few texts need
        return "compiled"
    from wordsplit.spanners.compiled import can_compile  # noqa: PLC0415 - few vocabs need the compiler

    return "compiled" if can_compile(vocab) else "regex"


class _InTree(Modules):
    def names(self) -> frozenset[str]:
        return super().names() | SCANNERS.keys()

    def load(self, name: str) -> object:
        return SCANNERS[name] if name in SCANNERS else super().load(name)


def _check(name: str, part: object) -> type[Spanner]:
    if isinstance(part, type) and issubclass(part, Spanner):
        return part
    raise PluginError(f"spanner {name!r} must be a subclass of wordsplit.spanners.Spanner, not {part!r}")


_registry: Registry[type[Spanner]] = Registry(
    "spanner", group="wordsplit.spanners", in_tree=_InTree(__name__, but=["scanners", "steps"]), check=_check
)
register: Callable[[str, type[Spanner]], type[Spanner]] = _registry.register
unregister: Callable[[str], None] = _registry.unregister
get: Callable[[str], type[Spanner]] = _registry.get
names: Callable[[], list[str]] = _registry.names
