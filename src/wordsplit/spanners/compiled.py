"""Any pattern that an automaton expresses: the executable specification, in Python.

The pattern of each step is compiled to a `wordsplit.patterns.automaton.SpanAutomaton`, which takes one step for each
character of a text, whatever the pattern; or two, if it looks ahead by several characters.
"""

from __future__ import annotations

from wordsplit.patterns.compiled import compiled_matcher
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
        super().__init__(vocab, compiled_matcher)


plugin = CompiledSpanner
