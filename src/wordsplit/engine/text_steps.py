"""The steps of a vocab in the native core, in order, on a text as a whole.

The core runs most rules by tables (`wordsplit.engine.words`), or finds spans in the text itself. The remaining
rules are normalizers that replace the matches of patterns, and pre-tokenizers that remove, add or respell text. For
these, it does the same as `wordsplit.engine.normalization` and `wordsplit.engine.rewriting`, with their tables and
patterns, and reports where characters come from. These modules are the specification.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from wordsplit.byte_level import to_byte_level
from wordsplit.engine.character_tables import CHARACTER_KINDS, changed_by
from wordsplit.engine.words import map_of_characters, map_of_charsmap
from wordsplit.errors import UnsupportedVocabError
from wordsplit.rules import Normalize, Rewrite, Split, Step
from wordsplit.spanners.compiled import native_step
from wordsplit.unicode.nfc import FORMS
from wordsplit.unicode.segmentation import SCRIPT_RUNS

if TYPE_CHECKING:
    from wordsplit import _native

__all__ = ["normalizer_in_core", "rewriting_in_core"]

_REMEMBERED = 64


@lru_cache(_REMEMBERED)
def normalizer_in_core(steps: tuple[Normalize, ...], source: str, simd: str) -> _native.Normalizer | None:
    """Return the steps of a normalizer; ``None`` if the core cannot run one of them.

    Args:
        steps: The steps.
        source: The name of the vocab's source, for errors.
        simd: The SIMD instructions to use.
    """
    from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it

    made = _native.Normalizer()
    return made if all(_add(made, step, source, simd) for step in steps) else None


@lru_cache(_REMEMBERED)
def rewriting_in_core(steps: tuple[Step, ...], source: str, simd: str) -> _native.Rewriting | None:
    """Return the steps of a pre-tokenizer; ``None`` if the core cannot run one of them.

    The arguments are those of `normalizer_in_core`.
    """
    from wordsplit import _native  # noqa: PLC0415 - as above

    made = _native.Rewriting()
    if sum(isinstance(step, Rewrite) and step.kind == "metaspace" for step in steps) > 1:
        return None
    for step in steps:
        if isinstance(step, Rewrite):
            if not _add_rewrite(made, step):
                return None
            continue
        removes = step.behavior == "removed"
        split = _compiled(replace(step, behavior="isolated", prefix_space=False) if removes else step, source, simd)
        if split is None:
            return None
        if step.prefix_space:
            made.add_prefix_space()
        (made.add_removal if removes else made.add_split)(split)
    return made


def _add(made: _native.Normalizer, step: Normalize, source: str, simd: str) -> bool:
    """Add a step of a normalizer, if the core can run it."""
    from wordsplit import _native  # noqa: PLC0415 - as above

    kind = step.kind
    if kind in FORMS:
        made.add_step(_native.NormalizerStep.form(kind))
    elif kind in CHARACTER_KINDS:
        if kind == "bert_strip_accents":
            made.add_step(_native.NormalizerStep.form("nfd"))
        made.add_map(_map_of_kind(kind))
    elif kind == "precompiled" and (charsmap := map_of_charsmap(step.content)):
        made.add_map(charsmap)
    elif kind == "replace" and step.literal and step.pattern:
        made.add_step(_native.NormalizerStep.literal(step.pattern, step.content))
    elif kind == "replace" and not step.literal and (pattern := _compiled(Split(step.pattern), source, simd)):
        return made.add_replacement(pattern, step.content)
    elif kind in ("lstrip", "rstrip"):
        made.add_trim(left=kind == "lstrip", right=kind == "rstrip")
    elif kind == "prepend":
        made.add_prefix(step.content)
    elif kind == "byte_level":
        made.add_spelling(_letters())
    else:
        return False
    return True


def _add_rewrite(made: _native.Rewriting, step: Rewrite) -> bool:
    if step.kind == "metaspace":
        made.add_metaspace(step.replacement, step.prepend)
    elif step.kind == "unicode_scripts":
        made.add_scripts(list(accumulate(SCRIPT_RUNS[::2])), bytes(SCRIPT_RUNS[1::2]))
    elif step.kind == "byte_level":
        made.add_spelling(_letters())
    else:
        return False
    return True


def _compiled(split: Split, source: str, simd: str) -> _native.SplitStep | None:
    """Return the automaton of a step; ``None`` if there is none."""
    try:
        return native_step(split, source, simd)
    except UnsupportedVocabError:
        return None


@cache
def _map_of_kind(kind: str) -> _native.WordMap:
    return map_of_characters(changed_by(kind))


def _letters() -> list[str]:
    return list(to_byte_level(bytes(range(256))))
