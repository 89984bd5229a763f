r"""Any pattern, with the `regex` package, whose Unicode classes are adapted to the oracles'.

The package follows the newest Unicode; `tokenizers` and `tiktoken` follow 16.0. Letters added since would
be in other spans. So the spanner asks the installed package which code points it classes differently,
for the classes that the pattern names, and replaces each with a substitute of the same length that
the package classes as the oracles do. Spans are offsets, so the substitutes never appear in results.

Patterns are parsed in the dialect of their oracle and rewritten for the package, so that they mean the same.
Constructs without an equivalent in the package are refused.
"""

from __future__ import annotations

from wordsplit.patterns.matches import Matcher
from wordsplit.rules import Split
from wordsplit.spanners.steps import StepsSpanner
from wordsplit.vocab import Vocab

__all__ = ["RegexSpanner"]


class RegexSpanner(StepsSpanner):
    """A spanner for any pattern.

    Raises:
        UnsupportedVocabError: The pattern does not compile.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("cl100k_base", spanner="regex").spans("It's 2024 already")
        ['It', "'s", ' ', '202', '4', ' already']
    """

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab, _matcher)


def _matcher(split: Split, source: str) -> Matcher:
    from wordsplit.patterns.package import package_matcher  # noqa: PLC0415 - a vocab without steps does not need it

    return package_matcher(split, source)


plugin = RegexSpanner
