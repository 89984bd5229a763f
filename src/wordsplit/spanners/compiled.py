"""Any pattern that an automaton expresses: the executable specification, in Python.

The pattern of each step is compiled to a `wordsplit.patterns.automaton.SpanAutomaton`, which takes one step for each
character of a text, whatever the pattern; or two, if it looks ahead by several characters.
"""

from __future__ import annotations

from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.automaton import SpanAutomaton
from wordsplit.patterns.limits import NotCompilableError
from wordsplit.patterns.lookahead import LookaheadAutomaton, compile_any
from wordsplit.patterns.steps import Matcher
from wordsplit.patterns.syntax import parse
from wordsplit.patterns.syntax.characters import chars
from wordsplit.patterns.syntax.tree import Characters, concatenation
from wordsplit.patterns.walk import Walker
from wordsplit.rules import Split
from wordsplit.spanners.steps import StepsSpanner
from wordsplit.vocab import Vocab

__all__ = ["CompiledSpanner"]


class CompiledSpanner(StepsSpanner):
    """A spanner for any pattern that an automaton expresses.

    Raises:
        UnsupportedVocabError: A pattern is invalid, or there is no automaton for it, or only one that is too large. The
            message names the construct.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("cl100k_base", spanner="compiled").spans("It's 2024 already")
        ['It', "'s", ' ', '202', '4', ' already']
    """

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab, _matcher)


def _matcher(split: Split, source: str) -> Matcher:
    return Matcher(str, Walker(_automaton(split, source)).matches)


def _automaton(split: Split, source: str) -> SpanAutomaton | LookaheadAutomaton:
    if split.literal:
        tree = concatenation([Characters(chars(char)) for char in split.pattern])
    else:
        tree = parse(split.pattern, split.dialect, source=source, field="pre_tokenizer")
    try:
        return compile_any(tree)
    except NotCompilableError as error:
        shown = split.pattern if len(split.pattern) <= 200 else split.pattern[:200] + "…"
        raise UnsupportedVocabError(
            f"pattern {shown!r} has no automaton: {error}", file=source, field="pre_tokenizer"
        ) from None


plugin = CompiledSpanner
