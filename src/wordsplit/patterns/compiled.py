"""The matcher of a step, compiled to an automaton."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.automaton import LookaheadAutomaton, SpanAutomaton
from wordsplit.patterns.limits import NotCompilableError
from wordsplit.patterns.matches import Matcher
from wordsplit.patterns.walk import Walker
from wordsplit.rules import Split

if TYPE_CHECKING:
    from wordsplit.patterns.syntax.tree import Node

__all__ = ["automaton_of", "compiled_matcher", "remember", "runs_of"]

_REMEMBERED: dict[Split, SpanAutomaton | LookaheadAutomaton] = {}
_MOST_REMEMBERED = 64


def remember(split: Split, automaton: SpanAutomaton | LookaheadAutomaton) -> None:
    """Take the automaton of a step from a file, so that it is not made again."""
    if len(_REMEMBERED) < _MOST_REMEMBERED:
        _REMEMBERED[split] = automaton


def compiled_matcher(split: Split, source: str) -> Matcher:
    """Return the matcher of a step by its automaton, in Python.

    Raises:
        UnsupportedVocabError: See `automaton_of`.
    """
    return Matcher(str, Walker(automaton_of(split, source)).matches)


@lru_cache(maxsize=64)
def automaton_of(split: Split, source: str) -> SpanAutomaton | LookaheadAutomaton:
    """Return the automaton of a step's pattern.

    Args:
        split: The step.
        source: The name of the vocab's source, for errors.

    Raises:
        UnsupportedVocabError: The pattern is invalid, or it has no automaton, or only one that is too large. The
            message names the construct.
    """
    if split in _REMEMBERED:
        return _REMEMBERED[split]
    from wordsplit.patterns.lookahead import compile_any  # noqa: PLC0415 - a load from the cache does not need it

    try:
        return compile_any(_tree_of(split, source))
    except NotCompilableError as error:
        shown = split.pattern if len(split.pattern) <= 200 else split.pattern[:200] + "…"
        raise UnsupportedVocabError(
            f"pattern {shown!r} has no automaton: {error}", file=source, field="pre_tokenizer"
        ) from None


@lru_cache(maxsize=64)
def runs_of(split: Split, source: str) -> SpanAutomaton | LookaheadAutomaton | None:
    """Return an automaton that matches as many matches of a step's pattern in a row as there are.

    A repeat of the pattern is that: it takes the first alternative that matches, as each match alone does, and cannot
    fail later. Only empty matches are none in a row.

    Args:
        split: The step.
        source: The name of the vocab's source, for errors.

    Returns:
        ``None`` if a match may be empty, or if there is no automaton.

    Example:
        >>> runs_of(Split("a|b"), "an example") is None, runs_of(Split("a*"), "an example") is None
        (False, True)
    """
    from wordsplit.patterns.lookahead import compile_any  # noqa: PLC0415 - few vocabs need it
    from wordsplit.patterns.syntax.tree import Repeat  # noqa: PLC0415 - as above

    try:
        made = compile_any(Repeat(_tree_of(split, source), 1, None))
    except NotCompilableError:
        return None
    spans = made.spans if isinstance(made, LookaheadAutomaton) else made
    return None if spans.matches_empty else made


def _tree_of(split: Split, source: str) -> Node:
    from wordsplit.patterns.syntax import parse  # noqa: PLC0415 - a load from the cache does not need it
    from wordsplit.patterns.syntax.characters import chars  # noqa: PLC0415 - as above
    from wordsplit.patterns.syntax.tree import Characters, concatenation  # noqa: PLC0415 - as above

    if split.literal:
        return concatenation([Characters(chars(char)) for char in split.pattern])
    return parse(split.pattern, split.dialect, source=source, field="pre_tokenizer")
