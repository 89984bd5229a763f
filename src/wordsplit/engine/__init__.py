"""Engines: build the engine for a vocab and options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from wordsplit import encoders, spanners
from wordsplit.engine.base import Engine, Piece
from wordsplit.engine.core_rules import CoreRules, rules_before_marks, rules_in_steps, rules_in_tables
from wordsplit.engine.in_core import can_mark_spaces_natively, can_preprocess_natively
from wordsplit.engine.simd import simd_level
from wordsplit.model import ByteLevelBPE, CharacterBPE
from wordsplit.options import EngineOptions
from wordsplit.patterns.components import splits_by_character
from wordsplit.rules import rewriting_steps

if TYPE_CHECKING:
    from wordsplit.spanners import Spanner
    from wordsplit.vocab import Vocab

__all__ = ["Engine", "Piece", "build_engine", "build_in_python", "resolve_options"]

AnyOptions = TypeVar("AnyOptions", bound=EngineOptions)


def build_engine(vocab: Vocab, options: EngineOptions) -> Engine:
    """Build the engine for a vocab and options without ``"auto"`` (see `resolve_options`).

    Raises:
        UnknownNameError: A spanner or encoder does not exist.
        UnsupportedVocabError: The vocab does not meet the preconditions of one of them.
    """
    if options.missing_bytes == "error" and vocab.missing_bytes is not None:
        vocab = vocab.replace(missing_bytes=None)
    encoder_type, long_type = encoders.get(options.encoder), encoders.get(options.long_encoder)
    native = (
        options.engine == "native"
        and {options.encoder, options.long_encoder} <= encoders.native_names()
        and _runs_in_core(vocab)
    )
    if not (native and isinstance(vocab.model, CharacterBPE)):
        encoder_type.require_model(options.encoder, vocab)
        long_type.require_model(options.long_encoder, vocab)
    spanner_of = cache(lambda: spanners.get(options.spanner)(vocab))
    if options.spanner not in spanners.OF_PATTERN or not splits_by_character(vocab.pre_tokenizer):
        spanner_of()  # raises an error if there is one; what the others need takes 30 ms
    if native:
        return _build_native(vocab, options, spanner_of)
    from wordsplit.engine.python import PythonEngine  # noqa: PLC0415 - the Unicode tables it needs take 10 ms

    encoder = encoder_type(vocab)
    long_encoder = encoder if long_type is encoder_type else long_type(vocab)
    return PythonEngine(vocab, options, spanner_of(), encoder, long_encoder)


def _build_native(vocab: Vocab, options: EngineOptions, spanner_of: Callable[[], Spanner]) -> Engine:
    """Build the engine that has the most of the work done by the core."""
    # Pure-Python builds lack it.
    from wordsplit.engine.native import NativeEncoding, NativeEngine, NativeWordEngine  # noqa: PLC0415

    if can_preprocess_natively(vocab) and (finder := spanner_of().finder(simd_level())):
        return NativeEngine(vocab, options, CoreRules(finder=finder))
    if can_mark_spaces_natively(vocab):
        return _build_marking(vocab, options)

    def others() -> Engine:
        if vocab.model.ends_words:
            return build_in_python(vocab, options)
        return NativeEncoding(vocab, options, spanner_of(), CoreRules())

    if options.spanner in spanners.OF_PATTERN and (rules := rules_in_tables(vocab)):
        return NativeWordEngine(vocab, options, rules, others)
    if options.spanner in spanners.OF_PATTERN or isinstance(vocab.model, ByteLevelBPE):
        rules = rules_in_steps(vocab, spanner_of, rewrites=_may_rewrite(vocab, options.spanner))
        if rules is not None:
            return NativeWordEngine(vocab, options, rules, others)
    return others()


def _may_rewrite(vocab: Vocab, spanner: str) -> bool:
    """Return whether the steps of a vocab may replace a spanner, if the core builds a separate text."""
    if not isinstance(vocab.model, ByteLevelBPE):
        return True
    return bool(rewriting_steps(vocab.pre_tokenizer)) and spanner in ("compiled", spanners.fastest_for(vocab))


def _build_marking(vocab: Vocab, options: EngineOptions) -> Engine:
    """Build the engine for a vocab that spells spaces otherwise, alone or after other steps."""
    from wordsplit.engine.native import NativeEngine, NativeWordEngine  # noqa: PLC0415 - as above

    if vocab.space_mark is None or not vocab.space_mark.before:
        return NativeEngine(vocab, options, CoreRules())
    others = partial(build_in_python, vocab, options)
    rules = rules_before_marks(vocab)
    return others() if rules is None else NativeWordEngine(vocab, options, rules, others)


def build_in_python(vocab: Vocab, options: EngineOptions) -> Engine:
    """Build the engine of the same options that does not use the core."""
    plain = replace(options, engine="python", encoder="auto", long_encoder="auto")
    return build_engine(vocab, resolve_options(vocab, plain))


def resolve_options(vocab: Vocab, options: AnyOptions) -> AnyOptions:
    """Return the options with every ``"auto"`` and alias resolved."""
    native = options.engine == "native"
    if native:
        spanners.require_native()
    auto = options.encoder == "auto"
    in_core = native and _runs_in_core(vocab)
    fastest = "priority_merge" if in_core else "buffer_sweep"
    merged = in_core and isinstance(vocab.model, CharacterBPE)
    if not merged:
        fastest = encoders.only_for(vocab.model) or fastest
    encoder = fastest if auto else encoders.canonical(options.encoder)
    long_encoder = encoders.canonical(options.long_encoder)
    if long_encoder == "auto":
        long_encoder = encoder
        if auto and merged:
            long_encoder = "heap_merge"
        elif auto and isinstance(vocab.model, ByteLevelBPE):
            long_encoder = "backtracking" if in_core and vocab.native_tables.supports_backtracking else "heap_merge"
    spanner = options.spanner
    if spanner == "auto":
        spanner = (spanners.fastest_for(vocab) if native else None) or "regex"
    return replace(options, encoder=encoder, long_encoder=long_encoder, spanner=spanner)


def _runs_in_core(vocab: Vocab) -> bool:
    """Return whether the native core can run the model of a vocab on the words that its rules make."""
    if not vocab.has_native_model or not vocab.model.ends_words:
        return vocab.has_native_model
    from wordsplit.engine.words import can_end_words  # noqa: PLC0415 - most vocabs need no table

    return can_end_words(vocab)
