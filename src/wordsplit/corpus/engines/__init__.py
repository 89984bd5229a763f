"""Engines that run the units of a plan: this machine, or an existing cluster.

An engine schedules units and repeats those that fail. It does not decide whether a unit is done: it is done when its
record is in the output folder. An engine is a module of this package; `register` adds one to a program, and the
entry-point group ``wordsplit.corpus_engines`` one to an installation. `wordsplit.corpus.engines.base` has the contract.

Example:
    >>> from wordsplit.corpus import engines
    >>> engines.names()
    ['local', 'ray', 'spark']
"""

from __future__ import annotations

from collections.abc import Callable

from wordsplit.corpus.engines.base import CorpusEngine, Run
from wordsplit.errors import PluginError
from wordsplit.registry import Modules, Registry

__all__ = ["CorpusEngine", "Run", "get", "names", "register", "unregister"]


def _check(name: str, part: object) -> CorpusEngine:
    if isinstance(part, CorpusEngine):
        return part
    raise PluginError(
        f"corpus engine {name!r} must be an instance of wordsplit.corpus.engines.CorpusEngine, not {part!r}"
    )


_registry: Registry[CorpusEngine] = Registry(
    "corpus engine", group="wordsplit.corpus_engines", in_tree=Modules(__name__), check=_check
)
register: Callable[[str, CorpusEngine], CorpusEngine] = _registry.register
unregister: Callable[[str], None] = _registry.unregister
get: Callable[[str], CorpusEngine] = _registry.get
names: Callable[[], list[str]] = _registry.names
