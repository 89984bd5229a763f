r"""Patterns of tiktoken's dialect, told to `tokenizers`.

Its engine is Oniguruma, to which ``x{1,3}+`` is a count that repeats and ``$`` the end of any line, where
tiktoken means a count that gives nothing back and the end of the text. So the one is written as the group
``(?>x{1,3})`` and the other as ``\z``. ``\s++$`` is left alone: the run holds every line feed there is, so
both read it alike.
"""

from __future__ import annotations

import re
from functools import cache

from wordsplit.patterns.schemes import SCHEMES
from wordsplit.vocab import Split

__all__ = ["from_tokenizers", "to_tokenizers"]

_CLASS = r"\\[pP]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
# What is left alone; or an atom, a class being one, and a counted quantifier with a plus behind it.
_ATOM = re.compile(rf"(\\s\+\+\$)|({_CLASS}|[^)])(?:(\{{\d+(?:,\d*)?\}})\+)?", re.DOTALL)
_ANCHORS = {"^": r"\A", "$": r"\z"}


def to_tokenizers(split: Split) -> str:
    """The pattern of a step, as a tokenizer.json has to say it."""
    return split.pattern if split.literal or split.dialect != "tiktoken" else _ATOM.sub(_told, split.pattern)


def from_tokenizers(split: Split) -> Split:
    """A step of a tokenizer.json; that of a known scheme, where it is what `to_tokenizers` makes of it."""
    return _known().get(split, split)


def _told(match: re.Match[str]) -> str:
    alone, atom, count = match.groups()
    if alone:
        return str(alone)
    return f"(?>{atom}{count})" if count else _ANCHORS.get(atom, str(atom))


@cache
def _known() -> dict[Split, Split]:
    steps = [step for scheme in SCHEMES.values() for step in scheme if step.dialect == "tiktoken"]
    return {Split(to_tokenizers(step)): step for step in steps}
