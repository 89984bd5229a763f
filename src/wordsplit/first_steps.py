"""The steps of a normalizer that the native core runs before others (``normalizer_steps.hpp``)."""

from __future__ import annotations

from collections.abc import Sequence

from wordsplit.rules import Normalize
from wordsplit.unicode.nfc import FORMS

__all__ = ["CHARACTER_KINDS", "is_first_step", "trims_of"]

CHARACTER_KINDS = ("lowercase", "strip_accents", "nmt")
"""The kinds of these steps that treat characters one by one."""


def is_first_step(step: Normalize) -> bool:
    """Return whether the core can run a step before others."""
    if step.kind == "replace":
        return step.literal and bool(step.pattern)
    return step.kind in FORMS or step.kind in CHARACTER_KINDS


def trims_of(normalizer: Sequence[Normalize]) -> tuple[frozenset[str], list[Normalize]]:
    """Return the flags for what removes white space from the ends of raw text, and the other steps.

    Steps that neither change what is white space nor remove what is beside it may come before.
    """
    rest = list(normalizer)
    at = 0
    while at < len(rest) and rest[at].kind in ("nfc", "nfd", "lowercase"):
        at += 1
    trims = set()
    for kind, flag in (("lstrip", "trim_left"), ("rstrip", "trim_right")):
        if at < len(rest) and rest[at].kind == kind:
            trims.add(flag)
            del rest[at]
    return frozenset(trims), rest
