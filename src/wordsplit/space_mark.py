"""How a vocab spells a space, where it spells it as another character, usually U+2581."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wordsplit.first_steps import is_first_step, trims_of
from wordsplit.rules import Normalize, Rewrite, Split, Step

__all__ = ["USUAL_MARK", "SpaceMark", "space_mark_of"]

USUAL_MARK = "\u2581"
"""The character that most vocabs write for a space, and that the tables of words treat as one."""


class SpaceMark(NamedTuple):
    """The spelling of spaces.

    Attributes:
        mark: The character.
        prepend: Where one is put before text: ``"never"``; ``"stretch"``, before each stretch of text between tokens
            that are found in the original text; ``"piece"``, before each piece between added tokens that does not begin
            with one; or ``"first"``, before such a piece at the beginning of the text.
        splits: Whether a span begins at each of them.
        before: The earlier steps of the normalizer.
    """

    mark: str
    prepend: str
    splits: bool
    before: tuple[Normalize, ...] = ()


_PREPENDS = {"always": "piece", "first": "first", "never": "never"}


def space_mark_of(normalizer: str | Sequence[Normalize] | None, steps: Sequence[Step]) -> SpaceMark | None:
    """Return how rules spell a space, if that is all that they do to a text, or all after steps that the core runs."""
    if normalizer is None:
        return _of_metaspace(steps)
    given = [Normalize(normalizer)] if isinstance(normalizer, str) else list(normalizer)
    return _of_normalizer(given, steps) or _behind_steps(given, steps)


def _behind_steps(normalizer: list[Normalize], steps: Sequence[Step]) -> SpaceMark | None:
    """Return how a space is spelled after other steps of a normalizer."""
    for size in (2, 1, 0):  # of the steps that spell it, besides those of the pre-tokenizer
        before, spelling = normalizer[: len(normalizer) - size], normalizer[len(normalizer) - size :]
        found = _of_normalizer(spelling, steps) if spelling else _of_metaspace(steps)
        # Words that begin with a space are made of raw text, and a text that has lost its beginning has no first piece.
        if found and before and not found.splits and found.prepend != "first" and _are_first_steps(before):
            return found._replace(before=tuple(before))
    return None


def _are_first_steps(normalizer: Sequence[Normalize]) -> bool:
    """Return whether the core can run steps before others, of which the last may be a map of SentencePiece."""
    _, rest = trims_of(normalizer)
    if rest and rest[-1].kind == "precompiled":
        del rest[-1]
    return all(map(is_first_step, rest))


def _of_metaspace(steps: Sequence[Step]) -> SpaceMark | None:
    first, *rest = steps or (None,)
    if not isinstance(first, Rewrite) or first.kind != "metaspace" or not _is_mark(first.replacement):
        return None
    splits = [Split(first.replacement, behavior="merged_with_next", literal=True)]
    if rest not in ([], splits):
        return None
    return SpaceMark(first.replacement, _PREPENDS[first.prepend], splits=rest == splits)


def _of_normalizer(normalizer: list[Normalize], steps: Sequence[Step]) -> SpaceMark | None:
    normalizer = normalizer.copy()
    prepended = normalizer.pop(0).content if normalizer[0].kind == "prepend" else ""
    if normalizer[:1] == [Normalize("charsmap")]:  # an empty map
        del normalizer[0]
    if len(normalizer) != 1:
        return None
    step = normalizer[0]
    mark = step.content
    if step.kind != "replace" or (step.pattern, step.literal) != (" ", True) or not _is_mark(mark):
        return None
    # A step that looks for spaces finds none any more.
    idle = all(isinstance(split, Split) and (split.pattern, split.literal) == (" ", True) for split in steps)
    if prepended not in ("", mark) or not idle or any(getattr(split, "invert", False) for split in steps):
        return None
    return SpaceMark(mark, "stretch" if prepended else "never", splits=False)


def _is_mark(text: str) -> bool:
    return len(text) == 1 and not text.isspace() and not text.isalnum()
