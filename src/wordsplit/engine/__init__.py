"""Engines: build the engine for a vocab and options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from wordsplit import encoders, spanners
from wordsplit.engine.base import Engine, Piece
from wordsplit.engine.pieces import can_preprocess_natively
from wordsplit.options import EngineOptions

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["Engine", "Piece", "build_engine", "resolve_options"]

AnyOptions = TypeVar("AnyOptions", bound=EngineOptions)


def build_engine(vocab: Vocab, options: EngineOptions) -> Engine:
    """Build the engine for a vocab and options without ``"auto"`` (see `resolve_options`).

    Raises:
        UnknownNameError: A spanner or encoder does not exist.
        UnsupportedVocabError: The vocab does not meet the preconditions of one of them.
    """
    spanner_type = spanners.get(options.spanner)
    encoder_type, long_type = encoders.get(options.encoder), encoders.get(options.long_encoder)
    encoder_type.require_model(options.encoder, vocab)
    long_type.require_model(options.long_encoder, vocab)
    spanner = spanner_type(vocab)
    if options.engine == "native" and {options.encoder, options.long_encoder} <= encoders.native_names():
        from wordsplit.engine.native import NativeEncoding, NativeEngine  # noqa: PLC0415 - pure-Python builds lack it

        if isinstance(spanner, spanners.SchemeSpanner) and can_preprocess_natively(vocab):
            return NativeEngine(vocab, options, spanner.scheme)
        return NativeEncoding(vocab, options, spanner)
    from wordsplit.engine.python import PythonEngine  # noqa: PLC0415 - the Unicode tables it needs take 10 ms

    encoder = encoder_type(vocab)
    long_encoder = encoder if long_type is encoder_type else long_type(vocab)
    return PythonEngine(vocab, options, spanner, encoder, long_encoder)


def resolve_options(vocab: Vocab, options: AnyOptions) -> AnyOptions:
    """Return the options with every ``"auto"`` and alias resolved."""
    native = options.engine == "native"
    if native:
        spanners.require_native()
    auto = options.encoder == "auto"
    fastest = "priority_merge" if native else "buffer_sweep"
    encoder = fastest if auto else encoders.canonical(options.encoder)
    long_encoder = encoders.canonical(options.long_encoder)
    if long_encoder == "auto":
        long_encoder = encoder
        if auto:
            long_encoder = "backtracking" if native and vocab.native_tables.supports_backtracking else "heap_merge"
    spanner = options.spanner
    if spanner == "auto":
        spanner = (spanners.scanner_of(vocab) if native else None) or "regex"
    return replace(options, encoder=encoder, long_encoder=long_encoder, spanner=spanner)
