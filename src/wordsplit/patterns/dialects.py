r"""Translate patterns between tiktoken's dialect and that of `tokenizers`.

`tokenizers` uses Oniguruma, in which ``x{1,3}+`` is a repeated count and ``$`` the end of any line. In tiktoken
they are a possessive count and the end of the text. So the first is written as the group
``(?>x{1,3})`` and the second as ``\z``. ``\s++$`` is unchanged: the run contains all line feeds, so
both dialects agree on it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from wordsplit.patterns.schemes import SCHEMES, TABLE
from wordsplit.vocab import Split

__all__ = ["from_tokenizers", "to_tokenizers"]

_CLASS = r"\\[pP]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
# Text to leave unchanged; or an atom, such as a class, with a counted quantifier and a plus after it.
_ATOM = re.compile(rf"(\\s\+\+\$)|({_CLASS}|[^)])(?:(\{{\d+(?:,\d*)?\}})\+)?", re.DOTALL)
_ANCHORS = {"^": r"\A", "$": r"\z"}


def to_tokenizers(split: Split) -> str:
    """Return the pattern of a step in the dialect of a tokenizer.json."""
    return split.pattern if split.literal or split.dialect != "tiktoken" else _ATOM.sub(_to_oniguruma, split.pattern)


def from_tokenizers(split: Split) -> Split:
    """Return a step of a tokenizer.json, or the equal step of a known scheme.

    To remove what a pattern does not match is to isolate what it matches, if it matches everything.
    """
    if split.behavior == "removed" and split.invert:
        plain = replace(split, behavior="isolated", invert=False)
        split = plain if plain in _covering() else split
    return _known().get(split, split)


def _to_oniguruma(match: re.Match[str]) -> str:
    alone, atom, count = match.groups()
    if alone:
        return str(alone)
    return f"(?>{atom}{count})" if count else _ANCHORS.get(atom, str(atom))


@cache
def _known() -> dict[Split, Split]:
    steps = [step for scheme in SCHEMES.values() for step in scheme if step.dialect == "tiktoken"]
    return {Split(to_tokenizers(step)): step for step in steps}


@cache
def _covering() -> frozenset[Split]:
    """Patterns that match every character: those of scanners, as a tokenizer.json has them."""
    rows = [row for row in TABLE.values() if row.scanner]
    return frozenset(
        Split(to_tokenizers(steps[0])) for row in rows for steps in (row.steps, *row.also) if len(steps) == 1
    )
