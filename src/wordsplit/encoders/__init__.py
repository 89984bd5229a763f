"""Span encoders, which turn the bytes of a span into ids, one file per strategy. See `wordsplit.encoders.base`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wordsplit.encoders.base import SpanEncoder
from wordsplit.errors import PluginError
from wordsplit.model import ByteLevelBPE, CharacterBPE, Model, Unigram, WordLevel, WordPiece
from wordsplit.registry import Modules, Registry

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = [
    "SpanEncoder",
    "canonical",
    "get",
    "names",
    "names_for",
    "native_names",
    "only_for",
    "register",
    "unregister",
]

_ONLY = {CharacterBPE: "character_merge", Unigram: "viterbi", WordPiece: "longest_match", WordLevel: "whole_span"}


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


def names_for(vocab: Vocab) -> list[str]:
    """Return the names of the encoders for a vocab's model, in order.

    Those that merge pairs of bytes natively also merge characters, which the native core makes of bytes.

    Example:
        >>> import wordsplit
        >>> names_for(wordsplit.load_vocab("qwen3"))
        ['backtracking', 'buffer_sweep', 'heap_merge', 'priority_merge', 'tail_sweep']
    """
    merges = isinstance(vocab.model, CharacterBPE) and vocab.has_native_model
    types = {type(vocab.model), ByteLevelBPE} if merges else {type(vocab.model)}
    return [name for name in names() if not types.isdisjoint(get(name).models)]


def native_names() -> frozenset[str]:
    """Return the names of the native encoders, which plug-ins cannot use; none without the native core."""
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return frozenset()
    return frozenset(_native.encoder_names())


def only_for(model: Model) -> str | None:
    """Return the name of the encoder of a model that has only one in Python; ``None`` for byte-level BPE."""
    return _ONLY.get(type(model))
