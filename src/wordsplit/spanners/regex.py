r"""Any pattern, with the `regex` package, whose Unicode classes are adapted to the oracles'.

The package follows the newest Unicode; `tokenizers` and `tiktoken` follow 16.0. Letters added since would
be in other spans. So the spanner asks the installed package which code points it classes differently,
for the classes that the pattern names, and replaces each with a substitute of the same length that
the package classes as the oracles do. Spans are offsets, so the substitutes never appear in results.

Patterns are parsed in the dialect of their oracle and written anew for the package, so that they mean the same.
What the package has no equal for is refused.

Steps that remove text, or add a space, run before any spanner sees the text; this one runs the steps
after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wordsplit.patterns.steps import Steps
from wordsplit.rules import Split, rewriting_steps
from wordsplit.spanners.base import TextSpanner
from wordsplit.vocab import Vocab

__all__ = ["RegexSpanner"]


class RegexSpanner(TextSpanner):
    """A spanner for any pattern.

    Raises:
        UnsupportedVocabError: The pattern does not compile.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("cl100k_base", spanner="regex").spans("It's 2024 already")
        ['It', "'s", ' ', '202', '4', ' already']
    """

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab)
        rest = vocab.pre_tokenizer[rewriting_steps(vocab.pre_tokenizer) :]
        self._steps = Steps([step for step in rest if isinstance(step, Split)], vocab.source)  # all of them

    def pieces(self, text: str) -> Iterable[str]:
        """Return the spans of ``text``."""
        return [text[a:b] for a, b in self._steps.bounds(text)]

    def ends(self, data: bytes) -> Sequence[int]:
        """Return the end offset of every span."""
        ends = super().ends(data)
        if not self._steps.on_bytes:
            return ends
        return [end for _, end in self._steps.bounds_of_bytes(data, list(zip([0, *ends], ends, strict=False)))]


plugin = RegexSpanner
